import { createMemoryData, memoryStore } from "@mull/store";
import { describe, expect, it } from "vitest";
import { createBuckets } from "./limits/buckets.ts";
import { hungryService } from "./testing/hungry-service.ts";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer } from "./testing/test-server.ts";

describe("limits", () => {
  it("F-W17: one user runs a few turns at a time; another is not affected", async () => {
    const { clock } = standingClock();
    const emulator = { faults: "pace=5", clock };
    const server = testServer({ emulator, limits: { turnsPerUser: 3 } });
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    const ids = await Promise.all(Array.from({ length: 50 }, () => ann.newConversation()));
    const answers = [];
    for (const id of ids) answers.push(await ann.ask(id, { text: "What is 2 + 2?" }));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await bob.ask(await bob.newConversation(), { text: "What is 2 + 2?" })).status).toBe(
      200,
    );
  });

  it("F-W17: turns that are begun at the same moment are counted before they run", async () => {
    const { clock } = standingClock();
    const emulator = { faults: "pace=5", clock };
    const server = testServer({ emulator, limits: { turnsPerUser: 3 } });
    const ann = await server.signedUp("ann");
    const ids = await Promise.all(Array.from({ length: 12 }, () => ann.newConversation()));
    const answers = await Promise.all(ids.map((id) => ann.ask(id, { text: "What is 2 + 2?" })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(9);
  });

  it("F-W17: a thousand requests at once get 429; another user does not", async () => {
    const at = Date.now();
    const server = testServer({
      now: () => at,
      limits: { requestsPerSecond: 20, requestBurst: 100 },
    });
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async () => (await ann.call("GET", "/api/account")).status),
    );
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(99);
    expect(served).toBeLessThanOrEqual(100);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await bob.call("GET", "/api/account")).status).toBe(200);
  });

  it("F-W17: the store is asked who asks and how often they may at the same time", async () => {
    const clock = { at: Date.now() };
    const store = memoryStore();
    let hasDrawn: (() => void) | undefined;
    let drawn = Promise.resolve();
    const server = testServer({
      now: () => clock.at,
      isShared: true,
      keptStore: {
        ...store,
        findSession: async (name) => {
          await drawn;
          return store.findSession(name);
        },
        takeFrom: async (bucket, most) => {
          hasDrawn?.();
          return store.takeFrom(bucket, most);
        },
      },
    });
    const ann = await server.signedUp("ann");
    await ann.json("GET", "/api/account");
    // By now, what was drawn for her is given up.
    clock.at += 5000;
    drawn = new Promise((resolve) => (hasDrawn = resolve));
    expect(await ann.json("GET", "/api/account")).toMatchObject({ name: "ann" });
    await ann.call("POST", "/api/account/sign-out");
    expect((await ann.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W17: tokens and dollars of a day run out, with the reason, and come back", async () => {
    const clock = { at: Date.now() };
    const now = (): number => clock.at;
    const server = testServer({
      now,
      keptStore: memoryStore({ now }),
      tools: [],
      upstream: hungryService({ loops: false, input: 2000 }).upstream,
      limits: { tokensPerDay: 3000 },
    });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5/none");
    // The service counts the question higher than the estimate did.
    await ann.askWhole(id, "What is 23 * 47?");
    const refused = await ann.ask(id, { text: "And 24 * 48?" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(await refused.text()).toMatch(
      /You used \d,\d+ tokens of 3,000 tokens in 24 hours, the limit here/,
    );
    const usage = await ann.json<{ turns: number; tokens: number; cost: number }>(
      "GET",
      "/api/usage",
    );
    expect(usage.turns).toBe(1);
    expect(usage.tokens).toBeGreaterThan(3000);
    expect(usage.cost).toBeGreaterThan(0);
    clock.at += 25 * 60 * 60_000;
    expect((await ann.askWhole(id, "And 24 * 48?")).at(-1)?.type).toBe("finish");
  });

  it("F-W16: readers beyond the limit get 503 with a wait, and room is given back", async () => {
    const { clock, letGo } = standingClock();
    const server = testServer({ emulator: { faults: "pace=5", clock }, limits: { readers: 3 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const first = await ann.ask(id, { text: "What is 2 + 2?" });
    const more = await Promise.all([1, 2].map(() => ann.call("GET", `/api/chat/${id}/stream`)));
    const refused = await ann.call("GET", `/api/chat/${id}/stream`);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await more.at(0)?.body?.cancel();
    expect((await ann.call("GET", `/api/chat/${id}/stream`)).status).toBe(200);
    letGo();
    await first.text();
  });

  it("a turn that takes too long is ended, kept, and says why", async () => {
    const server = testServer({ emulator: { faults: "pace=50" }, limits: { turnMs: 150 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "What is 23 * 47?" });
    const last = readChunks(await response.text()).at(-1)!;
    expect(last["errorText"]).toMatch(/took longer than/);
    const { turns } = await ann.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["failed"]);
  });

  it("buckets refill with time and hold a bounded number of names", () => {
    const clock = { at: 0 };
    const buckets = createBuckets({ size: 2, refillMs: 100, now: () => clock.at, keys: 10 });
    expect([buckets.take("a"), buckets.take("a"), buckets.take("a")]).toEqual([0, 0, 100]);
    clock.at = 100;
    expect(buckets.take("a")).toBe(0);
    for (let n = 0; n < 20; n++) buckets.take(`name ${n}`);
    expect(buckets.take("a")).toBe(0);
  });
});

const said = (text: string): object => ({ role: "user", parts: [{ type: "text", text }] });
const fileOf = (count: number, text = "hi"): object => ({
  messages: Array.from({ length: count }, () => said(text)),
});

describe("F-W17: imports", () => {
  const path = "/api/conversations/import";

  it.each([
    ["files", { importsPerDay: 2 }, fileOf(1), /room for 2 imported files in 24 hours/],
    ["messages", { importedMessagesPerDay: 8 }, fileOf(4), /room for 8 imported messages/],
    [
      "bytes",
      { importedBytesPerDay: 2500 },
      fileOf(1, "x".repeat(1000)),
      /room for 2,500 imported bytes/,
    ],
  ])("F-W17: one user has so many %s a day, others have theirs", async (_, limits, file, words) => {
    const server = testServer({ limits });
    const [ann, bob] = [await server.signedUp("ann"), await server.signedUp("bob")];
    const length = { "content-length": String(JSON.stringify(file).length) };
    const load = (who: typeof ann): Promise<Response> => who.call("POST", path, file, length);
    expect([(await load(ann)).status, (await load(ann)).status]).toEqual([201, 201]);
    const refused = await load(ann);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringMatching(words)]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await load(bob)).status).toBe(201);
  });

  it("F-W17: what is more than a day's is refused as too large, and takes nothing", async () => {
    const server = testServer({ limits: { importedMessagesPerDay: 3, importsPerDay: 1 } });
    const ann = await server.signedUp("ann");
    const refused = await ann.call("POST", path, fileOf(4));
    expect([refused.status, await refused.text()]).toEqual([
      413,
      expect.stringContaining("The conversation has 4 messages"),
    ]);
    expect((await ann.call("POST", path, fileOf(3))).status).toBe(201);
  });
});

describe("F-W18: secrets", () => {
  it("F-W18: a key that the service echoes is in no answer, log or row", async () => {
    const key = ["sk", "ant", "probe", "0123456789abcdef"].join("-");
    const data = createMemoryData();
    const server = testServer({
      keptStore: memoryStore({ data }),
      secrets: [key],
      upstream: () => ({
        env: { ANTHROPIC_API_KEY: key },
        isSimulated: false,
        fetch: async (_, init) => {
          const headers = JSON.stringify(Object.fromEntries(new Headers(init.headers)));
          const error = { type: "authentication_error", message: `invalid x-api-key: ${headers}` };
          return Response.json({ type: "error", error }, { status: 401 });
        },
      }),
    });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "hello" });
    const seen = await response.text();
    expect(readChunks(seen).at(-1)?.type).toBe("error");
    const pages = await Promise.all(
      ["messages", "turns", "export", "inspect"].map(async (page) =>
        (await ann.call("GET", `/api/conversations/${id}/${page}`)).text(),
      ),
    );
    const everything = JSON.stringify([
      seen,
      pages,
      server.logs,
      [...data.turns],
      [...data.conversations],
      await (await ann.call("GET", "/metrics")).text(),
    ]);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(Buffer.from(key).toString("base64"));
  });

  it("F-W18: an exception with a request inside becomes a plain 500 and a scrubbed log line", async () => {
    const key = ["sk", "ant", "probe", "fedcba9876543210"].join("-");
    const store = memoryStore();
    const server = testServer({
      secrets: [key],
      keptStore: {
        ...store,
        listConversations: () => Promise.reject(new Error(`headers: x-api-key: ${key}`)),
      },
    });
    const ann = await server.signedUp("ann");
    const response = await ann.call("GET", "/api/conversations");
    expect(response.status).toBe(500);
    const everything = (await response.text()) + JSON.stringify(server.logs);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain("cookie");
  });

  it("logs hold ids, route, status and times, and no text of a conversation", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    await ann.askWhole("x", "my secret plan is 23 * 47");
    const logs = JSON.stringify(server.logs);
    expect(logs).not.toContain("secret plan");
    expect(logs).not.toContain("correct horse");
    expect(server.logs.find(({ event }) => event === "request")).toMatchObject({
      method: "POST",
      route: "/api/account/sign-up",
      status: 201,
    });
  });
});
