import { calls, emulate, refuses, says, script, thinks } from "@mull/emulator";
import { Agent, compose, findProvider, providers, type AgentChunk, type AgentOptions } from "mull";
import { resolveChoice } from "mull/wire";
import { describe, expect, test } from "vitest";

import { ask, getWeather } from "../contract/requests.ts";
import { createWitness } from "../contract/witness.ts";

const claude = "anthropic:claude-sonnet-4-5";

const emulated = (
  scripts: Parameters<typeof script>[1][] = [],
): Pick<AgentOptions, "fetch" | "env" | "apiKey"> => ({
  fetch: emulate({ seed: "agent", unknownModels: "accept", scripts: [script({}, ...scripts)] }),
  env: {},
  apiKey: "emulated-account",
});

const streamed = async (agent: Agent, question: string) => {
  const stream = agent.sendStream(question);
  const chunks: AgentChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, result: await stream.result() };
};

describe("R374 agent options", () => {
  test("R362 R210 R211 a thinking budget of 5,000 survives in the options", async () => {
    const options = Object.freeze({ ...emulated(), thinkingBudget: 5000 });
    const { receipt } = await new Agent(claude, options).send("Simple math: 2+2");
    expect(options.thinkingBudget).toBe(5000);
    expect(receipt.plan.askedBudget).toBe(5000);
    expect(receipt.sent["thinking"]).toMatchObject({ type: "enabled", budget_tokens: 5000 });
  });

  test("R363 R212 by default there is none", async () => {
    const { receipt } = await new Agent(claude, emulated()).send("Simple math: 2+2");
    expect(receipt.plan.askedBudget).toBeUndefined();
    expect(receipt.plan.asked).toBe("auto");
    expect(receipt.sent).not.toHaveProperty("thinking");
  });

  test("R364 R91 R95 R97 the request builder includes a budget of 3,000", () => {
    const { body } = compose(
      resolveChoice(claude),
      ask("Simple math: 2+2", { thinkingBudget: 3000, system: "Be brief." }),
    ).encoded;
    expect(body["thinking"]).toMatchObject({ type: "enabled", budget_tokens: 3000 });
    expect(body).toMatchObject({ system: [{ text: "Be brief." }], stream: true });
    expect(body["messages"]).toMatchObject([{ role: "user" }]);
  });

  test("R91 R92 R93 what one turn asks wins over what the agent was made with", async () => {
    const agent = new Agent(claude, {
      ...emulated(),
      thinkingBudget: 3000,
      maxOutputTokens: 1000,
      stopSequences: ["END"],
    });
    const { receipt } = await agent.send("Simple math: 2+2", { thinkingBudget: 6000 });
    expect(receipt.sent).toMatchObject({ max_tokens: 7000, thinking: { budget_tokens: 6000 } });
  });
});

