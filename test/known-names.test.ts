import { lint, type JsonObject, type WireId } from "mull";
import { describe, expect, it } from "vitest";

import { fullSample, readVendorTypes, type VendorTypes } from "./vendor-types.ts";

/** Sent as headers by the SDK. */
const headers = ["betas", "user_profile_id", "workspace_id"];
const none: ReadonlySet<string> = new Set(headers);

const openai = readVendorTypes(
  "openai",
  "resources/responses/responses.d.ts",
  "resources/shared.d.ts",
);
const beta = readVendorTypes(
  "openai",
  "resources/beta/responses/responses.d.ts",
  "resources/shared.d.ts",
);
const chat = readVendorTypes(
  "openai",
  "resources/chat/completions/completions.d.ts",
  "resources/shared.d.ts",
);
const genai = readVendorTypes("@google/genai", "dist/genai.d.ts");

const anthropicOf = (file: string): VendorTypes => readVendorTypes("@anthropic-ai/sdk", file);

const strangers = /\/(?:unknown-name|unknown-field|unknown-setting|foreign-field)$/;

const unknownIn = (wire: WireId, model: string, body: JsonObject): readonly string[] =>
  lint({ wire, model, body })
    .findings.filter(({ rule }) => strangers.test(rule))
    .map(({ path, message }) => `${path}: ${message}`);

const googleBody: JsonObject = {
  contents: [fullSample(genai, "Content", none)],
  systemInstruction: fullSample(genai, "Content", none),
  tools: [fullSample(genai, "Tool", none)],
  toolConfig: fullSample(genai, "ToolConfig", none),
  safetySettings: [fullSample(genai, "SafetySetting", none)],
  generationConfig: fullSample(genai, "GenerationConfig", none),
};

describe("every name in the vendors' parameter types is known", () => {
  it.each([
    {
      name: "Anthropic's Messages",
      wire: "anthropic-messages",
      model: "claude-opus-5",
      body: fullSample(
        anthropicOf("resources/messages/messages.d.ts"),
        "MessageCreateParamsBase",
        none,
      ),
    },
    {
      name: "Anthropic's beta Messages",
      wire: "anthropic-messages",
      model: "claude-opus-5",
      body: fullSample(
        anthropicOf("resources/beta/messages/messages.d.ts"),
        "MessageCreateParamsBase",
        none,
      ),
    },
    {
      name: "OpenAI's Responses",
      wire: "openai-responses",
      model: "gpt-6-sol",
      body: fullSample(openai, "ResponseCreateParamsBase", none),
    },
    {
      name: "OpenAI's beta Responses",
      wire: "openai-responses",
      model: "gpt-6-sol",
      body: fullSample(beta, "ResponseCreateParamsBase", none),
    },
    {
      name: "OpenAI's Chat Completions",
      wire: "openai-chat",
      model: "gpt-4o",
      body: fullSample(chat, "ChatCompletionCreateParamsBase", none),
    },
    {
      name: "Google's generateContent",
      wire: "google-generate",
      model: "gemini-3.8-flash",
      body: googleBody,
    },
  ] as const)("in $name", ({ wire, model, body }) => {
    expect(JSON.stringify(body).length).toBeGreaterThan(1000);
    expect(unknownIn(wire, model, body)).toEqual([]);
  });
});
