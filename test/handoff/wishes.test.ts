import { calls, says, script, thinks } from "@mull/emulator";
import type { Agent, JsonObject } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, bodiesOf, emulator } from "./emulated.ts";

describe("a level asked for after a budget", () => {
  test("D1 R362 replaces it: none is none", async () => {
    const served = emulator();
    const agent = agentAt("claude-sonnet-4-5", served, { thinkingBudget: 8000 });
    await agent.send("one");
    await agent.use({ level: "none" }).send("two");
    await agent.use({ thinkingBudget: 4000 }).send("three");
    expect(bodiesOf(served).map((body) => body["thinking"])).toEqual([
      expect.objectContaining({ budget_tokens: 8000 }),
      undefined,
      expect.objectContaining({ budget_tokens: 4000 }),
    ]);
  });

  test("D1 R362 for one turn replaces it for that turn", async () => {
    const served = emulator();
    const agent = agentAt("claude-sonnet-4-5", served, { thinkingBudget: 8000 });
    await agent.send("one", { level: "low" });
    await agent.send("two");
    expect(bodiesOf(served).map((body) => body["thinking"])).toMatchObject([
      { budget_tokens: 22_016 },
      { budget_tokens: 8000 },
    ]);
  });
});

describe("a tool the model is made to call", () => {
  const twice = script({}, [calls("get_weather", { city: "Oslo" })], [says("Clear.")]);

  test.each([
    ["gpt-6-sol", "required", "required"],
    ["gpt-6-sol", { tool: "get_weather" }, { type: "function", name: "get_weather" }],
    ["openai-chat:gpt-5.1", "required", "required"],
  ] as const)(
    "%s is made to once, or the turn would not end: %j",
    async (ref, toolChoice, sent) => {
      const served = emulator({ scripts: [twice] });
      const agent = agentAt(ref, served, { toolChoice, level: "none" });
      await agent.send("Oslo?");
      expect(bodiesOf(served).map((body) => body["tool_choice"])).toEqual([sent, undefined]);
    },
  );

  test("and none stays none to the end of the turn", async () => {
    const served = emulator();
    const agent = agentAt("gpt-6-sol", served, { toolChoice: "none" });
    await agent.send("Oslo?");
    await agent.send("Oslo?");
    expect(bodiesOf(served).map((body) => body["tool_choice"])).toEqual(["none", "none"]);
  });

  test("a turn that is taken up behind its results is not made to call again", async () => {
    const served = emulator({ scripts: [twice] });
    const agent = agentAt("gpt-6-sol", served, { toolChoice: "required" });
    for await (const { event } of agent.sendStream("Oslo?"))
      if (event.type === "tool-result") break;
    await agent.resumeStream().result();
    expect(bodiesOf(served).map((body) => body["tool_choice"])).toEqual(["required", undefined]);
  });
});

describe("the level holds still within a turn", () => {
  const twice = script(
    {},
    [thinks("Hm."), calls("get_weather", { city: "Oslo" })],
    [thinks("Hm."), calls("get_weather", { city: "Rome" })],
    [says("Clear.")],
    [says("Still.")],
  );
  const efforts = async (...choices: readonly Parameters<Agent["use"]>[0][]) => {
    const served = emulator({ scripts: [twice] });
    const agent = agentAt("gpt-5.2/low", served, { level: "low" });
    const left = [...choices];
    for await (const { event } of agent.sendStream("Oslo and Rome?")) {
      const next = event.type === "tool-result" ? left.shift() : undefined;
      if (next !== undefined) agent.use(next);
    }
    await agent.send("And now?");
    return bodiesOf(served).map((body) => (body["reasoning"] as JsonObject)["effort"]);
  };

  test("R92 also when the same model is named with another one", async () => {
    expect(await efforts("gpt-5.2/high")).toEqual(["low", "low", "low", "high"]);
    expect(await efforts({ level: "high" })).toEqual(["low", "low", "low", "high"]);
  });

  test("R92 P-G6 another model brings its own, and keeps that", async () => {
    const changes = await efforts("gpt-5.4/med", { level: "high" });
    expect(changes).toEqual(["low", "medium", "medium", "high"]);
  });
});
