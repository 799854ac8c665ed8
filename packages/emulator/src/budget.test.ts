import { Agent, createBudget, tool, type AgentOptions, type Budget, type BudgetLimits } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls, says } from "./script/actions.ts";
import { script } from "./script/script.ts";

const models = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "gemini-3.8-flash/low",
  "openai-chat:gpt-5/low",
];

const look = tool({ name: "look", input: { type: "object" }, run: () => "seen" });

/** A model that never stops calling its tool. */
const looping = (model: string, options: AgentOptions) => {
  const emulator = emulate({ scripts: [{ turns: [[calls("look")]], repeat: true }] });
  const agent = new Agent(model, {
    fetch: emulator,
    apiKey: "k",
    tools: [look],
    maxOutputTokens: 2000,
    maxSteps: 30,
    ...options,
  });
  return { emulator, agent };
};

/** What a request may cost at most, as its refusal says. */
const mostFor = async (breakpoints: boolean | "1h"): Promise<number> => {
  const options = { budget: { dollars: 1e-9 }, cache: { breakpoints } };
  const { agent } = looping("claude-opus-5-5/low", { ...options, system: "So. ".repeat(9000) });
  const refusal = await agent.send("Look").then(() => "", String);
  return Number(/up to \$([\d.]+)/.exec(refusal)?.[1]);
};

/** Tokens that a request may take at most, as its refusal says. */
const mostTokens = async (serviceCompactsAt?: number): Promise<number> => {
  const budget = { tokens: 1 };
  const { agent } = looping("gpt-6-sol/low", { budget, serviceCompactsAt });
  const refusal = await agent.send("Look. ".repeat(400)).then(() => "", String);
  expect(refusal).toContain("with 10,192 tokens of thinking and output");
  return Number(/up to ([\d,]+) tokens/.exec(refusal)?.[1]?.replace(",", ""));
};

const never = (): Promise<Response> => new Promise(() => undefined);

