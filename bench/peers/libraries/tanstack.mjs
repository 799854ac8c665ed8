import { chat } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
import { createGeminiChat } from "@tanstack/ai-gemini";
import { createOpenaiChat, createOpenaiChatCompletions } from "@tanstack/ai-openai";
import { hosts, key, lengths, look, models, nothing, partOf, prompt } from "./question.mjs";

function adapterOf(wire, fetch, baseUrl) {
  const options = { fetch, baseURL: baseUrl, maxRetries: 0 };
  if (wire === "anthropic-messages") return createAnthropicChat(models[wire], key, options);
  if (wire === "google-generate") {
    return createGeminiChat(models[wire], key, { httpOptions: { baseUrl } });
  }
  return wire === "openai-responses"
    ? createOpenaiChat("gpt-5", key, options)
    : createOpenaiChatCompletions("gpt-5", key, options);
}

export async function read(wire, fetch, baseUrl) {
  const got = nothing();
  const events = chat({
    adapter: adapterOf(wire, fetch, baseUrl),
    messages: [{ role: "user", content: prompt }],
  });
  for await (const event of events) {
    if (event.type === "REASONING_MESSAGE_CONTENT") got.thinking += event.delta;
    else if (event.type === "TEXT_MESSAGE_CONTENT") got.text += event.delta;
    else if (event.type === "TOOL_CALL_ARGS") got.input += event.delta;
    else if (event.type === "RUN_ERROR") throw new Error(event.message);
  }
  return lengths(got);
}

function toHistory(messages) {
  return messages.map((message) => {
    if (message.role === "user") return { role: "user", content: partOf(message, "text").text };
    if (message.role === "assistant") {
      const thought = partOf(message, "thinking");
      const call = partOf(message, "tool-call");
      return {
        role: "assistant",
        content: partOf(message, "text")?.text ?? null,
        ...(thought && {
          thinking: [{ content: thought.text, signature: thought.seal.data.signature }],
        }),
        ...(call && {
          toolCalls: [
            {
              id: call.id,
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.input) },
            },
          ],
        }),
      };
    }
    const { callId, output } = partOf(message, "tool-result");
    return { role: "tool", content: output, toolCallId: callId };
  });
}

async function send(messages, fetch) {
  const { name, description, parameters } = look;
  const events = chat({
    adapter: adapterOf("anthropic-messages", fetch, hosts["anthropic-messages"]),
    messages,
    tools: [{ name, description, inputSchema: parameters }],
  });
  for await (const event of events) {
    if (event.type === "RUN_ERROR") throw new Error(event.message);
  }
}

export const tanstack = { toHistory, send };
