import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { listen, type Listening } from "./node.ts";

let server: Listening;
let client: Anthropic;

beforeAll(async () => {
  server = await listen();
  client = new Anthropic({ apiKey: "emulated", baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server.close());

const tools: Anthropic.Tool[] = [
  {
    name: "get_weather",
    input_schema: {
      type: "object",
      properties: { location: { type: "string" } },
      required: ["location"],
    },
  },
];

type Ask = Omit<Anthropic.MessageCreateParamsNonStreaming, "messages">;

const asks: readonly (readonly [string, Ask])[] = Object.entries<Ask>({
  "adaptive thinking": {
    model: "claude-opus-5-5",
    max_tokens: 8000,
    thinking: { type: "adaptive", display: "summarized" },
    tools,
  },
  "withheld thinking": { model: "claude-sonnet-5", max_tokens: 8000, tools },
  "a thinking budget": {
    model: "claude-haiku-4-5",
    max_tokens: 8000,
    thinking: { type: "enabled", budget_tokens: 2048 },
    tools,
  },
});

const answerCalls = (message: Anthropic.Message): Anthropic.ToolResultBlockParam[] =>
  message.content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ type: "tool_result" as const, tool_use_id: block.id, content: '{"temp_c": 7}' }]
      : [],
  );

const converse = async (ask: Ask, stream: boolean): Promise<readonly Anthropic.Message[]> => {
  const messages: Anthropic.MessageParam[] = [];
  const answers: Anthropic.Message[] = [];
  for (const text of [
    "Compare the weather in Oslo and Rome",
    "And in Bergen?",
    "What was my first question?",
  ]) {
    messages.push({ role: "user", content: text });
    for (;;) {
      const answer = stream
        ? await client.messages.stream({ ...ask, messages }).finalMessage()
        : await client.messages.create({ ...ask, messages });
      answers.push(answer);
      messages.push({ role: "assistant", content: answer.content });
      if (answer.stop_reason !== "tool_use") break;
      messages.push({ role: "user", content: answerCalls(answer) });
    }
  }
  return answers;
};

describe.each(asks)("P-J1 @anthropic-ai/sdk with %s", (_, asked) => {
  it.each([true, false])("completes a three-turn tool loop, streamed: %s", async (stream) => {
    const answers = await converse(asked, stream);
    expect(answers.map((answer) => answer.stop_reason)).toEqual([
      "tool_use",
      "end_turn",
      "tool_use",
      "end_turn",
      "end_turn",
    ]);
    expect(answers[0]?.content.map((block) => block.type)).toEqual([
      "thinking",
      "tool_use",
      "tool_use",
    ]);
    expect(JSON.stringify(answers.at(-1)?.content)).toContain("Compare the weather");
    expect(answers.every((answer) => answer.usage.output_tokens > 0)).toBe(true);
  });
});

describe("@anthropic-ai/sdk", () => {
  it("counts tokens, lists models and looks one up", async () => {
    const counted = await client.messages.countTokens({
      model: "claude-opus-5-5",
      messages: [{ role: "user", content: "Hello there" }],
    });
    expect(counted.input_tokens).toBeGreaterThan(0);
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain("claude-opus-5-5");
    expect((await client.models.retrieve("claude-opus-5-5")).id).toBe("claude-opus-5-5");
    await expect(client.models.retrieve("claude-none")).rejects.toThrow("404");
  });

  it("lists models page by page, forwards and back", async () => {
    const all: string[] = [];
    for await (const model of client.models.list()) all.push(model.id);
    const first = await client.models.list({ limit: 5 });
    expect([first.data.length, first.has_more]).toEqual([5, true]);
    const paged: string[] = [];
    for await (const model of first) paged.push(model.id);
    expect(paged).toEqual(all);
    const before = await client.models.list({ limit: 2, before_id: all[3] ?? "" });
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(1, 3));
  });

  it("sees what is not served as missing, and what is too large as such", async () => {
    await expect(client.messages.batches.list()).rejects.toMatchObject({
      status: 404,
      error: { type: "error", error: { type: "not_found_error" } },
    });
    const large = client.messages.create({
      model: "claude-opus-5-5",
      max_tokens: 10,
      messages: [{ role: "user", content: "é".repeat(17 * 1024 * 1024) }],
    });
    await expect(large).rejects.toMatchObject({
      status: 413,
      error: { type: "error", error: { type: "request_too_large" } },
    });
  });

  it("sees refusals as typed errors with the request id", async () => {
    const refused = client.messages.create({
      model: "claude-opus-4-8",
      max_tokens: 4000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: [{ role: "user", content: "Hi" }],
    });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      requestID: expect.stringMatching(/^req_/),
      message: expect.stringMatching(/thinking\.type\.enabled.* is not supported for this model/),
    });
  });

  it("gets notes between tools from Sonnet 5.5 with thinking off", async () => {
    const answers = await converse(
      {
        model: "claude-sonnet-5-5",
        max_tokens: 8000,
        thinking: { type: "between_tools" } as never,
        tools,
      },
      false,
    );
    const kinds = answers.map((answer) => answer.content.map((block) => block.type));
    expect(kinds.slice(0, 2)).toEqual([
      ["tool_use", "tool_use"],
      ["thinking", "text"],
    ]);
  });
});
