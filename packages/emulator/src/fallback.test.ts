import { Agent, isMullError, tool, type AgentEvent, type AgentOptions } from "mull";
import { whyNextModel } from "mull/wire";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls, fails, refuses, says, thinks, type Action } from "./script/actions.ts";
import { script } from "./script/script.ts";

const pairs = [
  ["claude-opus-5-5/high", "gpt-6-sol/high"],
  ["gpt-6-sol/high", "gemini-3.8-flash/low"],
  ["gemini-3.8-flash/low", "openai-chat:gpt-5/low"],
  ["openai-chat:gpt-5/low", "claude-opus-5-5/high"],
] as const;
const idOf = (ref: string): string => ref.replace(/^.*:/, "").replace(/\/.*$/, "");

const lookUp = tool({ name: "look_up", input: { type: "object" }, run: () => "42" });

/** Only the named model does what is scripted; the others answer by themselves. */
const failing = (ref: string, ...turns: readonly (readonly Action[])[]) => {
  const emulator = emulate({ scripts: [script({ model: idOf(ref) }, ...turns)] });
  const made = (options: AgentOptions): Agent =>
    new Agent(ref, {
      fetch: emulator,
      apiKey: "k",
      maxAttempts: 1,
      sleep: () => Promise.resolve(),
      ...options,
    });
  return { emulator, made };
};

const eventsOf = async (agent: Agent, question: string): Promise<readonly AgentEvent[]> => {
  const events: AgentEvent[] = [];
  for await (const event of agent.sendStream(question).events()) events.push(event);
  return events;
};

