import { createMemoryData, type MemoryData, memoryStore } from "@mull/store";
import { describe, expect, it } from "vitest";
import { standingClock } from "./testing/standing-clock.ts";
import {
  isWhole,
  readChunks,
  testServer,
  textIn,
  type Chunk,
  type Visitor,
} from "./testing/test-server.ts";

/** A block's deltas joined, without numbers: what two ways of reading must agree on. */
const joined = (chunks: readonly Chunk[]): readonly Chunk[] => {
  const out: Chunk[] = [];
  for (const { at: _, ...chunk } of chunks) {
    const last = out.at(-1);
    const isSame = last !== undefined && last.type === chunk.type && last["id"] === chunk["id"];
    if (isSame && typeof chunk["delta"] === "string") {
      out[out.length - 1] = { ...last, delta: String(last["delta"]) + chunk["delta"] };
    } else out.push(chunk);
  }
  return out;
};

/** Receipts are sent once; a turn that is read back has what the store keeps of them. */
const withoutRaw = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.map((chunk) =>
    chunk.type === "data-receipt" || chunk["messageMetadata"] !== undefined
      ? { type: chunk.type }
      : chunk,
  );

const rest = async (visitor: Visitor, id: string, after: number): Promise<readonly Chunk[]> => {
  const response = await visitor.call("GET", `/api/chat/${id}/stream?after=${after}`);
  const stream = await response.text();
  expect(isWhole(stream)).toBe(true);
  return readChunks(stream);
};

interface Elsewhere {
  readonly data: MemoryData;
  readonly ann: Visitor;
  readonly id: string;
  readonly response: Response;
}

/** A slow turn on a server of its own, with a store that others can read. */
async function startedElsewhere(text: string): Promise<Elsewhere> {
  const data = createMemoryData();
  const keptStore = memoryStore({ data, owner: "one" });
  const ann = await testServer({ keptStore, emulator: { faults: "pace=20" } }).signedUp("ann");
  const id = await ann.newConversation();
  return { data, ann, id, response: await ann.ask(id, { text }) };
}

/** The time after which leases have expired. */
const later = (): number => Date.now() + 60_000;

