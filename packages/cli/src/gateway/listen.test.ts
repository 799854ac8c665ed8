import { EventEmitter, once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";

import type { ClientAnswer, ClientRequest } from "@mull/gateway";
import { afterEach, describe, expect, test } from "vitest";

import { listen, type RequestHandler, type Listening, type ListenOptions } from "./listen.ts";

const opened: Listening[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

const serve = async (
  answer: RequestHandler["answer"],
  options: Partial<ListenOptions> = {},
): Promise<string> => {
  const listening = await listen(
    { answer },
    { port: 0, host: "127.0.0.1", graceMs: 0, ...options },
  );
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

const said = (body: ClientAnswer["body"], status = 200): ClientAnswer => ({
  status,
  headers: {},
  body,
});

/** The body of a request, as text. */
const textOf = async ({ read }: ClientRequest): Promise<string> => {
  const chunks: Uint8Array[] = [];
  await read((bytes) => chunks.push(bytes) > 0);
  return Buffer.concat(chunks).toString();
};

/** An answer without end that says how much of it was written and whether its client is gone. */
const endless = () => {
  const seen = { written: 0, isLeft: false };
  const answer: RequestHandler["answer"] = async ({ signal }) =>
    said(async ({ write, ready }) => {
      while (!signal.aborted) {
        seen.written++;
        if (!write(new Uint8Array(65_536))) await ready();
      }
      seen.isLeft = true;
    });
  return { answer, seen };
};

describe("a handler on a port", () => {
  test("F-C3 gets method, path, headers and body, and answers with status, headers and body", async () => {
    const url = await serve(async (asked) => {
      const seen = [asked.method, asked.target, asked.headers.get("x-own"), await textOf(asked)];
      return { status: 418, headers: { "x-answer": "yes" }, body: seen.join(" ") };
    });
    const answer = await fetch(`${url}/v1/messages?beta=true`, {
      method: "POST",
      headers: { "x-own": "1" },
      body: "hello",
    });
    expect(answer.status).toBe(418);
    expect(answer.headers.get("x-answer")).toBe("yes");
    expect(await answer.text()).toBe("POST /v1/messages?beta=true 1 hello");
  });

  test("F-C3 a WebSocket is refused with 426, and the next request is answered", async () => {
    const url = await serve(async () => said("still here"));
    const { host } = new URL(url);
    const upgrade = `GET /v1/responses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    const refused = await raw(url, upgrade);
    expect(refused).toMatch(/^HTTP\/1\.1 426 /);
    expect(refused).toContain("Send the same request with POST");
    expect(await (await fetch(url)).text()).toBe("still here");
  });

  test("F-C3 a client that leaves before the answer aborts its request", async () => {
    const seen: ClientRequest[] = [];
    const url = await serve((asked) => {
      seen.push(asked);
      return new Promise<ClientAnswer>(() => undefined);
    });
    const left = new AbortController();
    const answer = fetch(url, { method: "POST", body: "{}", signal: left.signal });
    await expect.poll(() => seen.length).toBe(1);
    left.abort();
    await expect(answer).rejects.toThrow("aborted");
    await expect.poll(() => seen[0]?.signal.aborted).toBe(true);
  });

  test("F-C3 a client that leaves in the middle of a stream lets go of what is upstream", async () => {
    const { answer: endlessly, seen } = endless();
    const url = await serve(endlessly);
    const answer = await fetch(url);
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => seen.isLeft).toBe(true);
  });

  test("F-C3 a client that never reads holds up neither the source nor others, and is let go", async () => {
    const { answer: endlessly, seen } = endless();
    const url = await serve(
      async (asked) => (asked.target === "/stuck" ? endlessly(asked) : said("quick")),
      { stalledMs: 300 },
    );
    const stuck = request(`${url}/stuck`);
    stuck.on("error", () => undefined);
    stuck.on("response", (response) => response.pause());
    stuck.end();
    await expect.poll(() => seen.written).toBeGreaterThan(0);
    expect(await (await fetch(url)).text()).toBe("quick");
    await expect.poll(() => seen.isLeft).toBe(true);
    // What fits into the buffers of two sockets, and no more.
    expect(seen.written).toBeLessThan(1000);
  });

  test("F-C3 half a request keeps nobody from an answer", async () => {
    const url = await serve(async (asked) => said(String((await textOf(asked)).length)));
    const { host, port } = new URL(url);
    const half = connect(Number(port), "127.0.0.1", () =>
      half.write(`POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"mod`),
    );
    const answer = await fetch(url, { method: "POST", body: "whole" });
    expect(await answer.text()).toBe("5");
    half.destroy();
  });

  test("F-C3 who sends half a request and waits is told so by the handler", async () => {
    const url = await serve((asked) =>
      textOf(asked).then(
        (text) => said(text),
        () => said("the body ended", 400),
      ),
    );
    const { host, port } = new URL(url);
    const half = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    half.end(`POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"mod`);
    let answer = "";
    half.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    await once(half, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*the body ended/);
  });

  test.each([
    ["no HTTP", "HELLO\r\n\r\n", "400 Bad Request"],
    [
      "too long a header",
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      "431 Request Header Fields Too Large",
    ],
  ])("%s is refused in words", async (_name, text, status) => {
    const url = await serve(async () => said("still here"));
    const refused = await raw(url, text);
    expect(refused).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(refused).toContain('{"error":{"message":"The gateway cannot read this');
    expect(await (await fetch(url)).text()).toBe("still here");
  });

  test("F-C3 garbage behind a request breaks the answer off, and writes nothing into it", async () => {
    const gate = new EventEmitter();
    const url = await serve(async () =>
      said(async ({ write }) => {
        write("begun");
        gate.emit("begun");
        await once(gate, "never");
      }),
    );
    const { host, port } = new URL(url);
    const begun = once(gate, "begun");
    const client = connect(Number(port), "127.0.0.1");
    let answer = "";
    client.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    client.on("error", () => undefined);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await begun;
    client.write("HELLO\r\n\r\n");
    await once(client, "close");
    expect(answer).not.toContain("cannot read");
  });

  test("F-C3 a body of 50 MB is refused while it is sent, and the refusal arrives", async () => {
    const url = await serve(async (asked) => {
      await asked.read(() => false);
      return said("too large", 413);
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
    const last = new EventEmitter();
    const listening = await listen(
      {
        answer: async () =>
          said(async ({ write }) => {
            write("first ");
            await once(last, "said");
            write("last");
          }),
      },
      { port: 0, host: "127.0.0.1", graceMs: 60_000 },
    );
    const answer = await fetch(listening.url);
    const closed = listening.close();
    last.emit("said");
    expect(await answer.text()).toBe("first last");
    await closed;
    await expect(fetch(listening.url)).rejects.toThrow("fetch failed");
  });

  test("F-C3 a port that is taken is named", async () => {
    const url = await serve(async () => said(""));
    const port = Number(new URL(url).port);
    await expect(serve(async () => said(""), { port })).rejects.toThrow(`Port ${port} is taken`);
  });
});
