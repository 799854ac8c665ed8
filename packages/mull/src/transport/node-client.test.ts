import { buffer, text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { serveHttp } from "../../../../test/loopback.ts";
import type { HttpAnswer, PostInit } from "./answer.ts";
import { nodePost, runtimePost } from "./node-client.ts";
import { send } from "./send.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As the library reads it. */
async function readChunks(answer: HttpAnswer): Promise<readonly Uint8Array[]> {
  const reader = answer.body!.getReader();
  const chunks: Uint8Array[] = [];
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    chunks.push(step.value);
  }
  return chunks;
}

const readText = async (answer: HttpAnswer): Promise<string> =>
  Buffer.concat(await readChunks(answer)).toString();

const post = (url: string, init: Partial<PostInit> = {}): Promise<HttpAnswer> =>
  nodePost()!(url, {
    method: "POST",
    headers: { "x-a": "b" },
    body: "{}",
    signal: new AbortController().signal,
    ...init,
  });

describe("F-G13: how services are asked on Node", () => {
  test("F-G13: posts the text with its headers and gives the answer as it comes", async () => {
    const seen: unknown[] = [];
    const { url } = await serveHttp(async (message, response) => {
      seen.push(message.method, message.url, message.headers["x-a"], await text(message));
      response.writeHead(200, { "content-type": "text/event-stream", "x-b": "c" });
      response.write("data: 1\n\n");
      setImmediate(() => response.end("data: 2\n\n"));
    });
    const answer = await post(`${url}?beta=true`, { body: '{"ä":1}' });
    expect([answer.status, answer.ok, answer.headers.get("x-b")]).toEqual([200, true, "c"]);
    expect(await readText(answer)).toBe("data: 1\n\ndata: 2\n\n");
    expect(seen).toEqual(["POST", "/v1/test?beta=true", "b", '{"ä":1}']);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("reads what was compressed on the way: %s", async (name, compress) => {
    const { url } = await serveHttp((_, response) => {
      response.writeHead(200, { "content-encoding": name });
      response.end(compress("data: 1\n\n"));
    });
    expect(await readText(await post(url))).toBe("data: 1\n\n");
  });

  test("leaves what was compressed as it is for programs that pass it on", async () => {
    const packed = gzipSync("data: 1\n\n");
    const sent: Uint8Array[] = [];
    const { url } = await serveHttp(async (message, response) => {
      sent.push(await buffer(message));
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    });
    const body = new Uint8Array([0, 128, 255]);
    const chunks = await readChunks(await post(url, { body, packed: true }));
    expect(Buffer.concat(chunks)).toEqual(packed);
    expect(sent).toEqual([Buffer.from(body)]);
  });

  test("uses connections again, also after a refusal, and follows no redirect", async () => {
    const ports: (number | undefined)[] = [];
    const statuses = [429, 302, 200, 204];
    const { url } = await serveHttp((message, response) => {
      ports.push(message.socket.remotePort);
      response.writeHead(statuses[ports.length - 1] ?? 500, {
        location: "http://elsewhere.invalid/",
      });
      response.end();
    });
    for (const status of statuses) {
      const answer = await post(url);
      expect(answer.status).toBe(status);
      await readText(answer);
    }
    expect(new Set(ports).size).toBeLessThan(statuses.length);
  });

  test("rejects as `fetch` does when nobody listens or the answer breaks off", async () => {
    const { url } = await serveHttp((_, response) => {
      response.writeHead(200);
      response.write("half", () => response.destroy());
    });
    const reader = (await post(url)).body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("half");
    await expect(reader.read()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_SOCKET" },
    });
    await expect(post("http://127.0.0.1:1/")).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ECONNREFUSED" },
    });
  });

  test("hangs up when the caller stops, before the answer and in the middle of it", async () => {
    let left = 0;
    const { url } = await serveHttp((message, response) => {
      response.once("close", () => left++);
      if (message.url === "/v1/test/talk") response.write("x");
    });
    const early = new AbortController();
    const asked = post(`${url}/wait`, { signal: early.signal });
    setTimeout(() => early.abort(new Error("enough")), 50);
    await expect(asked).rejects.toMatchObject({ cause: { message: "enough" } });
    const late = new AbortController();
    const answer = await post(`${url}/talk`, { signal: late.signal });
    late.abort(new Error("enough"));
    await expect(readText(answer)).rejects.toMatchObject({ cause: { message: "enough" } });
    await (await post(`${url}/talk`)).body?.cancel();
    await expect.poll(() => left).toBe(3);
    await expect(post(url, { signal: late.signal })).rejects.toMatchObject({
      cause: { message: "enough" },
    });
  });

  test("does not take what nobody reads", async () => {
    let isFull = false;
    const { url } = await serveHttp((_, response) => {
      const fill = (): void => {
        while (response.write("x".repeat(65_536)));
        isFull = true;
      };
      fill();
      response.on("drain", fill);
    });
    const answer = await post(url);
    await expect.poll(() => isFull).toBe(true);
    const reader = answer.body!.getReader();
    expect((await reader.read()).value).toBeInstanceOf(Uint8Array);
    await reader.cancel();
  });

  test("F-G13: hands out what came together as one", async () => {
    const { url } = await serveHttp((_, response) => {
      response.writeHead(200);
      for (let at = 0; at < 500; at++) response.write("data: {}\n\n");
      response.end();
    });
    const chunks = await readChunks(await post(url));
    expect(Buffer.concat(chunks)).toHaveLength(5000);
    expect(chunks.length).toBeLessThan(10);
  });

  test("says who asks and that plain text will do, unless the caller says something else", async () => {
    const seen: unknown[] = [];
    const { url } = await serveHttp(({ headers }, response) => {
      seen.push([headers["user-agent"], headers["accept-encoding"], headers["content-length"]]);
      response.end();
    });
    await readText(await post(url));
    await readText(await post(url, { headers: { "User-Agent": "mine", "Accept-Encoding": "br" } }));
    expect(seen).toEqual([
      ["mull", "identity", "2"],
      ["mine", "br", "2"],
    ]);
  });

  test("F-N20: a `fetch` that somebody has put in place of Node's is used", async () => {
    const calls: string[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      calls.push(url);
      return Promise.resolve(new Response(null, { status: 204 }));
    });
    const { status, lifeline } = await send({
      url: "https://api.test/v1",
      headers: {},
      body: "{}",
      decodeError: () => expect.unreachable(),
      post: runtimePost(),
    });
    lifeline.close();
    expect([status, calls]).toEqual([204, ["https://api.test/v1"]]);
  });

  test("F-N20: so is an agent", () => {
    const agent = { constructor: { name: "ProxyAgent" }, dispatch: () => expect.unreachable() };
    const scope = { fetch, Headers, [Symbol.for("undici.globalDispatcher.1")]: agent };
    expect(nodePost(scope)).toBeUndefined();
  });

  test("another runtime is left to its `fetch`", () => {
    expect(nodePost({ fetch })).toBeUndefined();
  });
});
