import { calls, says, script } from "@mull/emulator";
import { Agent, History, tool, type AssistantMessage, type Message } from "mull";
import { describe, expect, test } from "vitest";
import { emulator } from "./emulated.ts";

const refs = [
  "anthropic:claude-opus-5-5",
  "openai:gpt-6-sol",
  "openai-chat:gpt-4.1",
  "google:gemini-3.8-flash",
];

const weather = tool<{ city: string }>({
  name: "get_weather",
  description: "The weather in a city.",
  input: { type: "object", properties: { city: { type: "string" } } },
  run: ({ city }) => `${city}: 9 degrees`,
});

const cities = ["Oslo", "Rome", "Bonn"];
const options = { apiKey: "emulated", env: {}, heal: "fail", tools: [weather] } as const;

const outputsIn = (messages: readonly Message[]): readonly unknown[] =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.parts.map(({ output }) => output) : [],
  );

describe("F-S8 several calls of an answer have one id", () => {
  test.each(refs)("each of them gets its own result: %s", async (ref) => {
    const asked = cities.map((city) => calls("get_weather", { city }, { id: "call_0" }));
    const fetch = emulator({ scripts: [script({}, asked, [says("Cold.")], [says("Bye.")])] });
    const agent = new Agent(ref, { ...options, fetch });
    const told = new Set<string>();
    for await (const { event } of agent.sendStream("Weather?"))
      if (event.type === "tool-result") told.add(event.result.callId);
    expect(told.size).toBe(cities.length);
    expect(outputsIn(agent.history.messages)).toEqual(cities.map((city) => `${city}: 9 degrees`));
    expect((await agent.send("Thanks.")).text).toContain("Bye.");
  });

  test("a stored answer with such calls is gone on with", async () => {
    const answer: AssistantMessage = {
      role: "assistant",
      parts: ["Oslo", "Rome"].map((city) => ({
        type: "tool-call",
        id: "call_0",
        name: "get_weather",
        input: { city },
      })),
    };
    const history = History.from([
      { role: "user", parts: [{ type: "text", text: "Weather?" }] },
      answer,
    ]);
    const tools = [{ ...weather, idempotent: true }];
    const fetch = emulator({ scripts: [script({}, [says("Cold.")])] });
    const agent = new Agent("anthropic:claude-opus-5-5", { ...options, tools, history, fetch });
    for await (const _ of agent.resumeStream());
    expect(agent.history.messages.at(-1)?.parts[0]).toMatchObject({ text: "Cold." });
  });
});