describe("R374 agent results", () => {
  test.each(["gpt-6-sol", "openai-chat:gpt-6-sol"])(
    "%s: what it said when it declined is told apart from an answer",
    async (model) => {
      const agent = new Agent(model, emulated([[refuses("I can't help with that.")], [says("4")]]));
      const declined = await agent.send("Something bad");
      expect(declined).toMatchObject({ text: "", refusal: "I can't help with that." });
      expect(declined.finish.reason).toBe("refusal");
      expect(await agent.send("2 + 2?")).not.toHaveProperty("refusal");
    },
  );

  test("R365 R215 R223 D17 final parts hold no thinking while metadata does", async () => {
    const agent = new Agent(claude, { ...emulated(), level: "med" });
    const result = await agent.send("What is 23 * 47?");
    const types = result.messages.flatMap(({ parts }) => parts.map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(["text"]));
    expect(result.metadata.thinking).not.toBe("");
    expect(result.output.parts.map(({ type }) => type)).toEqual(["text"]);
  });

  test("R366 R156 R159 four thinking deltas give four chunks in order", async () => {
    const steps = ["Step one. ", "Step two. ", "Step three. ", "Step four."];
    const frames = [
      { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: {} } },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      ...steps.map((thinking) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "Done." } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ];
    const body = frames
      .map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`)
      .join("");
    const fetch = async (): Promise<Response> =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
    const { chunks, result } = await streamed(new Agent(claude, { fetch, env: {} }), "Count.");
    const thinking = chunks.flatMap(({ metadata }) => metadata.thinking ?? []);
    expect(thinking).toEqual(steps);
    expect(result.metadata.thinking).toBe(steps.join(""));
  });

  test("R367 R160 the final result contains every step", async () => {
    const steps = ["First I read the question.", "Then I multiply.", "Last I check."];
    const options = emulated([[thinks(steps.join(" ")), says("1,081")]]);
    const { result } = await streamed(new Agent(claude, { ...options, level: "med" }), "23 * 47?");
    for (const step of steps) expect(result.thinking).toContain(step);
  });

  test.each([claude, "openai-responses:gpt-5", "google:gemini-3.0-flash"])(
    "R368 R205 R208 R209 end to end, %s streams more than 50 characters of thinking",
    async (model) => {
      const agent = new Agent(model, {
        ...emulated(),
        maxOutputTokens: 8000,
        thinkingBudget: 4000,
      });
      const { chunks, result } = await streamed(agent, "What is 23 * 47?");
      const thinking = chunks.flatMap((chunk) => chunk.thinking ?? []).join("");
      expect(thinking.length).toBeGreaterThan(50);
      expect(result.text).toContain("1,081");
      expect(result.receipt.simulated).toBe(true);
    },
  );

  test("R369 R207 a whole result has thinking in its metadata", async () => {
    const agent = new Agent(claude, { ...emulated(), level: "med" });
    const result = await agent.send("Calculate 156 ÷ 12");
    expect(result.metadata.thinking).not.toBe("");
    expect(result.text).toContain("13");
    expect(result.usage.thinking).toBeGreaterThan(0);
  });

  test("R370 no part of any message of the result is thinking", async () => {
    const agent = new Agent(claude, { ...emulated(), level: "med", tools: [getWeather] });
    const results = [
      await agent.send("Simple math: 2+2"),
      await agent.send("What is the weather in Seattle?"),
    ];
    const types = results.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.map(({ type }) => type as string)),
    );
    expect(types).not.toContain("thinking");
    expect(types).toContain("tool-call");
    expect(agent.history.messages.flatMap(({ parts }) => parts.map(({ type }) => type))).toContain(
      "thinking",
    );
  });

  test("R371 R206 R217 thinking together with a weather tool yields both", async () => {
    const options = emulated([
      [thinks("I need the weather."), calls("get_weather", { location: "Seattle" })],
      [thinks("Now I know."), says("It rains in Seattle.")],
    ]);
    const witness = createWitness(options.fetch!);
    const agent = new Agent(claude, {
      ...options,
      fetch: witness.fetch,
      level: "med",
      tools: [getWeather],
    });
    const { chunks, result } = await streamed(agent, "What is the weather in Seattle?");
    expect(chunks.some(({ thinking }) => thinking !== undefined)).toBe(true);
    const made = result.messages.flatMap(({ parts }) => parts);
    expect(made).toContainEqual(
      expect.objectContaining({ type: "tool-call", name: "get_weather" }),
    );
    expect(result.thinking).toBe("I need the weather.\n\nNow I know.");
    expect(witness.seen()).toHaveLength(2);
  });
});

describe("capabilities", () => {
  test("R372 R224 Anthropic declares thinking", () => {
    expect(findProvider("anthropic").capabilities).toContain("thinking");
  });

  test("R373 R225 OpenAI Responses declares thinking", () => {
    expect(findProvider("openai-responses").capabilities).toContain("thinking");
  });

  test("R226 D7 a provider declares it exactly when a model of its own thinks", () => {
    const wrong = providers.filter(
      ({ models, capabilities }) =>
        models.length > 0 &&
        models.some(({ thinking }) => thinking.kind !== "none") !==
          capabilities.includes("thinking"),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test.each(["openai-chat:gpt-4.1", "anthropic:claude-3-haiku"])(
    "R172 D7 %s: what cannot think is asked without, and a budget is refused before sending",
    async (model) => {
      const witness = createWitness(emulated().fetch!);
      const agent = new Agent(`${model}/high`, { ...emulated(), fetch: witness.fetch });
      const { receipt } = await agent.send("2+2?");
      expect(Object.keys(receipt.sent)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/thinking|reasoning/)]),
      );
      expect(receipt.plan.asked).toBe("high");
      expect(receipt.plan.notes).not.toEqual([]);
      const sent = witness.seen().length;
      await expect(agent.send("2+2?", { thinkingBudget: 2048 })).rejects.toMatchObject({
        category: "invalid_argument",
      });
      expect(witness.seen()).toHaveLength(sent);
    },
  );
});
