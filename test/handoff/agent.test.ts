import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calls, says, script, thinks } from "@mull/emulator";
import { Agent, findProvider, History, type AgentChunk } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, bodiesOf, emulator, refusalsOf, weather } from "./emulated.ts";

const three = ["anthropic:claude-sonnet-4-5", "openai-responses:gpt-5", "google:gemini-3.8-flash"];

async function collect(stream: AsyncIterable<AgentChunk>): Promise<readonly AgentChunk[]> {
  const chunks: AgentChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe.each(three)("%s, the same code for every provider (R205 R209)", (ref) => {
  test("R207 R367 R369 send: output, messages, metadata, usage; every step of the thinking", async () => {
    const served = emulator({
      scripts: [script({}, [thinks("Step 1. Step 2. Step 3."), says("156 ÷ 12 is 13.")])],
    });
    const result = await agentAt(ref, served).send("Calculate 156 ÷ 12");
    expect(result.text).toBe("156 ÷ 12 is 13.");
    for (const step of ["Step 1", "Step 2", "Step 3"]) {
      expect(result.metadata.thinking).toContain(step);
    }
    expect(result.thinking).toBe(result.metadata.thinking);
    expect(result.usage.output).toBeGreaterThan(0);
    expect(result.receipt.simulated).toBe(true);
  });

  test("R215 R365 R370 no part of any result message is thinking, while metadata has it", async () => {
    const served = emulator({ scripts: [script({}, [thinks("2 and 2."), says("4")])] });
    const { messages, output, metadata } = await agentAt(ref, served).send("Simple math: 2+2");
    const types = [...messages, output].flatMap(({ parts }) => parts.map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(["text"]));
    expect(JSON.stringify(messages)).not.toContain("2 and 2.");
    expect(metadata.thinking).toBe("2 and 2.");
  });

  test("R208 R366 R368 sendStream: every delta one chunk, in order, the whole not repeated", async () => {
    const thought = "Twenty times 47 is 940, three times 47 is 141, together 1081. "
      .repeat(2)
      .trim();
    const served = emulator({ scripts: [script({}, [thinks(thought), says("It is 1081.")])] });
    const agent = agentAt(ref, served, { maxOutputTokens: 8000 });
    const chunks = await collect(agent.sendStream("What is 23 * 47?"));
    const deltas = chunks.flatMap(({ metadata }) => metadata.thinking ?? []);
    expect(deltas.length).toBeGreaterThanOrEqual(4);
    expect(deltas.join("")).toBe(thought);
    expect(chunks.flatMap(({ text }) => text ?? []).join("")).toBe("It is 1081.");
    const last = chunks.at(-1);
    expect([last?.usage?.output !== undefined, last?.text, last?.thinking]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    const thinking = chunks.filter((chunk) => chunk.thinking !== undefined);
    expect(thinking.flatMap(({ output }) => output.parts)).toEqual([]);
  });

  test("R206 R371 R251 thinking with a tool: both come, and follow-ups work after it", async () => {
    const served = emulator();
    const agent = agentAt(ref, served);
    const result = await agent.send("What is the weather in Seattle?");
    expect(result.thinking.length).toBeGreaterThan(0);
    const parts = result.messages.flatMap((message) => message.parts);
    expect(parts.some((part) => part.type === "tool-call")).toBe(true);
    expect(parts.some((part) => part.type === "tool-result")).toBe(true);
    await agent.send("And in Lima?");
    await agent.send("Thanks.");
    expect(refusalsOf(served)).toEqual([]);
  });

  test("R218 R219 R221 R252 history from JSON goes on, thinking rebuilt with its seal", async () => {
    const served = emulator();
    const agent = agentAt(ref, served);
    await agent.send("What is the weather in Oslo?");
    const stored = JSON.stringify(agent.history);
    await agentAt(ref, served, { history: History.parse(stored) }).send("And in Lima?");
    expect(refusalsOf(served)).toEqual([]);
    const seals = sealTexts(stored);
    const sent = JSON.stringify(bodiesOf(served).at(-1));
    expect(seals.length).toBeGreaterThan(0);
    for (const seal of seals) expect(sent).toContain(seal);
  });
});

const sealTexts = (json: string): readonly string[] =>
  [...json.matchAll(/"(?:signature|thoughtSignature|encrypted_content)":"([^"]+)"/g)].map(
    (match) => match[1]!,
  );

describe("the options of an agent", () => {
  test("R210 R211 R364 Anthropic's options and a budget of 3,000 are in the request", async () => {
    const served = emulator();
    const agent = agentAt("claude-sonnet-4-5", served, {
      thinkingBudget: 3000,
      maxOutputTokens: 1000,
      topP: 0.97,
      stopSequences: ["END"],
      userId: "user-1",
    });
    await agent.send("hi");
    expect(bodiesOf(served)[0]).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 3000 },
      max_tokens: 4000,
      top_p: 0.97,
      stop_sequences: ["END"],
      metadata: { user_id: "user-1" },
    });
  });

  test("R212 R363 by default nothing about thinking is sent", async () => {
    const served = emulator();
    await new Agent("claude-sonnet-4-5", { fetch: served, apiKey: "emulated", env: {} }).send("hi");
    expect(bodiesOf(served)[0]).not.toHaveProperty("thinking");
  });

  test("R362 a budget for one turn holds for that turn only", async () => {
    const served = emulator();
    const agent = agentAt("claude-sonnet-4-5", served, { level: "low" });
    await agent.send("one", { thinkingBudget: 5000 });
    await agent.send("two");
    expect(bodiesOf(served).map((body) => body["thinking"])).toMatchObject([
      { budget_tokens: 5000 },
      { budget_tokens: 22_016 },
    ]);
  });

  test.each([
    ["detailed", "detailed"],
    ["auto", "auto"],
    ["brief", "concise"],
  ] as const)("R213 D15 OpenAI's summary %s is sent as %s", async (showThinking, sent) => {
    const served = emulator();
    await agentAt("gpt-6-sol", served, { showThinking }).send("The first ten primes?");
    expect(bodiesOf(served)[0]).toMatchObject({ reasoning: { summary: sent } });
  });

  test("R224 R225 R226 R372 R373 providers declare what they can do", () => {
    expect(findProvider("anthropic").capabilities).toContain("thinking");
    expect(findProvider("openai-responses").capabilities).toContain("thinking");
    expect(findProvider("google").capabilities).toContain("thinking");
    for (const id of ["anthropic", "openai", "google"]) {
      expect(findProvider(id).capabilities).toContain("tools");
    }
  });

  test("R374 structured output with thinking on gives an object", async () => {
    const served = emulator();
    const schema = {
      type: "object",
      properties: { answer: { type: "string" } },
      required: ["answer"],
      additionalProperties: false,
    };
    for (const ref of three) {
      const result = await agentAt(ref, served, { output: { schema }, tools: [] }).send("2+2?");
      expect(result.object).toMatchObject({ answer: expect.any(String) as string });
    }
    expect(refusalsOf(served)).toEqual([]);
  });

  test("R214 the options say what thinking costs", () => {
    const path = join(import.meta.dirname, "../../packages/mull/src/types/request.ts");
    const source = readFileSync(path, "utf8");
    const [comment] = /\/\*\*[^/]*\*\/\s*readonly thinkingBudget/.exec(source) ?? [""];
    for (const words of ["counts toward the output limit", "billed as output", "billed again"]) {
      expect(comment.replaceAll(/\s+\*?\s*/g, " ")).toContain(words);
    }
  });

  test("R216 R220 D16 what goes back is sealed and goes back as it came, never as text", async () => {
    const served = emulator({ scripts: [script({}, [thinks("My plan."), says("Yes.")])] });
    for (const ref of ["claude-opus-5-5", "gpt-6-sol"]) {
      served.reset();
      const agent = agentAt(ref, served);
      await agent.send("hi");
      await agent.send("again");
      const sent = bodiesOf(served)[1] as { messages?: unknown[]; input?: unknown[] };
      const answer = JSON.stringify((sent.messages ?? sent.input)?.slice(1, 3));
      expect(answer).toMatch(/"(?:signature|encrypted_content)":"/);
      expect(answer).not.toMatch(/"type":"(?:text|output_text)","text":"My plan\./);
    }
    expect(refusalsOf(served)).toEqual([]);
  });

  test("R217 thinking stays on messages with calls, with its signature", async () => {
    const served = emulator({
      scripts: [script({}, [thinks("t"), calls("get_weather", { city: "Oslo" })], [says("cold")])],
    });
    const agent = agentAt("claude-sonnet-4-5", served, { tools: [weather] });
    await agent.send("weather?");
    const answer = agent.history.messages[1];
    expect(answer?.parts.map(({ type }) => type)).toEqual(["thinking", "tool-call"]);
    expect(answer?.parts[0]?.seal?.data["signature"]).toEqual(expect.any(String));
  });
});
