import { Agent, chat, costOf, History, tool, type AgentOptions, type CacheReport } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import type { Clock } from "./world/clock.ts";

const system = "Answer briefly, and never make anything up. ".repeat(400);
const caching = ["claude-opus-5-5/low", "gpt-6-sol/low", "openai-chat:gpt-5/low"];

/** A service and an agent on one clock. */
const timed = (ref: string, more: AgentOptions = {}) => {
  const time = { ms: 0 };
  const clock: Clock = { now: () => time.ms, sleep: () => Promise.resolve() };
  const made = (options: AgentOptions = {}): Agent =>
    new Agent(ref, {
      fetch: emulator,
      apiKey: "k",
      system,
      cache: { breakpoints: true, key: "k" },
      now: () => time.ms,
      ...more,
      ...options,
    });
  const emulator = emulate({ clock });
  return { time, made };
};

const reportOf = async (agent: Agent, options = {}): Promise<CacheReport | undefined> =>
  (await agent.send("Say ok.", options)).receipt.cache;

const diagnosed: AgentOptions = { cache: { breakpoints: true, key: "k", diagnose: true } };
/** Who says why a prompt was not read from the cache, and what they call it. */
const telling = [
  ["claude-haiku-4-5/none", "system_changed", "previous_message_not_found", { system: "Hi." }],
  ["gpt-6-sol/low", "input_changed", "comparison_response_not_found", { instructions: "Hi." }],
] as const;

describe("the cache in the receipt", () => {
  it.each(caching)("R469 %s reads what was predicted", async (ref) => {
    const agent = timed(ref).made();
    expect(await reportOf(agent)).toBeUndefined();
    const report = await reportOf(agent);
    expect(report).not.toHaveProperty("miss");
    expect(report?.predicted).toBe(report?.possible);
    expect(report?.read).toBeGreaterThan((report?.predicted ?? 0) * 0.8);
  });

  it.each(caching)("R469 %s: what we changed is named, and nothing is predicted", async (ref) => {
    const changed = timed(ref).made();
    await reportOf(changed);
    const report = await reportOf(changed, { system: `${system}!` });
    expect(report?.miss).toEqual({ by: "request", reason: "system" });
    expect(report?.predicted).toBe(0);
    const { made, time } = timed(ref);
    const agent = made();
    await reportOf(agent);
    time.ms += 40 * 60_000;
    expect((await reportOf(agent))?.miss).toEqual({ by: "request", reason: "too-old" });
  });

  it.each([
    ["claude-haiku-4-5/low", "level"],
    ["openai-chat:gpt-5/low", "level"],
    ["claude-opus-5-5/low", undefined],
    ["gpt-6-sol/low", undefined],
  ])("R469 another level costs %s its cache: %s", async (ref, reason) => {
    const agent = timed(ref).made();
    await reportOf(agent);
    const report = await reportOf(agent, { level: "high" });
    expect(report?.miss?.reason).toBe(reason);
    expect(report?.predicted).toBe(reason === undefined ? report?.possible : 0);
  });

  it("R469 another model and another history are named", async () => {
    const { made } = timed("gpt-6-sol/low");
    const agent = made();
    await reportOf(agent);
    agent.use("gpt-5/low");
    expect((await reportOf(agent))?.miss?.reason).toBe("model");
    const forgetful = made({ system: undefined });
    await forgetful.send(system);
    forgetful.history = History.empty;
    expect((await reportOf(forgetful))?.miss?.reason).toBe("history");
  });

  it("R469 what the service forgets without a reason of ours is its own", async () => {
    const emulator = emulate();
    const agent = timed("gpt-6-sol/low", { fetch: emulator }).made({ fetch: emulator });
    await reportOf(agent);
    emulator.reset();
    expect((await reportOf(agent))?.miss).toEqual({ by: "service", reason: "unexplained" });
  });

  it.each(telling)("R469 %s is asked for its own reason: %s", async (ref, word, lost, extra) => {
    const tools = [tool({ name: "look", input: { type: "object" }, run: () => "" })];
    let offered = tools.slice(1);
    const emulator = emulate();
    const options = { ...diagnosed, system: undefined, fetch: emulator };
    const agent = timed(ref, { ...options, tools: () => offered }).made();
    await agent.send(system);
    expect(await reportOf(agent)).not.toHaveProperty("miss");
    offered = tools;
    const ours = { by: "request", reason: "tools", said: "tools_changed" };
    expect((await reportOf(agent))?.miss).toEqual(ours);
    expect((await reportOf(agent, { extra }))?.miss).toEqual({ by: "service", reason: word });
    emulator.reset();
    expect((await reportOf(agent, { extra }))?.miss?.reason).toBe(lost);
  });

  it("R469 one request names the answer to compare with", async () => {
    const fetch = emulate();
    const messages = [{ role: "user", parts: [{ type: "text", text: "Say ok." }] }] as const;
    for (const [ref] of telling) {
      const options = { fetch, apiKey: "k" };
      const { id } = await chat(ref, { messages, system, cache: { diagnose: true } }, options);
      const changed = { messages, system: "Hi.", cache: { diagnose: id } };
      const { receipt } = await chat(ref, changed, options);
      expect(receipt.reported).toMatchObject([{ type: "cache_miss" }]);
    }
  });

  it("R470 a breakpoint of an hour outlives twenty minutes, and its price is known", async () => {
    const { made, time } = timed("claude-opus-5-5/low", { cache: { breakpoints: "1h" } });
    const agent = made();
    const { usage, receipt, cost } = await agent.send("Say ok.");
    expect(usage.cacheWriteHour).toBeGreaterThan(1000);
    const { cacheWriteHour: _, ...fiveMinutes } = receipt.usage ?? {};
    const cheaper = costOf(fiveMinutes, agent.target.model);
    expect(cost?.cacheWrite).toBeCloseTo((cheaper?.cacheWrite ?? 0) * 1.6, 8);
    time.ms += 20 * 60_000;
    expect(await reportOf(agent)).not.toHaveProperty("miss");
  });

  it("R470 any other time is refused before anything is sent", () => {
    const cache: object = { breakpoints: "2h" };
    expect(() => new Agent("claude-opus-5-5", { cache })).toThrow(/cache\.breakpoints.*1h/);
  });
});