describe("F-W14: reading on after a lost connection", () => {
  it("F-W14: cut at every event while the turn runs, the pieces joined are the whole", async () => {
    const server = testServer({ emulator: { faults: "pace=1" } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    const others = new Map<number, Promise<readonly Chunk[]>>();
    let stream = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      stream += piece;
      const last = readChunks(stream.slice(0, stream.lastIndexOf("\n\n"))).at(-1)?.at;
      if (last !== undefined) others.set(last, rest(ann, id, last));
    }
    const whole = readChunks(stream);
    expect(others.size).toBeGreaterThan(0);
    for (const [after, reading] of others) {
      const seen = whole.filter((chunk) => chunk.at! <= after);
      expect(joined([...seen, ...(await reading)])).toEqual(joined(whole));
    }
    for (const { at } of whole.slice(0, -1)) {
      const seen = whole.filter((chunk) => chunk.at! <= at!);
      expect(joined([...seen, ...(await rest(ann, id, at!))])).toEqual(joined(whole));
    }
  });

  it("F-W14: a place inside a piece of text gives the rest of it", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const whole = await ann.askWhole(id, "What is 23 * 47?");
    const text = textIn(whole);
    const end = whole.findLast((chunk) => chunk.type === "text-delta")!.at!;
    for (let back = 1; back < text.length; back += 7) {
      expect(textIn(await rest(ann, id, end - back))).toBe(text.slice(-back));
    }
  });

  it("F-W14: after a restart the stored turn goes on at the same numbers", async () => {
    const data = createMemoryData();
    const first = testServer({ keptStore: memoryStore({ data }) });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    const whole = await ann.askWhole(id, "okay - what's going on in the markets today?");
    const second = testServer({ keptStore: memoryStore({ data }) });
    const again = second.visitor();
    again.cookie = ann.cookie;
    for (const { at } of [{ at: 0 }, ...whole.slice(0, -1)]) {
      const seen = whole.filter((chunk) => chunk.at! <= at!);
      const pieces = joined([...seen, ...(await rest(again, id, at!))]);
      expect(withoutRaw(pieces)).toEqual(withoutRaw(joined(whole)));
    }
  });

  it.each(["gpt-6-sol", "gemini-3.8-flash", "openai-chat:gpt-5", "claude-opus-5-5"])(
    "F-W14: a stored turn of %s has the numbers it had live",
    async (model) => {
      const data = createMemoryData();
      const first = testServer({ keptStore: memoryStore({ data }) });
      const ann = await first.signedUp("ann");
      const id = await ann.newConversation();
      const live = await ann.askWhole(id, "Search the web for the bitcoin price", model);
      const second = testServer({ keptStore: memoryStore({ data }) });
      const again = second.visitor();
      again.cookie = ann.cookie;
      const stored = await rest(again, id, 0);
      expect(stored.at(-1)!.at).toBe(live.at(-1)!.at);
      expect(withoutRaw(joined(stored))).toEqual(withoutRaw(joined(live)));
    },
  );

  it("F-W14: a second tab reads the same stream from the start", async () => {
    const { clock, letGo } = standingClock();
    const server = testServer({ emulator: { faults: "pace=1", clock } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const first = await ann.ask(id, { text: "What is 23 * 47?" });
    const second = await ann.call("GET", `/api/chat/${id}/stream`);
    expect(second.status).toBe(200);
    letGo();
    const [a, b] = await Promise.all([first.text(), second.text()]);
    expect(joined(readChunks(b))).toEqual(joined(readChunks(a)));
  });

  it("F-W14: Last-Event-ID is a number too; without one and without a turn there is nothing", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    expect((await ann.call("GET", `/api/chat/${id}/stream`)).status).toBe(204);
    const whole = await ann.askWhole(id, "What is 23 * 47?");
    expect((await ann.call("GET", `/api/chat/${id}/stream`)).status).toBe(204);
    const last = whole.at(-2)!.at!;
    const headers = { "last-event-id": String(last) };
    const response = await ann.call("GET", `/api/chat/${id}/stream`, undefined, headers);
    expect(readChunks(await response.text())).toEqual(whole.slice(-1));
  });

  it("F-W14: a number ahead of the turn gives all of it, live, ended and read from the store", async () => {
    const data = createMemoryData();
    const { clock, letGo } = standingClock();
    const server = testServer({
      keptStore: memoryStore({ data }),
      emulator: { faults: "pace=1", clock },
    });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const first = await ann.ask(id, { text: "What is 23 * 47?" });
    const ahead = await ann.call("GET", `/api/chat/${id}/stream`, undefined, {
      "last-event-id": "100000",
    });
    letGo();
    const whole = readChunks(await first.text());
    expect(joined(readChunks(await ahead.text()))).toEqual(joined(whole));
    expect(joined(await rest(ann, id, 100_000))).toEqual(joined(whole));
    const again = testServer({ keptStore: memoryStore({ data }) }).visitor();
    again.cookie = ann.cookie;
    expect(withoutRaw(joined(await rest(again, id, 100_000)))).toEqual(withoutRaw(joined(whole)));
    // A reader who has read to the end gets nothing twice.
    expect(await rest(again, id, whole.at(-1)!.at!)).toEqual([]);
  });

  it("F-D6: a turn that another process runs is read block by block, to its end", async () => {
    const data = createMemoryData();
    const { clock, letGo } = standingClock();
    const first = testServer({
      keptStore: memoryStore({ data, owner: "one" }),
      emulator: { faults: "pace=3", clock },
    });
    const second = testServer({ keptStore: memoryStore({ data, owner: "two" }) });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    const live = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    const there = second.visitor();
    there.cookie = ann.cookie;
    const follow = await there.call("GET", `/api/chat/${id}/stream`);
    letGo();
    const [a, b] = await Promise.all([live.text(), follow.text()]);
    expect(textIn(readChunks(b))).toBe(textIn(readChunks(a)));
    expect(readChunks(b).at(-1)!.at).toBe(readChunks(a).at(-1)!.at);
  });

  it.each(["after the turn was ended", "while nobody knows that it is dead"])(
    "F-W14: a reader who was told more than a dead server stored hears of the cut, %s",
    async (when) => {
      const { data, ann, id, response } = await startedElsewhere(
        "okay - what's going on in the markets today?",
      );
      const live = response.body!.getReader();
      await live.read();
      const second = testServer({ keptStore: memoryStore({ data, owner: "two", now: later }) });
      const again = second.visitor();
      again.cookie = ann.cookie;
      const recover = (): Promise<unknown> => second.store.recoverTurns();
      if (when.startsWith("after")) await recover();
      const reading = [1000, 100_000].map((after) => rest(again, id, after));
      await recover();
      for (const [index, after] of [1000, 100_000].entries()) {
        expect(await reading[index]).toEqual([
          { type: "abort", reason: "interrupted", at: after + 1 },
        ]);
      }
      const stored = await rest(again, id, 0);
      expect(stored.at(-1)!.type).toBe("abort");
      // The stored text may happen to end where the reader is.
      const last = stored.at(-1)!.at!;
      expect(await rest(again, id, last)).toEqual([{ ...stored.at(-1)!, at: last + 1 }]);
      await live.cancel();
    },
  );

  it("F-D7: a store that fails while a turn is followed breaks the line, and does not end it", async () => {
    const { data, ann, id, response } = await startedElsewhere("What is 23 * 47?");
    const store = memoryStore({ data, owner: "two" });
    const failing = { ...store, readNews: () => Promise.reject(new Error("gone")) };
    const there = testServer({ keptStore: failing }).visitor();
    there.cookie = ann.cookie;
    const follow = await there.call("GET", `/api/chat/${id}/stream`);
    await expect(follow.text()).rejects.toThrow("gone");
    await response.text();
  });

  it("F-W13: a closed connection is not a stop; the turn is stored whole", async () => {
    const { clock, letGo } = standingClock();
    const server = testServer({ emulator: { faults: "pace=2", clock } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "What is 23 * 47?" });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const again = await ann.call("GET", `/api/chat/${id}/stream`);
    letGo();
    const chunks = readChunks(await again.text());
    expect(textIn(chunks)).toContain("1,081");
    const { turns } = await ann.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["done"]);
  });

  it("F-W13: stop ends it at once, twice and after the end are fine, and it can go on", async () => {
    const server = testServer({ emulator: { faults: "pace=100" } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "What is 23 * 47?" });
    const reader = response.body!.getReader();
    for (let i = 0; i < 3; i++) await reader.read();
    const stopped = await ann.json<{ turn: { state: string } }>("POST", `/api/chat/${id}/stop`);
    expect(stopped.turn.state).toBe("stopped");
    expect(await ann.json("POST", `/api/chat/${id}/stop`)).toEqual({ turn: null });
    expect(await ann.json("POST", `/api/chat/${id}/stop`)).toEqual({ turn: null });
    const seen = await ann.json<{ messages: { parts: { type: string; text?: string }[] }[] }>(
      "GET",
      `/api/conversations/${id}/messages`,
    );
    expect(seen.messages).toHaveLength(2);
    server.emulator.reset();
    const next = await ann.call("POST", `/api/chat/${id}/continue`, {});
    expect(readChunks(await next.text()).at(-1)!.type).toBe("finish");
  });
});
