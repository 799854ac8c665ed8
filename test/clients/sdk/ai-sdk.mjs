import { anthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { openai } from "@ai-sdk/openai";
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import { arrived, imageData, leaving, model, parameters, question, task, tools } from "./task.mjs";

// `vendor` says on which wire the SDK speaks; the gateway decides who answers.
const [vendor, name] = model.split(":");
const models = {
  anthropic: () => anthropic(name),
  openai: () => openai.responses(name),
  google: () => createGoogle({ baseURL: `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta` })(name),
};
let failure;
const result = streamText({
  model: models[vendor](),
  messages: [
    {
      role: "user",
      content: [
        ...(task === "image"
          ? [{ type: "image", image: imageData(), mediaType: "image/png" }]
          : []),
        { type: "text", text: question },
      ],
    },
  ],
  maxRetries: 1,
  maxOutputTokens: 8000,
  stopWhen: isStepCount(5),
  abortSignal: leaving.signal,
  providerOptions: {
    anthropic: { thinking: { type: "adaptive", display: "summarized" } },
    openai: {
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoningEffort: "high",
      reasoningSummary: "auto",
    },
    google: { thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } },
  },
  tools: Object.fromEntries(
    tools.map((each) => [
      each.name,
      tool({
        description: each.description,
        inputSchema: jsonSchema(parameters),
        execute: async () => each.result,
      }),
    ]),
  ),
  onError: ({ error }) => void (failure = error),
});
for await (const text of result.textStream) arrived(text);
if (failure) throw failure;