describe("a budget", () => {
  it.each(models)("R459 of dollars ends the loop of %s before it is exceeded", async (model) => {
    const free = await looping(model, { maxSteps: 1 }).agent.send("Look");
    const planned = await looping(model, { budget: { dollars: 1e-9 } })
      .agent.send("Look")
      .then(() => "", String);
    const most = Number(/up to \$([\d.]+)/.exec(planned)?.[1]);
    const dollars = most + (free.cost?.total ?? 0) * 2.5;
    const { agent, emulator } = looping(model, { budget: { dollars } });
    const result = await agent.send("Look");
    expect(result.finish).toMatchObject({ reason: "budget", note: /^budget\.dollars: .*are left/ });
    expect(result.cost?.total).toBeLessThanOrEqual(dollars);
    expect(result.receipts.length).toBeGreaterThan(1);
    expect(emulator.journal()).toHaveLength(result.receipts.length);
    expect(agent.history.messages.at(-1)?.role).toBe("tool");
  });

  it.each(models)("R459 of tokens counts the planned cap of %s", async (model) => {
    const { agent, emulator } = looping(model, { budget: { tokens: 500 } });
    await expect(agent.send("Look")).rejects.toMatchObject({
      category: "quota",
      code: "budget",
      field: "budget.tokens",
      turn: "not-started",
    });
    expect(emulator.journal()).toEqual([]);
    expect(agent.history.length).toBe(0);
  });

  it.each(["gpt-6-sol/high", "gemini-3.8-flash/high", "gemini-2.5-pro/high"])(
    "R459 lowers the cap of %s, where none was asked for, and the receipt says so",
    async (model) => {
      const options = { maxOutputTokens: undefined, tools: [] };
      const budget = { dollars: 0.5, tokens: 45_000 };
      const { agent } = looping(model, { ...options, fetch: emulate(), budget });
      const { text, receipt } = await agent.send("What is 23 * 47?");
      expect(text).toContain("1,081");
      expect(receipt.notes).toContainEqual(expect.objectContaining({ code: "budget-cap" }));
      const { maxOutputTokens = 0, thinkingRoom = 0 } = receipt.plan;
      expect(maxOutputTokens).toBeGreaterThanOrEqual(thinkingRoom + 1024);
      expect(maxOutputTokens).toBeLessThan(45_000);
      const small = looping(model, { ...options, budget: { tokens: 9000 } });
      await expect(small.agent.send("Look")).rejects.toMatchObject({ code: "budget" });
      expect(small.emulator.journal()).toEqual([]);
    },
  );

  it("R459 leaves later steps what earlier ones left, down to the least answer", async () => {
    const options = { maxOutputTokens: undefined, budget: { dollars: 0.3 } };
    const { agent } = looping("gpt-6-sol/low", options);
    const { receipts, finish, cost } = await agent.send("Look");
    const caps = receipts.map(({ plan }) => plan.maxOutputTokens ?? 0);
    expect(caps).toEqual(caps.toSorted((a, b) => b - a));
    expect(caps[0]).toBeGreaterThan(caps.at(-1)!);
    expect(cost?.total).toBeLessThanOrEqual(0.3);
    expect(["budget", "max-steps"]).toContain(finish.reason);
  });

  it("R459 of dollars counts what a breakpoint of an hour costs to write", async () => {
    const [plain, minutes, hour] = [await mostFor(false), await mostFor(true), await mostFor("1h")];
    expect((hour - plain) / (minutes - plain)).toBeCloseTo(4, 1);
  });

  it("R459 counts a summary that the service may write on the way", async () => {
    const once = await mostTokens();
    expect([await mostTokens(1_000_000), await mostTokens(1000)]).toEqual([once, once * 2]);
  });

  it("R459 of steps and of time ends the turn between two steps", async () => {
    const steps = await looping("claude-opus-5-5/low", { budget: { steps: 3 } }).agent.send("Look");
    expect([steps.finish.reason, steps.receipts.length]).toEqual(["budget", 3]);
    let time = 0;
    const now = (): number => time;
    const clock = tool({ name: "look", input: { type: "object" }, run: () => `${(time += 400)}` });
    const { agent } = looping("claude-opus-5-5/low", { budget: { ms: 1000 }, now, tools: [clock] });
    const timed = await agent.send("Look");
    expect(timed.finish).toMatchObject({ reason: "budget", note: /^budget\.ms: the time is up/ });
    expect(timed.receipts).toHaveLength(3);
  });

  it("R459 without a known price or cap is refused with the field", async () => {
    const options = { budget: { dollars: 1 } };
    const { agent, emulator } = looping("ollama:qwen3:8b", options);
    await expect(agent.send("Look")).rejects.toMatchObject({ field: "budget.dollars" });
    expect(emulator.journal()).toEqual([]);
  });

  it("R460 is shared by many agents, which never overdraw it together", async () => {
    const emulator = emulate({
      scripts: [script({}, ...Array.from({ length: 99 }, () => [says("Ok.")]))],
    });
    const tokens = 9000;
    const budget: Budget = createBudget({ tokens });
    const ask = async (): Promise<string> => {
      const options = { fetch: emulator, apiKey: "k", budget, maxOutputTokens: 4000 };
      const agent = new Agent("openai-chat:gpt-4o", options);
      const result = await agent.send("Say ok.").catch((error: { code: string }) => error.code);
      return typeof result === "string" ? result : result.finish.reason;
    };
    const ends = await Promise.all(Array.from({ length: 400 }, ask));
    const answered = ends.filter((end) => end === "stop").length;
    // Two at a time fit what is planned; what they give back lets many more go on.
    expect(answered).toBeGreaterThan(10);
    expect(new Set(ends)).toEqual(new Set(["stop", "budget"]));
    expect(budget.spent().tokens).toBeLessThanOrEqual(tokens);
    expect(budget.spent().steps).toBe(answered);
    expect(emulator.journal()).toHaveLength(answered);
  });

  it("R460 lets go of an agent that is stopped while it waits", async () => {
    const budget = createBudget({ tokens: 5000 });
    const stop = new AbortController();
    const ask = (signal: AbortSignal): Promise<unknown> =>
      new Agent("gpt-4o", { fetch: never, apiKey: "k", budget, maxOutputTokens: 4000, signal })
        .send("Hi")
        .catch((error: { category: string }) => error.category);
    const first = ask(stop.signal);
    const second = new AbortController();
    const waiting = ask(second.signal);
    second.abort();
    expect(await waiting).toBe("aborted");
    stop.abort();
    expect(await first).toBe("aborted");
    expect(budget.spent()).toMatchObject({ tokens: 0, dollars: 0 });
  });

  it.each([
    [{ dollars: "1" }, "budget.dollars"],
    [{ steps: 0 }, "budget.steps"],
    [{ dolars: 1 }, "dollars"],
    [5, "budget"],
  ])("R461 refuses %j before anything is sent", (budget, named) => {
    const options = { budget: budget as BudgetLimits };
    expect(() => new Agent("gpt-6-sol", options)).toThrow(named);
    expect(() => createBudget(options.budget)).toThrow(/limits|dollars|steps/);
  });
});

describe("stopWhen", () => {
  it("R462 ends the turn behind a step, with what it knows by then", async () => {
    const seen: number[] = [];
    const { agent } = looping("gpt-6-sol/low", {
      stopWhen: async ({ steps, usage, last }) => {
        seen.push(steps);
        expect(usage.output).toBeGreaterThan(0);
        expect(last.toolCalls).toHaveLength(1);
        return steps === 2;
      },
    });
    const result = await agent.send("Look");
    expect(seen).toEqual([1, 2]);
    expect(result.finish.reason).toBe("stop-when");
    expect(agent.history.messages.at(-1)?.role).toBe("tool");
  });
});
