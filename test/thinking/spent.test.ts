import { calls, emulate, says, script, stalls, thinks } from "@mull/emulator";
import {
  Agent,
  findProvider,
  isMullError,
  resolveModel,
  streamChat,
  sumReceipts,
  tool,
  type AgentOptions,
  type AgentStream,
  type ChatTarget,
} from "mull";
import { describe, expect, test } from "vitest";

const models = ["claude-opus-5-5", "gpt-6-sol", "openai-chat:gpt-6-sol", "gemini-3.8-flash"];
const thought = "Let me see. ".repeat(40);
const text = "It is a long story. ".repeat(40);

const emulated = (
  ...steps: Parameters<typeof script>[1][]
): Pick<AgentOptions, "fetch" | "env" | "apiKey"> => ({
  fetch: emulate({ seed: "spent", scripts: [script({}, ...steps)] }),
  env: {},
  apiKey: "emulated-account",
});

const stopping = [thinks(thought), says(text), stalls(60_000)];

/** Reads up to the first text, then stops as told. */
async function readToText(stream: AgentStream, stop: () => void): Promise<unknown> {
  try {
    for await (const { text: came } of stream) {
      if (came === undefined) continue;
      stop();
    }
  } catch (error) {
    return error;
  }
  throw new Error("the turn was not stopped");
}

describe("what an answer took that was stopped", () => {
  test.each(models)("%s: the receipt says at least how much", async (model) => {
    const stop = new AbortController();
    const agent = new Agent(model, { ...emulated(stopping), system: "Be brief. ".repeat(100) });
    const stream = agent.sendStream("What was it like?", { signal: stop.signal });
    const error = await readToText(stream, () => stop.abort());
    expect(isMullError(error) && error.category).toBe("aborted");
    const [receipt, ...others] = stream.receipts();
    expect(others).toEqual([]);
    expect(receipt).toMatchObject({
      unfinished: true,
      usage: { estimated: true },
      cost: { estimated: true, atLeast: true },
    });
    const { input = 0, output = 0, thinking = 0, total } = receipt!.usage!;
    expect(input).toBeGreaterThan(200);
    expect(output + thinking).toBeGreaterThan(0);
    expect(total).toBe(
      input +
        output +
        thinking +
        (receipt!.usage!.cacheRead ?? 0) +
        (receipt!.usage!.cacheWrite ?? 0),
    );
    expect(receipt!.cost!.total).toBeGreaterThan(0);
    expect(receipt!.plan.model).toBe(model.slice(model.indexOf(":") + 1));
  });

  test("leaving the loop leaves a receipt as well", async () => {
    const stream = new Agent("gpt-6-sol", emulated(stopping)).sendStream("Well?");
    for await (const { text: came } of stream) if (came !== undefined) break;
    expect(stream.receipts()).toMatchObject([{ unfinished: true, cost: { atLeast: true } }]);
  });

  test("a single request says it too", async () => {
    const messages = [{ role: "user", parts: [{ type: "text", text: "Well?" }] }] as const;
    const stream = streamChat("gpt-6-sol", { messages }, emulated(stopping));
    for await (const event of stream) if (event.type === "text") break;
    expect(stream.receipt()).toMatchObject({ unfinished: true, usage: { estimated: true } });
  });

  test("one that was never begun took nothing", async () => {
    const fetch = emulate({ seed: "spent", faults: "latency=60000" });
    const stop = new AbortController();
    const agent = new Agent("claude-opus-5-5", { fetch, env: {}, apiKey: "emulated-account" });
    const stream = agent.sendStream("Hi", { signal: stop.signal });
    const result = stream.result();
    stop.abort();
    await expect(result).rejects.toMatchObject({ category: "aborted" });
    expect(stream.receipts()).toEqual([]);
  });

  test("steps that were whole are told beside the one that broke off", async () => {
    const stop = new AbortController();
    const look = tool({ name: "look", run: () => "found" });
    const agent = new Agent("claude-opus-5-5", {
      ...emulated([calls("look")], stopping),
      tools: [look],
    });
    const stream = agent.sendStream("Look.", { signal: stop.signal });
    await readToText(stream, () => stop.abort());
    expect(stream.receipts().map(({ unfinished }) => unfinished ?? false)).toEqual([false, true]);
    const whole = stream.receipts()[0]!.cost!.total;
    const { cost, costAtLeast } = sumReceipts(stream.receipts());
    expect(cost).toBeUndefined();
    expect(costAtLeast!.atLeast).toBe(true);
    expect(costAtLeast!.total).toBeGreaterThan(whole);
  });
});

const unpriced = (): ChatTarget => {
  const { model } = resolveModel("claude-haiku-4-5");
  const { price: _, ...free } = model;
  return { provider: findProvider("anthropic"), model: free };
};

const handOver = (to: string | ChatTarget): Agent => {
  const agent: Agent = new Agent("gpt-6-sol", {
    ...emulated([thinks("Hm."), calls("look")], [says("Found.")]),
    tools: [
      tool({
        name: "look",
        run: () => {
          agent.use(to);
          return "found";
        },
      }),
    ],
  });
  return agent;
};

describe("a turn that two models share", () => {
  test("each step is on the account of its own model", async () => {
    const { receipts, usage, cost, costAtLeast } = await handOver("claude-haiku-4-5").send("Look.");
    expect(receipts.map(({ plan }) => plan.model)).toEqual(["gpt-6-sol", "claude-haiku-4-5"]);
    for (const receipt of receipts) {
      expect(receipt.usage!.output).toBeGreaterThan(0);
      expect(receipt.cost!.total).toBeGreaterThan(0);
      expect(receipt).not.toHaveProperty("unfinished");
      expect(receipt.usage).not.toHaveProperty("raw");
    }
    const [first, second] = receipts;
    expect(usage.output).toBe(first!.usage!.output! + second!.usage!.output!);
    expect(cost!.total).toBeCloseTo(first!.cost!.total + second!.cost!.total, 12);
    expect(costAtLeast).toBeUndefined();
  });

  test("the agent says who still answers, and nobody while tools run", async () => {
    const seen: (string | undefined)[] = [];
    const agent: Agent = new Agent("gpt-6-sol", {
      ...emulated([thinks("Hm."), calls("look")], [says("Found.")]),
      tools: [
        tool({
          name: "look",
          run: () => {
            seen.push(agent.answering?.model.id);
            return "found";
          },
        }),
      ],
    });
    for await (const { event } of agent.sendStream("Look.")) {
      if (event.type !== "answer" || event.event.type !== "start") continue;
      agent.use("claude-haiku-4-5");
      seen.push(agent.answering?.model.id);
    }
    expect(seen).toEqual(["gpt-6-sol", undefined, "claude-haiku-4-5"]);
    expect(agent.answering).toBeUndefined();
  });

  test("where one has no price, the result says what is known as at least", async () => {
    const result = await handOver(unpriced()).send("Look.");
    expect(result.receipts[1]).not.toHaveProperty("cost");
    expect(result).not.toHaveProperty("cost");
    expect(result.costAtLeast).toEqual({ ...result.receipts[0]!.cost, atLeast: true });
  });
});
