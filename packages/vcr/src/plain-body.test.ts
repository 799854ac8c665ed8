import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { play } from "./play.ts";
import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory, streamOf } from "./testing/loopback.ts";

const url = "https://api.example.test/v1/messages";
const key = ["sk-", "ant-", "api03-not-a-real-key-0001"].join("");
const said = JSON.stringify({ model: "m", said: `my key is ${key}` });

type Body = NonNullable<RequestInit["body"]>;

const ask = (encoding: string, body: Body): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", "content-encoding": encoding },
  body,
});

/** Records a request, and gives what was sent, what was written, and a player for it. */
const recordOne = async (init: RequestInit) => {
  const cassette = join(await makeDirectory(), "one.jsonl");
  const sent: Buffer[] = [];
  const live = record({
    cassette,
    fetch: async (_, { body }) => {
      sent.push(Buffer.from(await new Response(body).arrayBuffer()));
      return Response.json({ ok: true });
    },
  });
  await (await live(url, init)).text();
  await live.done();
  const [exchange] = readCassette(cassette).exchanges;
  return { sent, request: exchange?.request, replay: play(cassette), cassette };
};

describe("F-V1 a packed request", () => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)(
    "in %s is searched for secrets, goes on packed, and matches by content",
    async (encoding, pack) => {
      const { sent, request, replay, cassette } = await recordOne(ask(encoding, pack(said)));
      expect(sent).toEqual([pack(said)]);
      expect(request?.json).toEqual({ model: "m", said: "my key is REDACTED" });
      expect(await readFile(cassette, "latin1")).not.toContain(key);
      const repacked = pack(JSON.stringify({ said: `my key is ${key}`, model: "m" }));
      expect((await replay(url, ask(encoding, repacked))).status).toBe(200);
      await replay.done();
    },
  );

  test.each([
    ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1])],
    ["gzip", gzipSync(said).subarray(0, 40)],
  ])("in %s that nobody can look into leaves nothing but its digest", async (encoding, body) => {
    const { sent, request, replay } = await recordOne(ask(encoding, body));
    expect(sent).toEqual([body]);
    expect(request?.text).toMatch(
      new RegExp(`^\\(${encoding}, ${body.length} bytes, sha256 [\\da-f]{64}\\)$`),
    );
    await expect(replay(url, ask(encoding, Buffer.from([9])))).rejects.toThrow("differs in");
    expect((await replay(url, ask(encoding, body))).status).toBe(200);
  });
});

const form = (name: string): RequestInit => {
  const body = new FormData();
  body.set("file", new File([Uint8Array.of(0, 255, 1)], name));
  return { method: "POST", body };
};

test("F-V4 a form matches whatever boundary its client made up", async () => {
  const { request, replay } = await recordOne(form("a.txt"));
  expect(request?.headers["content-type"]).toBe("multipart/form-data; boundary=boundary");
  expect((await replay(url, form("a.txt"))).status).toBe(200);
  await replay.done();
});

test("F-V6 a reader that left may leave again after its client read ahead", async () => {
  const cassette = join(await makeDirectory(), "left.jsonl");
  const live = record({ cassette, fetch: async () => new Response(streamOf(["a", "b", "c"])) });
  const first = await live(url);
  const reader = first.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await live.done();

  const controller = new AbortController();
  const response = await play(cassette)(url, { signal: controller.signal });
  const ahead = response.body?.getReader();
  await ahead?.read();
  const next = ahead?.read();
  setImmediate(() => controller.abort());
  await expect(next).rejects.toMatchObject({ name: "AbortError" });
});
