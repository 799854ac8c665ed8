import { createMemoryData, memoryStore, type MemoryData } from "@mull/store";
import type { Fetch } from "mull";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createRevocations } from "../accounts/revocations.ts";
import { readChunks, testServer, type TestServer, type Visitor } from "../testing/test-server.ts";
import { noEvents } from "../live/live-events.ts";
import { keepTurns } from "./keep-turns.ts";

afterEach(() => void vi.useRealTimers());

/** A service that says nothing until it is released. */
const silent: Fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(new Error("let go")));
  });

it("F-D6: a conversation deleted in another process ends its turn, and others still hear stops", async () => {
  const parts = {
    keptStore: memoryStore(),
    isShared: true,
    upstream: () => ({ fetch: silent, env: {}, apiKey: "simulated", isSimulated: true }),
  };
  const [one, two] = [testServer(parts), testServer(parts)];
  const ann = await one.signedUp("ann");
  const there = two.visitor();
  there.cookie = ann.cookie;
  const [deleted, stopped] = [await ann.newConversation(), await ann.newConversation()];
  const streams = [
    await ann.ask(deleted, { text: "What is 1 + 1?" }),
    await ann.ask(stopped, { text: "What is 2 + 2?" }),
  ];
  await there.call("DELETE", `/api/conversations/${deleted}`);
  await there.json("POST", `/api/chat/${stopped}/stop`);
  const ends = streams.map(async (stream) => readChunks(await stream.text()).at(-1)?.type);
  expect(await Promise.all(ends)).toEqual(["abort", "abort"]);
});

const begun = async (): Promise<{
  readonly stream: Response;
  readonly data: MemoryData;
  readonly ann: Visitor;
  readonly there: Visitor;
}> => {
  const data = createMemoryData();
  const parts = {
    isShared: true,
    upstream: () => ({ fetch: silent, env: {}, apiKey: "simulated", isSimulated: true }),
  };
  const server = (): TestServer => testServer({ ...parts, keptStore: memoryStore({ data }) });
  const [one, two] = [server(), server()];
  const ann = await one.signedUp("ann");
  const there = two.visitor();
  there.cookie = ann.cookie;
  const conversation = await ann.newConversation();
  const stream = await ann.ask(conversation, { text: "What is 1 + 1?" });
  return { stream, data, ann, there };
};

describe("F-W22: a stream ends with the session it was begun in", () => {
  it("signed out in another process", async () => {
    const { stream, there } = await begun();
    await there.call("POST", "/api/account/sign-out");
    const said = readChunks(await stream.text());
    expect(said.map(({ type }) => type)).not.toContain("finish");
  });

  it("with a new password, set elsewhere", async () => {
    const { stream, there } = await begun();
    const password = { current: "correct horse", next: "correct horse too" };
    await there.json("POST", "/api/account/password", password);
    await stream.text();
    expect((await there.call("GET", "/api/account")).status).toBe(200);
  });

  it("and the turn of an account that is gone stops", async () => {
    const { stream, data } = await begun();
    data.accounts.clear();
    const ends = readChunks(await stream.text()).at(-1);
    expect(ends?.type).toBe("abort");
  });
});

/** Keeps the turns of a store whose database can be away. */
function keepAway(): {
  readonly database: { isAway: boolean; recoveries: number };
  readonly logs: readonly unknown[];
  readonly stop: () => void;
} {
  const logs: unknown[] = [];
  const database = { isAway: false, recoveries: 0 };
  const renewLeases = async (): Promise<number> => {
    if (database.isAway) throw new Error("The database cannot be reached.");
    return 0;
  };
  const recoverTurns = async (): Promise<readonly []> => {
    database.recoveries++;
    return [];
  };
  const store = { ...memoryStore(), renewLeases, recoverTurns };
  const { stop } = keepTurns({
    store: async () => store,
    log: (entry: unknown) => logs.push(entry),
    scrub: (text: string) => text,
    turns: { tidy: async () => undefined, running: () => [], findLocal: () => undefined },
    events: noEvents,
    revocations: createRevocations({ store: async () => store, running: () => [] }),
    parts: {},
  });
  return { database, logs, stop };
}

it("F-D7: a database that is away is said once, and that it is back", async () => {
  vi.useFakeTimers();
  const { database, logs, stop } = keepAway();
  for (const away of [false, true, false]) {
    database.isAway = away;
    await vi.advanceTimersByTimeAsync(10_000);
  }
  stop();
  expect(logs).toEqual([
    { event: "keep-trouble", error: "Error: The database cannot be reached." },
    { event: "keep-well" },
  ]);
});

it("F-D7: when a database is back, others may renew their leases before their turns are ended", async () => {
  vi.useFakeTimers();
  const { database, stop } = keepAway();
  await vi.advanceTimersByTimeAsync(5000);
  expect(database.recoveries).toBeGreaterThan(3);
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(20_000);
  database.isAway = false;
  database.recoveries = 0;
  await vi.advanceTimersByTimeAsync(8000);
  expect(database.recoveries).toBe(0);
  await vi.advanceTimersByTimeAsync(5000);
  expect(database.recoveries).toBeGreaterThan(0);
  stop();
});
