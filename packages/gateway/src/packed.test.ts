import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import zlib, { brotliCompressSync, deflateSync, gzipSync, gunzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { serveHttp } from "../../../test/loopback.ts";
import { createGateway, type ClientAnswer, type GatewayReceipt } from "./index.ts";
import { errorOf, openGateway } from "./testing/set-up.ts";
import { keys, post } from "./testing/wires.ts";

const asked = `{"model":"claude-opus-5-5", "max_tokens":1.0e2, "messages":[{"role":"user","content":"Hi"}],"stream":true}`;
const told =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}\n\n' +
  'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":5}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A service on a socket that answers with these bytes, and a gateway before it. */
async function stage(
  answer: Uint8Array,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<{
  readonly seen: Seen[];
  readonly receipts: GatewayReceipt[];
  readonly ask: (
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ClientAnswer>;
}> {
  const seen: Seen[] = [];
  const receipts: GatewayReceipt[] = [];
  const { url } = await serveHttp(async (message, response) => {
    seen.push({ headers: message.headers, bytes: await buffer(message) });
    response.writeHead(status, { "content-type": "text/event-stream", ...headers });
    response.end(answer);
  });
  const gateway = createGateway({
    secret: "a secret of this test",
    env: { ...keys, ANTHROPIC_BASE_URL: new URL(url).origin },
    onRequest: (receipt) => void receipts.push(receipt),
  });
  const ask = async (
    body: string | Uint8Array<ArrayBuffer>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ClientAnswer> =>
    gateway.answer({
      method: "POST",
      target: "/v1/messages",
      headers: new Map(Object.entries({ host: "localhost", ...more })),
      signal: new AbortController().signal,
      read: async (take) => void take(Buffer.from(body)),
    });
  return { seen, receipts, ask };
}

/** The bytes of an answer as its client gets them. */
async function bytesOf({ body }: ClientAnswer): Promise<Buffer> {
  if (typeof body !== "function") return Buffer.from(body);
  const chunks: Buffer[] = [];
  await body({
    write: (bytes) => chunks.push(Buffer.from(bytes)) > 0,
    ready: () => Promise.resolve(),
  });
  return Buffer.concat(chunks);
}

const packings = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const;

describe("promise 1: packed bytes pass as they are", () => {
  test.each(packings)("a request and an answer packed with %s", async (coding, pack) => {
    const packed = pack(told);
    const { seen, receipts, ask } = await stage(packed, { "content-encoding": coding });
    const body = new Uint8Array(pack(asked));
    const answer = await ask(body, { "content-encoding": coding, "accept-encoding": "gzip, br" });
    expect(answer.headers["content-encoding"]).toBe(coding);
    expect(await bytesOf(answer)).toEqual(packed);
    expect(seen[0]?.bytes).toEqual(Buffer.from(body));
    expect(seen[0]?.headers).toMatchObject({
      "content-encoding": coding,
      "accept-encoding": "gzip, br",
    });
    // A copy is unpacked, so that the receipt knows what it cost.
    expect(receipts).toMatchObject([{ lane: "pass", usage: { input: 7, output: 5 } }]);
  });

  test("a client that takes nothing packed is sent nothing packed", async () => {
    const { seen, ask } = await stage(Buffer.from(told), {});
    expect((await bytesOf(await ask(asked))).toString()).toBe(told);
    expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("a packed request that is repaired goes on unpacked", async () => {
    const { seen, receipts, ask } = await stage(Buffer.from(told), {});
    const lost = JSON.stringify({
      model: "claude-opus-5-5",
      max_tokens: 100,
      tool_choice: { type: "auto" },
      messages: [{ role: "user", content: "What time is it?" }],
    });
    await bytesOf(await ask(new Uint8Array(gzipSync(lost)), { "content-encoding": "gzip" }));
    expect(seen[0]?.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(String(seen[0]?.bytes))).toMatchObject({ model: "claude-opus-5-5" });
    expect(receipts[0]?.repairs.length).toBeGreaterThan(0);
  });

  test("a packed refusal passes, and the receipt knows what it says", async () => {
    const error = { type: "invalid_request_error", message: "prompt is too long: 9 tokens" };
    const packed = gzipSync(JSON.stringify({ type: "error", error }));
    const headers = { "content-encoding": "gzip", "content-type": "application/json" };
    const { receipts, ask } = await stage(packed, headers, 400);
    const answer = await ask(asked, { "accept-encoding": "gzip" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(String(gunzipSync(await bytesOf(answer))))).toEqual({ type: "error", error });
    expect(receipts[0]?.error).toMatchObject({ category: "context_overflow" });
  });

  test("a packed stream that breaks off breaks the client's connection", async () => {
    const packed = gzipSync(told);
    const half = packed.subarray(0, packed.length - 12);
    const { receipts, ask } = await stage(half, { "content-encoding": "gzip" });
    const answer = await ask(asked, { "accept-encoding": "gzip" });
    await expect(bytesOf(answer)).rejects.toThrow("broke off");
    expect(receipts[0]?.error).toMatchObject({ code: "truncated" });
  });
});

describe("packed bodies that cannot be read", () => {
  const { ask } = openGateway({ fetch: () => Promise.reject(new Error("nobody is asked")) });
  const refusal = async (
    body: Uint8Array<ArrayBuffer>,
    coding: string,
  ): Promise<readonly [number, unknown]> => {
    const { headers, url, method } = post("/v1/messages", "");
    const init = {
      method,
      headers: { ...Object.fromEntries(headers), "content-encoding": coding },
    };
    const response = await ask(new Request(url, { ...init, body }));
    return [response.status, (await errorOf(response))["message"]];
  };

  test("are refused in the caller's wire", async () => {
    const packed = new Uint8Array(gzipSync(asked));
    expect(await refusal(packed.subarray(0, 40), "gzip")).toEqual([
      400,
      "the body is not gzip, as its content-encoding says",
    ]);
    const [status, message] = await refusal(packed, "snappy");
    expect(status).toBe(400);
    expect(message).toMatch(
      /^content-encoding: snappy cannot be read here\. Allowed: gzip .*send gzip/,
    );
  });

  test("zstd is read where Node knows it, and is refused with what to do elsewhere", async () => {
    const [status, message] = await refusal(new Uint8Array([1, 2, 3]), "zstd");
    expect(status).toBe(400);
    expect(message).toContain("zstdDecompress" in zlib ? "is not zstd" : "Node 22.15");
  });

  test("a few bytes that unpack to too many are refused", async () => {
    const [status, message] = await refusal(
      new Uint8Array(gzipSync(Buffer.alloc(40_000_000))),
      "gzip",
    );
    expect(status).toBe(413);
    expect(message).toContain("larger than 32 MB");
  });
});
