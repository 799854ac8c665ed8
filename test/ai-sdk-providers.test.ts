import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { emulate, type Emulator } from "@mull/emulator";
import {
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
} from "ai";
import { describe, expect, test } from "vitest";

const searchWeb = tool({
  description: "Searches the web",
  inputSchema: jsonSchema<{ query: string }>({
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
    additionalProperties: false,
  }),
  execute: ({ query }) => Promise.resolve(`${query}: stocks closed mixed`),
});

interface Contestant {
  readonly model: (emulator: Emulator) => LanguageModel;
  readonly options: Parameters<typeof generateText>[0]["providerOptions"];
}

const contestants: readonly (readonly [string, Contestant])[] = [
  [
    "@ai-sdk/anthropic with a budget",
    {
      model: (fetch) => createAnthropic({ apiKey: "test", fetch })("claude-sonnet-4-5"),
      options: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
    },
  ],
  [
    "@ai-sdk/openai on Responses, stateless",
    {
      model: (fetch) => createOpenAI({ apiKey: "test", fetch }).responses("gpt-5.1"),
      options: {
        openai: {
          reasoningEffort: "medium",
          reasoningSummary: "auto",
          store: false,
          include: ["reasoning.encrypted_content"],
        },
      },
    },
  ],
  [
    "@ai-sdk/openai on Chat Completions",
    {
      model: (fetch) => createOpenAI({ apiKey: "test", fetch }).chat("gpt-5-mini"),
      options: { openai: { reasoningEffort: "low" } },
    },
  ],
  [
    "@ai-sdk/google",
    {
      model: (fetch) => createGoogleGenerativeAI({ apiKey: "test", fetch })("gemini-3.8-flash"),
      options: { google: { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } } },
    },
  ],
];

const questions = [
  "okay - what's going on in the markets today?",
  "And what about crypto specifically?",
  "What is the latest news on ethereum?",
];

/** The emulator refuses what the services refuse, so a loop that ends is a loop they would take. */
const refusalsOf = (emulator: Emulator): readonly unknown[] =>
  emulator.journal().filter((entry) => entry.status >= 400);

describe.each(contestants)("%s against the emulator, unpatched", (_, { model, options }) => {
  test("P-J6 completes a three-turn thinking tool loop, whole", async () => {
    const emulator = emulate();
    const messages: ModelMessage[] = [];
    for (const content of questions) {
      messages.push({ role: "user", content });
      const result = await generateText({
        model: model(emulator),
        messages,
        tools: { searchWeb },
        stopWhen: stepCountIs(5),
        ...(options !== undefined && { providerOptions: options }),
      });
      expect(result.steps.some((step) => step.toolCalls.length > 0)).toBe(true);
      expect(result.text).toContain("stocks closed mixed");
      messages.push(...result.response.messages);
    }
    expect(refusalsOf(emulator)).toEqual([]);
  });

  test("P-J6 completes it streamed", async () => {
    const emulator = emulate();
    const messages: ModelMessage[] = [];
    for (const content of questions) {
      messages.push({ role: "user", content });
      const result = streamText({
        model: model(emulator),
        messages,
        tools: { searchWeb },
        stopWhen: stepCountIs(5),
        ...(options !== undefined && { providerOptions: options }),
      });
      expect(await result.text).toContain("stocks closed mixed");
      messages.push(...(await result.response).messages);
    }
    expect(refusalsOf(emulator)).toEqual([]);
  });
});
