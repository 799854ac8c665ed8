import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { jsonSchema, streamText, tool } from "ai";
import { hosts, key, lengths, look, models, nothing, partOf, prompt, schema } from "./question.mjs";

const quiet = { onError: () => undefined };

function modelOf(wire, fetch, baseUrl) {
  if (wire === "anthropic-messages") {
    return createAnthropic({ apiKey: key, fetch, baseURL: `${baseUrl}/v1` })(models[wire]);
  }
  if (wire === "google-generate") {
    return createGoogleGenerativeAI({ apiKey: key, fetch, baseURL: `${baseUrl}/v1beta` })(
      models[wire],
    );
  }
  const openai = createOpenAI({ apiKey: key, fetch, baseURL: baseUrl });
  return wire === "openai-responses" ? openai.responses("gpt-5") : openai.chat("gpt-5");
}

/** Both layers name their parts alike. */
function takePart(part, got) {
  if (part.type === "reasoning-delta") got.thinking += part.text ?? part.delta;
  else if (part.type === "text-delta") got.text += part.text ?? part.delta;
  else if (part.type === "tool-input-delta") got.input += part.delta ?? part.text;
}

export async function readText(wire, fetch, baseUrl) {
  const got = nothing();
  const result = streamText({
    model: modelOf(wire, fetch, baseUrl),
    prompt,
    tools: { note: tool({ description: "Notes", inputSchema: jsonSchema(schema) }) },
    maxRetries: 0,
    ...quiet,
  });
  for await (const part of result.fullStream) takePart(part, got);
  return lengths(got);
}

export async function readModel(wire, fetch, baseUrl) {
  const got = nothing();
  const { stream } = await modelOf(wire, fetch, baseUrl).doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [{ type: "function", name: "note", description: "Notes", inputSchema: schema }],
  });
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return lengths(got);
    takePart(value, got);
  }
}

const partTo = (part) => {
  if (part.type === "thinking") {
    const { signature } = part.seal.data;
    return { type: "reasoning", text: part.text, providerOptions: { anthropic: { signature } } };
  }
  return part.type === "text"
    ? part
    : { type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input };
};

function toHistory(messages) {
  return messages.map((message) => {
    if (message.role === "user") return { role: "user", content: partOf(message, "text").text };
    if (message.role === "assistant") {
      return { role: "assistant", content: message.parts.map(partTo) };
    }
    const { callId, name, output } = partOf(message, "tool-result");
    const result = {
      type: "tool-result",
      toolCallId: callId,
      toolName: name,
      output: { type: "text", value: output },
    };
    return { role: "tool", content: [result] };
  });
}

async function send(messages, fetch) {
  const { name, description, parameters } = look;
  const result = streamText({
    model: modelOf("anthropic-messages", fetch, hosts["anthropic-messages"]),
    messages,
    tools: { [name]: tool({ description, inputSchema: jsonSchema(parameters) }) },
    maxRetries: 0,
    onError: ({ error }) => {
      throw error;
    },
  });
  await result.consumeStream();
}

export const aiSdk = { toHistory, send };
