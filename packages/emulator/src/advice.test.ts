import { lint, type JsonObject } from "mull";
import { expect, it } from "vitest";

import { emulate } from "./emulate.ts";

interface Advised {
  readonly rule: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: Parameters<typeof lint>[0] & { readonly body: JsonObject };
}

const tagged = "<thinking>Hm.</thinking>Hello";
const bearer = { authorization: "Bearer emulated" };

const cases: readonly Advised[] = [
  {
    rule: "anthropic/advice-tight-cap",
    url: "https://api.anthropic.com/v1/messages",
    headers: { "x-api-key": "emulated", "anthropic-version": "2023-06-01" },
    request: {
      wire: "anthropic-messages",
      body: {
        model: "claude-opus-5-5",
        max_tokens: 300,
        thinking: { type: "adaptive" },
        messages: [{ role: "user", content: "Hi" }],
      },
    },
  },
  {
    rule: "openai/advice-thinking-tags",
    url: "https://api.openai.com/v1/responses",
    headers: bearer,
    request: {
      wire: "openai-responses",
      body: {
        model: "gpt-6-sol",
        input: [
          { role: "assistant", content: tagged },
          { role: "user", content: "Hi" },
        ],
      },
    },
  },
  {
    rule: "openai-chat/advice-thinking-tags",
    url: "https://api.openai.com/v1/chat/completions",
    headers: bearer,
    request: {
      wire: "openai-chat",
      body: {
        model: "gpt-5",
        messages: [
          { role: "assistant", content: tagged },
          { role: "user", content: "Hi" },
        ],
      },
    },
  },
  {
    rule: "google/advice-sampling",
    url: "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent",
    headers: { "x-goog-api-key": "emulated" },
    request: {
      wire: "google-generate",
      model: "gemini-3.8-flash",
      body: {
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
        generationConfig: { temperature: 0.2 },
      },
    },
  },
];

it.each(cases)("serves what $rule is about", async ({ rule, url, headers, request }) => {
  expect(lint(request).findings.map((finding) => finding.rule)).toEqual([rule]);
  const response = await emulate()(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request.body),
  });
  expect(response.status).toBe(200);
});
