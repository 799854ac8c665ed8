import { createModels } from "@earendil-works/pi-ai";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { deepseekProvider } from "@earendil-works/pi-ai/providers/deepseek";
import { googleProvider } from "@earendil-works/pi-ai/providers/google";
import { openaiProvider } from "@earendil-works/pi-ai/providers/openai";
import { hosts, key, lengths, look, nothing, partOf, prompt } from "./question.mjs";

const models = createModels();
for (const make of [anthropicProvider, openaiProvider, deepseekProvider, googleProvider]) {
  models.setProvider(make());
}

const names = {
  "anthropic-messages": ["anthropic", "claude-opus-4-5"],
  "openai-responses": ["openai", "gpt-5"],
  "openai-chat": ["deepseek", "deepseek-v4-pro"],
  "google-generate": ["google", "gemini-2.5-pro"],
};

const modelOf = (wire, baseUrl) => ({
  ...models.getModel(...names[wire]),
  baseUrl: wire === "google-generate" ? `${baseUrl}/v1beta` : baseUrl,
});

/** It asks through the global `fetch`: with Google's SDK it takes no other. */
export async function read(wire, _fetch, baseUrl) {
  const got = nothing();
  const context = { messages: [{ role: "user", content: prompt, timestamp: 0 }] };
  for await (const event of models.stream(modelOf(wire, baseUrl), context, { apiKey: key })) {
    if (event.type === "thinking_delta") got.thinking += event.delta;
    else if (event.type === "text_delta") got.text += event.delta;
    else if (event.type === "toolcall_delta") got.input += event.delta;
    else if (event.type === "error") throw new Error(event.error.errorMessage);
  }
  return lengths(got);
}

const partTo = (part) => {
  if (part.type === "thinking") {
    const { signature } = part.seal.data;
    return { type: "thinking", thinking: part.text, thinkingSignature: signature };
  }
  return part.type === "text"
    ? part
    : { type: "toolCall", id: part.id, name: part.name, arguments: part.input };
};

const usage = {
  input: 25,
  output: 900,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 925,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function toHistory(messages) {
  const [provider, model] = names["anthropic-messages"];
  return messages.map((message) => {
    if (message.role === "user") {
      return { role: "user", content: partOf(message, "text").text, timestamp: 0 };
    }
    if (message.role === "assistant") {
      return {
        role: "assistant",
        content: message.parts.map(partTo),
        api: "anthropic-messages",
        provider,
        model,
        usage,
        stopReason: message.parts.some(({ type }) => type === "tool-call") ? "toolUse" : "stop",
        timestamp: 0,
      };
    }
    const { callId, name, output } = partOf(message, "tool-result");
    return {
      role: "toolResult",
      toolCallId: callId,
      toolName: name,
      content: [{ type: "text", text: output }],
      isError: false,
      timestamp: 0,
    };
  });
}

async function send(messages, fetch) {
  const model = modelOf("anthropic-messages", hosts["anthropic-messages"]);
  const context = { messages, tools: [look] };
  const options = { apiKey: key, fetch, thinkingEnabled: true };
  for await (const event of models.stream(model, context, options)) {
    if (event.type === "error") throw new Error(event.error.errorMessage);
  }
}

export const pi = { toHistory, send };