describe("fallback", () => {
  it.each(pairs)("R453 an outage of %s is answered by %s", async (first, second) => {
    const { made } = failing(first, [fails(529)]);
    const agent = made({ fallback: [second] });
    const result = await agent.send("What is 23 * 47?");
    expect(result.text).toContain("1,081");
    expect(result.receipt.plan.model).toBe(idOf(second));
    expect(result.receipt.insteadOf).toMatchObject([{ model: idOf(first), reason: "outage" }]);
    expect(result.receipt.notes.map(({ code }) => code)).toContain("fallback");
    expect(agent.history.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(agent.target.model.id).toBe(idOf(first));
  });

  it.each(pairs)("R454 %s fails behind a tool and %s goes on", async (first, second) => {
    const { emulator, made } = failing(first, [calls("look_up")], [fails(429)]);
    const agent = made({ fallback: [second], tools: [lookUp], maxSteps: 4, level: "low" });
    const events = await eventsOf(agent, "Look it up, then say hello.");
    const models = events.flatMap((event) =>
      event.type === "step" ? [event.result.receipt.plan.model] : [],
    );
    expect(models[0]).toBe(idOf(first));
    expect(new Set(models.slice(1))).toEqual(new Set([idOf(second)]));
    expect(events.filter(({ type }) => type === "fallback")).toMatchObject([
      { step: 1, failed: { reason: "rate-limit" }, next: { model: idOf(second) } },
    ]);
    expect(emulator.journal().filter(({ verdict }) => verdict === "refused")).toEqual([]);
  });

  it("R455 a refusal is asked of the next model, and only its receipt stays", async () => {
    const { made } = failing("claude-opus-5-5", [refuses("No.")]);
    const agent = made({ fallback: ["gpt-6-sol/low"] });
    const result = await agent.send("What is 23 * 47?");
    expect(result.text).toContain("1,081");
    expect(result.receipts.map(({ plan }) => plan.model)).toEqual(["claude-opus-5-5", "gpt-6-sol"]);
    expect(result.receipt.insteadOf).toMatchObject([{ reason: "refusal" }]);
    expect(JSON.stringify(agent.history)).not.toContain("No.");
  });

  const brokenText = [says("The first ten primes are two and three and five"), fails(529)];

  it("R456 text that was shown is never followed by another answer", async () => {
    const { made } = failing("claude-opus-5-5", brokenText);
    const agent = made({ fallback: ["gpt-6-sol/low"] });
    const types: string[] = [];
    const read = async (): Promise<void> => {
      for await (const event of agent.sendStream("Primes?").events()) types.push(event.type);
    };
    await expect(read()).rejects.toMatchObject({ category: "overloaded", turn: "partial" });
    expect(types).toContain("answer");
    expect(types).not.toContain("fallback");
    const resumed = await agent.use("gpt-6-sol/low").resumeStream().result();
    expect(resumed.text).not.toBe("");
  });

  it("R456 who waits for the whole answer has seen nothing, so the next model is asked", async () => {
    const { made } = failing("claude-opus-5-5", brokenText);
    const agent = made({ fallback: ["gpt-6-sol/low"] });
    const result = await agent.send("What is 23 * 47?");
    expect(result.text).toContain("1,081");
    expect(result.text).not.toContain("primes");
    expect(result.receipts[0]).toMatchObject({ unfinished: true });
  });

  it("R456 thinking that was shown is void behind a fallback event", async () => {
    const broken = [thinks("Let me think about primes for a while."), fails(529)];
    const { made } = failing("claude-opus-5-5", broken);
    const agent = made({ fallback: ["gpt-6-sol/low"] });
    const events = await eventsOf(agent, "What is 23 * 47?");
    const at = events.findIndex(({ type }) => type === "fallback");
    expect(at).toBeGreaterThan(0);
    expect(JSON.stringify(agent.history)).not.toContain("primes");
    expect(events.at(-1)).toMatchObject({ type: "turn", result: { text: /1,081/ } });
  });

  it("R453 the last error names everybody who failed before", async () => {
    const emulator = emulate({ faults: "status=529" });
    const agent = new Agent("claude-opus-5-5", {
      fetch: emulator,
      apiKey: "k",
      maxAttempts: 1,
      fallback: ["gpt-6-sol", "gemini-3.8-flash"],
    });
    const failed = agent.send("Hi");
    await expect(failed).rejects.toThrow(/claude-opus-5-5 \(outage: .*gpt-6-sol \(outage: /s);
    await expect(failed).rejects.toMatchObject({ turn: "not-started" });
    expect(agent.history.length).toBe(0);
  });

  it.each([401, 400])("R457 an answer with %i is not repaired by another model", async (status) => {
    const { emulator, made } = failing("claude-opus-5-5", [fails(status)]);
    await expect(made({ fallback: ["gpt-6-sol"], heal: "fail" }).send("Hi")).rejects.toMatchObject({
      status,
    });
    expect(emulator.journal()).toHaveLength(1);
  });

  it("R457 the decision is one function", () => {
    const stop = { finish: { reason: "stop" } } as const;
    expect(whyNextModel(stop)).toBeUndefined();
    expect(whyNextModel({ finish: { reason: "refusal" } })).toBe("refusal");
    expect(whyNextModel({ finish: { reason: "refusal" }, hasShownText: true })).toBeUndefined();
    expect(whyNextModel({ error: new Error("a bug of ours") })).toBeUndefined();
  });

  it("R458 wrong fallbacks and missing keys are told before anything is sent", async () => {
    expect(() => new Agent("claude-opus-5-5", { fallback: ["no-such-model"] })).toThrow(
      "no-such-model",
    );
    const odd: object = { fallback: "gpt-6-sol" };
    expect(() => new Agent("claude-opus-5-5", odd)).toThrow("fallback");
    const agent = new Agent("claude-opus-5-5", {
      env: { ANTHROPIC_API_KEY: "k" },
      baseUrl: undefined,
      fallback: ["gpt-6-sol"],
    });
    const error: unknown = await agent.send("Hi").catch((thrown: unknown) => thrown);
    expect(isMullError(error) && error.code).toBe("missing_key");
    expect(String(error)).toContain("OPENAI_API_KEY");
  });
});
