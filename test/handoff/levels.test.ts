import { calls, says, script, thinks } from "@mull/emulator";
import type { JsonObject } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, bodiesOf, emulator, refusalsOf } from "./emulated.ts";

const levelOf = (body: JsonObject | undefined): unknown => {
  const fields = body as {
    thinking?: { budget_tokens?: number };
    reasoning?: { effort?: string };
    reasoning_effort?: string;
    generationConfig?: { thinkingConfig?: JsonObject };
  };
  const google = fields.generationConfig?.thinkingConfig;
  return (
    fields.thinking?.budget_tokens ??
    fields.reasoning?.effort ??
    fields.reasoning_effort ??
    google?.["thinkingLevel"] ??
    google?.["thinkingBudget"]
  );
};

describe("changing the level between turns", () => {
  test.each([
    ["claude-sonnet-4-5", 22_016, 55_808],
    ["gpt-5", "low", "high"],
    ["openai-chat:gpt-5.1", "low", "high"],
    ["gemini-3.8-flash", "LOW", "HIGH"],
    ["gemini-2.5-flash", 8192, 24_576],
  ])("R178 R179 R180 R181 R182 R183 %s from low to high", async (ref, low, high) => {
    const served = emulator();
    const agent = agentAt(ref, served, { level: "low", tools: [] });
    await agent.send("First question");
    agent.use({ level: "high" });
    await agent.send("Second question");
    const [first, second] = bodiesOf(served);
    expect(levelOf(first)).toBe(low);
    expect(levelOf(second)).toBe(high);
    expect(served.journal().map(({ model }) => model)).toEqual(
      Array.from({ length: 2 }, () => ref.split(":").at(-1)),
    );
    const sent = JSON.stringify(second);
    expect(sent).toContain("First question");
    expect(sent).toContain("Second question");
    expect(refusalsOf(served)).toEqual([]);
  });

  test("the level holds still inside a turn; a model may change there and brings its level", async () => {
    const turn = [thinks("t"), calls("get_weather", { city: "Oslo" })];
    const served = emulator({ scripts: [script({}, turn, turn, turn, [says("done")])] });
    const agent = agentAt("gpt-5/low", served, { level: "low" });
    const steps: number[] = [];
    for await (const { event } of agent.sendStream("weather?")) {
      if (event.type !== "tool-result") continue;
      steps.push(event.step);
      if (event.step === 0) agent.use({ level: "high" });
      if (event.step === 1) agent.use("claude-sonnet-4-5/high");
    }
    expect(steps).toEqual([0, 1, 2]);
    const sent = bodiesOf(served).map(levelOf);
    expect(sent.slice(0, 2)).toEqual(["low", "low"]);
    // Budget-thinking Claude takes over without a leading thought of its own: off until the turn ends.
    expect(sent.slice(2)).toEqual([undefined, undefined]);
    expect(refusalsOf(served)).toEqual([]);
  });
});

describe("P-B12 a changed effort keeps the prompt cache where the service lets it", () => {
  test.each(["claude-opus-5-5", "gpt-6-sol"])(
    "%s gets an update in the conversation",
    async (ref) => {
      const served = emulator();
      const agent = agentAt(ref, served, { level: "low" });
      await agent.send("one");
      const result = await agent.use({ level: "high" }).send("two");
      await agent.use({ level: "low" }).send("three");
      await agent.send("four");
      expect(refusalsOf(served)).toEqual([]);
      const tops = bodiesOf(served).map((body) => body["output_config"] ?? body["reasoning"]);
      expect(new Set(tops.map((top) => (top as JsonObject)["effort"]))).toEqual(new Set(["low"]));
      expect(result.receipt.notes.map(({ code }) => code)).toContain("effort-update");
      expect(JSON.stringify(bodiesOf(served)[1])).toContain('"high"');
    },
  );

  test.each(["claude-opus-5-5", "gpt-6-sol"])(
    "%s coming back in mid turn gets its new level",
    async (ref) => {
      const turn = [thinks("t"), calls("get_weather", { city: "Oslo" })];
      const served = emulator({ scripts: [script({}, [says("hi")], turn, turn, [says("done")])] });
      const agent = agentAt(ref, served, { level: "low" });
      await agent.send("hello");
      agent.use("gemini-3.8-flash/low");
      for await (const { event } of agent.sendStream("weather?")) {
        if (event.type === "tool-result" && event.step === 0) agent.use(`${ref}/high`);
      }
      expect(refusalsOf(served)).toEqual([]);
      const own = served
        .journal()
        .filter(({ model }) => model === ref)
        .slice(1);
      expect(own.length).toBe(2);
      for (const { body } of own) {
        const { messages, input } = body as { messages?: unknown[]; input?: unknown[] };
        expect(JSON.stringify(messages ?? input)).toContain('"effort":"high"');
      }
    },
  );

  test("elsewhere a note says what the change costs", async () => {
    const served = emulator();
    const agent = agentAt("claude-sonnet-4-5", served, { level: "low" });
    await agent.send("one");
    const result = await agent.use({ level: "high" }).send("two");
    expect(result.receipt.notes.find(({ code }) => code === "cache-miss")?.message).toMatch(
      /about \d+ tokens are read again, about \$\d/,
    );
  });
});
