import { createMemoryData, memoryStore } from "@mull/store";
import { tool } from "mull";
import { describe, expect, it } from "vitest";
import type { Upstream } from "./parts.ts";
import { hungryService } from "./testing/hungry-service.ts";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, type TestServer, type Visitor } from "./testing/test-server.ts";

const look = tool({ name: "look", run: async () => "found" });

const spentBy = async (visitor: Visitor): Promise<number> =>
  (await visitor.json<{ cost: number }>("GET", "/api/usage")).cost;

/** Asks in this many conversations at once; resolves when all answers are over. */
const askAtOnce = async (
  one: Visitor,
  other: Visitor,
  count: number,
): Promise<readonly { readonly status: number; readonly text: string }[]> => {
  const ids = await Promise.all(Array.from({ length: count }, () => one.newConversation()));
  return Promise.all(
    ids.map(async (id, nth) => {
      const response = await (nth % 2 === 0 ? one : other).ask(id, { text: "Look." });
      return { status: response.status, text: await response.text() };
    }),
  );
};

describe("a limit of a dollar a day", () => {
  it("F-W17: holds for one turn that loops: its caps shrink, and it ends with the reason", async () => {
    const { upstream, caps } = hungryService({ loops: true });
    const server = testServer({ upstream, tools: [look], limits: { dollarsPerDay: 1 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("claude-haiku-4-5/none");
    const chunks = await ann.askWhole(id, "Look.");
    const cost = await spentBy(ann);
    expect(cost).toBeGreaterThan(0.9);
    expect(cost).toBeLessThanOrEqual(1);
    expect(caps.length).toBeGreaterThan(2);
    expect(Math.min(...caps)).toBeLessThan(Math.max(...caps));
    expect(JSON.stringify(chunks.at(-1))).toMatch(
      /You spent \$(0\.9\d|1\.00) of \$1\.00 in 24 hours/,
    );
    expect(JSON.stringify(chunks.at(-1))).toContain('"reason":"budget"');
    const { turns } = await ann.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["done"]);
  });

  it("F-W17: holds for fifty questions at once; those without room say why", async () => {
    const { upstream } = hungryService({ loops: false });
    const limits = { dollarsPerDay: 1, turnsPerUser: 100 };
    const server = testServer({ upstream, tools: [], limits });
    const ann = await server.signedUp("ann");
    const answers = await askAtOnce(ann, ann, 50);
    const cost = await spentBy(ann);
    expect(cost).toBeGreaterThan(0.5);
    expect(cost).toBeLessThanOrEqual(1);
    const refused = answers.filter(({ text }) => text.includes("in 24 hours"));
    expect(refused.length).toBeGreaterThan(40);
  });

  it("F-W17: holds for two processes on one store, as do turns at a time", async () => {
    const data = createMemoryData();
    const { upstream } = hungryService({ loops: true });
    const limits = { dollarsPerDay: 1, turnsPerUser: 3 };
    const start = (): TestServer =>
      testServer({ upstream, tools: [look], limits, keptStore: memoryStore({ data }) });
    const [one, two] = [start(), start()];
    const ann = await one.signedUp("ann");
    const there = two.visitor();
    there.cookie = ann.cookie;
    const answers = await askAtOnce(ann, there, 8);
    expect(await spentBy(ann)).toBeLessThanOrEqual(1);
    const running = answers.filter(({ status }) => status === 200);
    expect(running.length).toBeGreaterThanOrEqual(3);
    expect(answers.filter(({ status }) => status === 429).length).toBe(8 - running.length);
  });

  it("F-W17: holds where a dearer model answers for one that fails", async () => {
    const { upstream, caps } = hungryService({ loops: false });
    const hungry = upstream();
    const broke = { type: "billing_error", message: "Your credit balance is too low." };
    const picky: Upstream = {
      ...hungry,
      fetch: async (url, init) =>
        (init.body as string).includes("haiku")
          ? Response.json({ type: "error", error: broke }, { status: 400 })
          : hungry.fetch!(url, init),
    };
    const server = testServer({
      tools: [],
      fallback: ["claude-opus-5-5"],
      limits: { dollarsPerDay: 0.2 },
      upstream: () => picky,
    });
    const ann = await server.signedUp("ann");
    const chunks = await ann.askWhole(await ann.newConversation("claude-haiku-4-5/none"), "Well?");
    expect(chunks.map(({ type }) => type)).toContain("data-mull-fallback");
    expect(caps).toHaveLength(1);
    const cost = await spentBy(ann);
    expect(cost).toBeGreaterThan(0.1);
    expect(cost).toBeLessThanOrEqual(0.2);
  });

  it("F-W17: a step without room for its level is refused, and a lower level fits", async () => {
    const { upstream } = hungryService({ loops: false });
    const server = testServer({ upstream, tools: [], limits: { dollarsPerDay: 0.1 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5");
    const response = await ann.ask(id, { text: "Well?", level: "max" });
    const last = readChunks(await response.text()).at(-1)!;
    expect(last["errorText"]).toMatch(/the next step may take \$\d\.\d\d or more/);
    expect(await spentBy(ann)).toBe(0);
    const whole = await ann.ask(await ann.newConversation(), { text: "Well?", level: "none" });
    expect(readChunks(await whole.text()).at(-1)?.type).toBe("finish");
    const cost = await spentBy(ann);
    expect(cost).toBeGreaterThan(0.05);
    expect(cost).toBeLessThanOrEqual(0.1);
  });
});

const guess = async (server: TestServer): Promise<number> => {
  const body = { name: "ann", password: "wrong wrong" };
  return (await server.visitor().call("POST", "/api/account/sign-in", body)).status;
};

describe("turns at a time", () => {
  it("F-W17: count as long as they run, also where a day has no limit", async () => {
    const time = { at: Date.now() };
    const now = (): number => time.at;
    const { clock, letGo } = standingClock();
    const server = testServer({
      now,
      keptStore: memoryStore({ now }),
      emulator: { faults: "pace=5", clock },
      limits: { tokensPerDay: 0, dollarsPerDay: 0, turnsPerUser: 1 },
    });
    const ann = await server.signedUp("ann");
    const [id, other] = [await ann.newConversation(), await ann.newConversation()];
    const running = await ann.ask(id, { text: "What is 2 + 2?" });
    time.at += 20 * 60_000;
    expect((await ann.ask(other, { text: "And 3 + 3?" })).status).toBe(429);
    letGo();
    await running.text();
    expect((await ann.askWhole(other, "And 3 + 3?")).at(-1)?.type).toBe("finish");
  });
});

describe("requests and guesses of two processes", () => {
  it("F-W17: share one rate", async () => {
    const data = createMemoryData();
    const at = Date.now();
    const now = (): number => at;
    const limits = { requestsPerSecond: 20, requestBurst: 100 };
    const start = (): TestServer =>
      testServer({ now, limits, isShared: true, keptStore: memoryStore({ data, now }) });
    const [one, two] = [start(), start()];
    const ann = await one.signedUp("ann");
    const there = two.visitor();
    there.cookie = ann.cookie;
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async (_, nth) => {
        const asked = nth % 2 === 0 ? ann : there;
        return (await asked.call("GET", "/api/account")).status;
      }),
    );
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(90);
    expect(served).toBeLessThanOrEqual(100);
  });

  it("F-W3: share what is left to try, also after a restart", async () => {
    const data = createMemoryData();
    const start = (): TestServer =>
      testServer({ keptStore: memoryStore({ data }), limits: { attemptsPerAddress: 6 } });
    const [one, two] = [start(), start()];
    await one.signedUp("ann");
    const statuses: number[] = [];
    for (let round = 0; round < 8; round++) statuses.push(await guess(round % 2 === 0 ? one : two));
    expect(statuses.filter((status) => status !== 429)).toHaveLength(5);
    expect(await guess(start())).toBe(429);
  });
});
