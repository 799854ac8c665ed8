import { Agent, tool } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";

const models = [
  "claude-opus-5-5/med",
  "claude-haiku-4-5/low",
  "claude-fable-5-2/high",
  "claude-opus-5/none",
  "gpt-6-sol/med",
  "gpt-5/min",
  "openai-chat:gpt-5.1/low",
  "gemini-3.8-flash/low",
  "gemini-2.5-pro/med",
  "deepseek:deepseek-v4-pro/high",
];
const pairs = models.flatMap((first) => models.map((second) => [first, second] as const));

const weather = tool({
  name: "get_weather",
  description: "Weather of a place",
  input: {
    type: "object",
    properties: { location: { type: "string" } },
    required: ["location"],
  },
  run: () => ({ temp_c: 7 }),
});

describe("P-G1 mull's own agent", () => {
  it.each(pairs)("goes from %s to %s and back without a refusal", async (first, second) => {
    const emulator = emulate();
    const agent = new Agent(first, { tools: [weather], fetch: emulator, apiKey: "emulated" });
    await agent.send("Compare the weather in Oslo and Rome");
    agent.use(second);
    await agent.send("And in Bergen?");
    agent.use(first);
    const result = await agent.send("What was my first question?");
    expect(result.text).toContain("Compare the weather in Oslo and Rome");
    expect(emulator.journal().filter((entry) => entry.verdict !== "answered")).toEqual([]);
  });

  it.each(models)(
    "offers %s a tool without arguments as MCP servers describe it",
    async (model) => {
      const emulator = emulate();
      const time = tool({ name: "time", input: { type: "object" }, run: () => "noon" });
      const agent = new Agent(model, { tools: [time], fetch: emulator, apiKey: "emulated" });
      await agent.send("Hello");
      expect(emulator.journal().map((entry) => entry.verdict)).toEqual(["answered"]);
    },
  );
});
