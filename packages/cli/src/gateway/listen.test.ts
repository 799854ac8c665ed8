import { connect } from "node:net";
import { request } from "node:http";

import { afterEach, describe, expect, test } from "vitest";

import { listen, type RequestHandler, type Listening, type ListenOptions } from "./listen.ts";

const opened: Listening[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

const serve = async (
  fetch: RequestHandler["fetch"],
  options: Partial<ListenOptions> = {},
): Promise<string> => {
  const listening = await listen({ fetch }, { port: 0, host: "127.0.0.1", graceMs: 0, ...options });
  opened.push(listening);
  return listening.url;
};

/** Sends bytes as they are and returns what comes back until the connection closes. */
const raw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let read = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk: Buffer) => (read += chunk.toString()));
    socket.on("close", () => resolve(read));
    socket.on("error", reject);
  });

/** A body that says how far it was read and whether it was let go. */
const endless = () => {
  const seen = { pulled: 0, isLeft: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.pulled++;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => {
        seen.isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
};

describe("a handler on a port", () => {
  test("F-C3 gets method, path, headers and body, and answers with status, headers and body", async () => {
    const url = await serve(async (asked) => {
      const seen = [asked.method, new URL(asked.url).pathname, asked.headers.get("x-own")];
      return new Response(`${seen.join(" ")} ${await asked.text()}`, {
        status: 418,
        headers: { "x-answer": "yes" },
      });
    });
    const answer = await fetch(`${url}/v1/messages?beta=true`, {
      method: "POST",
      headers: { "x-own": "1" },
      body: "hello",
    });
    expect(answer.status).toBe(418);
    expect(answer.headers.get("x-answer")).toBe("yes");
    expect(await answer.text()).toBe("POST /v1/messages 1 hello");
  });

  test("F-C3 a WebSocket is refused with 426, and the next request is answered", async () => {
    const url = await serve(async () => new Response("still here"));
    const { host } = new URL(url);
    const upgrade = `GET /v1/responses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    const refused = await raw(url, upgrade);
    expect(refused).toMatch(/^HTTP\/1\.1 426 /);
    expect(refused).toContain("Send the same request with POST");
    expect(await (await fetch(url)).text()).toBe("still here");
  });

  test("F-C3 a client that leaves before the answer aborts its request", async () => {
    const seen: Request[] = [];
    const url = await serve((asked) => {
      seen.push(asked);
      return new Promise<Response>(() => undefined);
    });
    const left = new AbortController();
    const answer = fetch(url, { method: "POST", body: "{}", signal: left.signal });
    await expect.poll(() => seen.length).toBe(1);
    left.abort();
    await expect(answer).rejects.toThrow("aborted");
    await expect.poll(() => seen[0]?.signal.aborted).toBe(true);
  });

  test("F-C3 a client that leaves in the middle of a stream lets go of what is upstream", async () => {
    const { body, seen } = endless();
    const url = await serve(async () => new Response(body));
    const answer = await fetch(url);
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => seen.isLeft).toBe(true);
  });

  test("F-C3 a client that never reads holds up neither the source nor others, and is let go", async () => {
    const { body, seen } = endless();
    const url = await serve(
      async (asked) => (asked.url.endsWith("/stuck") ? new Response(body) : new Response("quick")),
      { stalledMs: 300 },
    );
    const stuck = request(`${url}/stuck`);
    stuck.on("error", () => undefined);
    stuck.on("response", (response) => response.pause());
    stuck.end();
    await expect.poll(() => seen.pulled).toBeGreaterThan(0);
    expect(await (await fetch(url)).text()).toBe("quick");
    await expect.poll(() => seen.isLeft).toBe(true);
    // What fits into the buffers of two sockets, and no more.
    expect(seen.pulled).toBeLessThan(1000);
  });

  test("F-C3 half a request keeps nobody from an answer", async () => {
    const url = await serve(async (asked) => new Response(String((await asked.text()).length)));
    const { host, port } = new URL(url);
    const half = connect(Number(port), "127.0.0.1", () =>
      half.write(`POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"mod`),
    );
    const answer = await fetch(url, { method: "POST", body: "whole" });
    expect(await answer.text()).toBe("5");
    half.destroy();
  });

  test("F-C3 a body of 50 MB is refused while it is sent, and the refusal arrives", async () => {
    const url = await serve(async (asked) => {
      await asked.body?.cancel();
      return new Response("too large", { status: 413 });
    });
    const answer = await new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        const sent = request(url, { method: "POST" }, (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk.toString()));
          response.on("end", () => resolve({ status: response.statusCode, text }));
        });
        sent.on("error", reject);
        sent.write(Buffer.alloc(1_000_000));
      },
    );
    expect(answer).toEqual({ status: 413, text: "too large" });
  });

  test("F-C3 closing lets an answer come to its end", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const listening = await listen(
      { fetch: async () => new Response(readable) },
      { port: 0, host: "127.0.0.1", graceMs: 60_000 },
    );
    const answer = await fetch(listening.url);
    void writer.write(Buffer.from("first "));
    const closed = listening.close();
    void writer.write(Buffer.from("last"));
    void writer.close();
    expect(await answer.text()).toBe("first last");
    await closed;
    await expect(fetch(listening.url)).rejects.toThrow("fetch failed");
  });

  test("F-C3 a port that is taken is named", async () => {
    const url = await serve(async () => new Response());
    const port = Number(new URL(url).port);
    await expect(serve(async () => new Response(), { port })).rejects.toThrow(
      `Port ${port} is taken`,
    );
  });
});
