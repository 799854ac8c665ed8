import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { array, assert, asyncProperty, integer, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";

import { play } from "./play.ts";
import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory, readPieces, streamOf } from "./testing/loopback.ts";

const url = "https://api.example.test/v1/messages";
const ask = (text: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] }),
});

const bodyOf = (init: RequestInit | undefined): Promise<string> =>
  new Response(init?.body ?? "").text();

const answerInPieces = async (): Promise<Response> => new Response(streamOf(["a", "b", "c"]));

const bodiesOfEveryKind = (): readonly NonNullable<RequestInit["body"]>[] => [
  Uint8Array.of(0, 255, 1),
  new URLSearchParams({ a: "1" }),
  new Blob(["blob"], { type: "text/x" }),
  streamOf(["str", "eam"]),
  '{"b":1, "a":2}',
];

const tick = (): (() => number) => {
  let now = 0;
  return () => (now += 10);
};

describe("record and play", () => {
  test("R268 R272 plays back what was recorded, without network", async () => {
    const cassette = join(await makeDirectory(), "deep", "two.jsonl");
    const live = record({
      cassette,
      now: tick(),
      fetch: async (_, init) =>
        Response.json(
          { echo: JSON.parse(await bodyOf(init)) },
          { status: 201, headers: { "request-id": "r1" } },
        ),
    });
    expect(await (await live(url, ask("one"))).json()).toMatchObject({ echo: { model: "m" } });
    await (await live(new Request(url, ask("two")))).text();
    await live.done();

    const replay = play(cassette);
    const second = await replay(new URL(url), ask("two"));
    expect(second.status).toBe(201);
    expect(second.url).toBe(url);
    expect(second.headers.get("request-id")).toBe("r1");
    expect(await second.json()).toMatchObject({ echo: { messages: [{ content: "two" }] } });
    expect((await replay(new Request(url, ask("one")))).ok).toBe(true);
    await replay.done();
    const kinds = (await readFile(cassette, "utf8"))
      .trim()
      .split("\n")
      .map((line) => /^\{"(_\w+)"/.exec(line)?.[1]);
    expect(kinds).toEqual([
      "_cassette",
      "_request",
      "_response",
      "_body",
      "_end",
      "_request",
      "_response",
      "_body",
      "_end",
    ]);
  });

  test("P-J5 keeps every network delivery with its time, and bytes that aren't text", async () => {
    const cassette = join(await makeDirectory(), "binary.jsonl");
    const arrow = Buffer.from("→");
    const pieces = [
      Buffer.from("data: é"),
      arrow.subarray(0, 1),
      arrow.subarray(1),
      Buffer.from("\n\n"),
    ];
    const live = record({
      cassette,
      now: tick(),
      fetch: async () => new Response(streamOf(pieces)),
    });
    await readPieces(await live(url, ask("x")));
    await live.done();

    const [exchange] = readCassette(cassette).exchanges;
    expect(exchange?.deliveries.map(({ at }) => at)).toEqual([20, 30, 40, 50]);
    expect(await readFile(cassette, "utf8")).toContain('"encoding":"base64"');
    const played = await readPieces(await play(cassette)(url, ask("x")));
    expect(played).toEqual(pieces);
  });

  test("S-framing property: any bytes in any pieces come back the same, in any re-cut", async () => {
    const directory = await makeDirectory();
    let run = 0;
    const pieces = array(uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 });
    await assert(
      asyncProperty(pieces, integer({ min: 1, max: 60 }), async (given, chunkSize) => {
        run += 1;
        const cassette = join(directory, `${run}.jsonl`);
        const live = record({ cassette, fetch: async () => new Response(streamOf(given)) });
        await readPieces(await live(url, ask("x")));
        await live.done();
        const same = await readPieces(await play(cassette)(url, ask("x")));
        expect(same).toEqual(given.map((piece) => Buffer.from(piece)));
        const recut = await readPieces(await play(cassette, { chunkSize })(url, ask("x")));
        expect(Buffer.concat(recut)).toEqual(Buffer.concat(given));
        for (const piece of recut.slice(0, -1)) expect(piece).toHaveLength(chunkSize);
      }),
      { numRuns: 60 },
    );
  });

  test("plays at the recorded pace when asked to", async () => {
    const cassette = join(await makeDirectory(), "pace.jsonl");
    const live = record({
      cassette,
      now: tick(),
      fetch: async () => new Response(streamOf(["aa", "bb", "cc"])),
    });
    await readPieces(await live(url, ask("x")));
    await live.done();
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    await readPieces(await play(cassette, { pace: "recorded", wait })(url, ask("x")));
    expect(waits).toEqual([10, 10, 10, 10, 10]);
    waits.length = 0;
    const recut = { pace: "recorded", chunkSize: 4, wait } as const;
    expect(await readPieces(await play(cassette, recut)(url, ask("x")))).toHaveLength(2);
    expect(waits).toEqual([10, 20, 10, 10]);
    waits.length = 0;
    await readPieces(await play(cassette, { wait })(url, ask("x")));
    expect(waits).toEqual([]);
  });

  test("F-V6 a broken stream replays as broken, a cancelled one never passes for whole", async () => {
    const cassette = join(await makeDirectory(), "ends.jsonl");
    const broken = new Error("other side closed");
    const live = record({
      cassette,
      fetch: async (_, init) =>
        (await bodyOf(init)).includes("break")
          ? new Response(
              new ReadableStream({
                start: (controller) => controller.enqueue(Buffer.from("half")),
                pull: (controller) =>
                  controller.error(
                    new TypeError("terminated", { cause: { code: "UND_ERR_SOCKET" } }),
                  ),
              }),
            )
          : new Response(streamOf(["one", "two", "three"])),
    });
    await expect((await live(url, ask("break"))).text()).rejects.toThrow("terminated");
    const reader = (await live(url, ask("stop"))).body?.getReader();
    await reader?.read();
    await reader?.cancel(broken);
    await live.done();

    const replay = play(cassette);
    await expect((await replay(url, ask("break"))).text()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_SOCKET" },
    });
    await expect((await replay(url, ask("stop"))).text()).rejects.toMatchObject({
      code: "cut-short",
    });
    await replay.done();
  });

  test("a failed connection replays as one", async () => {
    const cassette = join(await makeDirectory(), "failed.jsonl");
    const failure = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    const live = record({ cassette, fetch: async () => Promise.reject(failure) });
    await expect(live(url, ask("x"))).rejects.toBe(failure);
    await live.done();
    await expect(play(cassette)(url, ask("x"))).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ECONNREFUSED" },
    });
  });

  test("exchanges that run side by side stand whole, in the order of their requests", async () => {
    const cassette = join(await makeDirectory(), "parallel.jsonl");
    const live = record({ cassette, fetch: async () => new Response(streamOf(["a", "b", "c"])) });
    const responses = await Promise.all(["1", "2", "3"].map((text) => live(url, ask(text))));
    await Promise.all(responses.map(readPieces));
    await live.done();
    const { exchanges } = readCassette(cassette);
    expect(exchanges.map(({ line }) => line)).toEqual([2, 8, 14]);
  });

  test("done reads what nobody read, and refuses what is half read", async () => {
    const directory = await makeDirectory();
    const cassette = join(directory, "unread.jsonl");
    const unread = record({ cassette, fetch: answerInPieces });
    await unread(url, ask("x"));
    await unread.done();
    expect(await (await play(cassette)(url, ask("x"))).text()).toBe("abc");

    const half = record({ cassette: join(directory, "half.jsonl"), fetch: answerInPieces });
    await (await half(url, ask("x"))).body?.getReader().read();
    await expect(half.done()).rejects.toMatchObject({ code: "unfinished" });
    const none = record({ cassette: join(directory, "none.jsonl"), fetch: answerInPieces });
    await expect(none.done()).rejects.toMatchObject({ code: "unfinished" });
    expect(await readdir(directory)).toEqual(["unread.jsonl"]);
  });

  test("discard leaves the old cassette, and nothing else", async () => {
    const directory = await makeDirectory();
    const cassette = join(directory, "kept.jsonl");
    const first = record({ cassette, fetch: answerInPieces });
    await first(url, ask("x"));
    await first.done();
    const before = await readFile(cassette, "utf8");
    const second = record({ cassette, fetch: answerInPieces });
    await (await second(url, ask("y"))).body?.getReader().read();
    await second.discard();
    expect(await readFile(cassette, "utf8")).toBe(before);
    expect(await readdir(directory)).toEqual(["kept.jsonl"]);
  });

  test("F-A1 an abort ends the wait and the body, with its own reason", async () => {
    const cassette = join(await makeDirectory(), "abort.jsonl");
    const live = record({ cassette, fetch: async () => new Response(streamOf(["a", "b"])) });
    await readPieces(await live(url, ask("x")));
    await live.done();
    const abort = new AbortController();
    const response = await play(cassette)(url, { ...ask("x"), signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    abort.abort(new Error("enough"));
    await expect(reader?.read()).rejects.toThrow("enough");
    await expect(play(cassette)(url, { ...ask("x"), signal: abort.signal })).rejects.toThrow(
      "enough",
    );
  });

  test("request bodies of every kind are sent on and matched", async () => {
    const cassette = join(await makeDirectory(), "kinds.jsonl");
    const sent: string[] = [];
    const live = record({
      cassette,
      fetch: async (input, init) => {
        sent.push(await new Request(input, init).text());
        return new Response(null, { status: 204 });
      },
    });
    for (const body of bodiesOfEveryKind())
      await live(url, { method: "PUT", body, duplex: "half" } as RequestInit);
    await live.done();
    expect(sent.slice(1)).toEqual(["a=1", "blob", "stream", '{"b":1, "a":2}']);
    const replay = play(cassette);
    for (const body of bodiesOfEveryKind()) {
      const init = { method: "PUT", body, duplex: "half" } as RequestInit;
      expect((await replay(url, init)).status).toBe(204);
    }
    await replay.done();
  });
});
