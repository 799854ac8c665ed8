// Plain JavaScript: these libraries are installed apart, so their types are not at hand.
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { GoogleGenAI } from "@google/genai";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import * as pi from "@mariozechner/pi-ai";
import { chat } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
import { createGeminiChat } from "@tanstack/ai-gemini";
import { createOpenaiChat, createOpenaiChatCompletions } from "@tanstack/ai-openai";
import { jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";

const key = "bench-key";
const prompt = "Hi.";
const schema = {
  type: "object",
  properties: { note: { type: "string" } },
  required: ["note"],
  additionalProperties: false,
};
const models = {
  "anthropic-messages": "claude-opus-4-5",
  "openai-responses": "gpt-5",
  "openai-chat": "gpt-5",
  "google-generate": "gemini-2.5-pro",
};
const hosts = {
  "anthropic-messages": "https://api.anthropic.com",
  "openai-responses": "https://api.openai.com/v1",
  "openai-chat": "https://api.openai.com/v1",
  "google-generate": "https://generativelanguage.googleapis.com",
};
const empty = () => ({ thinking: "", text: "", input: "" });
const lengths = (got) => ({
  thinking: got.thinking.length,
  text: got.text.length,
  input: got.input.length,
});
const quiet = { onError: () => undefined };

/** Some of them only know the global `fetch`. */
const withGlobalFetch = (read) => async (wire, fetch, baseUrl) => {
  const before = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    return await read(wire, fetch, baseUrl ?? hosts[wire]);
  } finally {
    globalThis.fetch = before;
  }
};

async function readAnthropicSdk(wire, fetch, baseURL) {
  const got = empty();
  const client = new Anthropic({ apiKey: key, fetch, baseURL, maxRetries: 0 });
  const stream = await client.messages.create({
    model: models[wire],
    max_tokens: 2000,
    stream: true,
    messages: [{ role: "user", content: prompt }],
  });
  for await (const { type, delta } of stream) {
    if (type !== "content_block_delta") continue;
    if (delta.type === "thinking_delta") got.thinking += delta.thinking;
    else if (delta.type === "text_delta") got.text += delta.text;
    else if (delta.type === "input_json_delta") got.input += delta.partial_json;
  }
  return lengths(got);
}

async function readOpenaiSdk(wire, fetch, baseURL) {
  const got = empty();
  const client = new OpenAI({ apiKey: key, fetch, baseURL, maxRetries: 0 });
  if (wire === "openai-responses") {
    const stream = await client.responses.create({ model: "gpt-5", input: prompt, stream: true });
    for await (const { type, delta } of stream) {
      if (type === "response.reasoning_summary_text.delta") got.thinking += delta;
      else if (type === "response.output_text.delta") got.text += delta;
      else if (type === "response.function_call_arguments.delta") got.input += delta;
    }
    return lengths(got);
  }
  const messages = [{ role: "user", content: prompt }];
  const stream = await client.chat.completions.create({ model: "gpt-5", messages, stream: true });
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta;
    if (delta?.reasoning_content) got.thinking += delta.reasoning_content;
    if (delta?.content) got.text += delta.content;
    if (delta?.tool_calls) got.input += delta.tool_calls[0].function.arguments;
  }
  return lengths(got);
}

async function readGoogleSdk(wire, _fetch, baseUrl) {
  const got = empty();
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } });
  const stream = await client.models.generateContentStream({
    model: models[wire],
    contents: prompt,
  });
  for await (const { candidates } of stream) {
    for (const part of candidates?.[0]?.content?.parts ?? []) {
      if (part.functionCall) got.input += JSON.stringify(part.functionCall.args);
      else if (part.thought) got.thinking += part.text;
      else got.text += part.text ?? "";
    }
  }
  return lengths(got);
}

function aiSdkModel(wire, fetch, baseUrl) {
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

/** Both layers of the AI SDK name their parts alike. */
function takePart(part, got) {
  if (part.type === "reasoning-delta") got.thinking += part.text ?? part.delta;
  else if (part.type === "text-delta") got.text += part.text ?? part.delta;
  else if (part.type === "tool-input-delta") got.input += part.delta ?? part.text;
}

async function readAiSdk(wire, fetch, baseUrl) {
  const got = empty();
  const result = streamText({
    model: aiSdkModel(wire, fetch, baseUrl),
    prompt,
    tools: { note: tool({ description: "Notes", inputSchema: jsonSchema(schema) }) },
    maxRetries: 0,
    ...quiet,
  });
  for await (const part of result.fullStream) takePart(part, got);
  return lengths(got);
}

async function readAiSdkModel(wire, fetch, baseUrl) {
  const got = empty();
  const { stream } = await aiSdkModel(wire, fetch, baseUrl).doStream({
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

const piModels = {
  "anthropic-messages": ["anthropic", models["anthropic-messages"]],
  "openai-responses": ["openai", "gpt-5"],
  "openai-chat": ["deepseek", "deepseek-chat"],
  "google-generate": ["google", "gemini-2.5-pro"],
};

async function readPi(wire, _fetch, baseUrl) {
  const got = empty();
  const known = pi.getModel(...piModels[wire]);
  const model = known ?? {
    ...pi.getModel("openai", "gpt-5"),
    api: "openai-completions",
    provider: "deepseek",
  };
  const context = { messages: [{ role: "user", content: prompt, timestamp: 0 }] };
  const host = wire === "google-generate" ? `${baseUrl}/v1beta` : baseUrl;
  for await (const event of pi.stream({ ...model, baseUrl: host }, context, { apiKey: key })) {
    if (event.type === "thinking_delta") got.thinking += event.delta;
    else if (event.type === "text_delta") got.text += event.delta;
    else if (event.type === "toolcall_delta") got.input += event.delta;
    else if (event.type === "error") throw new Error(event.error.errorMessage);
  }
  return lengths(got);
}

function langchainModel(wire, fetch, baseUrl) {
  if (wire === "anthropic-messages") {
    return new ChatAnthropic({
      apiKey: key,
      model: models[wire],
      maxTokens: 2000,
      maxRetries: 0,
      clientOptions: { fetch, baseURL: baseUrl },
    });
  }
  if (wire === "google-generate") {
    return new ChatGoogleGenerativeAI({ apiKey: key, model: models[wire], baseUrl, maxRetries: 0 });
  }
  return new ChatOpenAI({
    apiKey: key,
    model: "gpt-5",
    useResponsesApi: wire === "openai-responses",
    maxRetries: 0,
    configuration: { fetch, baseURL: baseUrl },
  });
}

async function readLangchain(wire, fetch, baseUrl) {
  const got = empty();
  for await (const chunk of await langchainModel(wire, fetch, baseUrl).stream(prompt)) {
    if (typeof chunk.content === "string") got.text += chunk.content;
    else {
      for (const block of chunk.content) {
        if (block.type === "thinking") got.thinking += block.thinking ?? "";
        else if (block.type === "text") got.text += block.text ?? "";
      }
    }
    for (const call of chunk.tool_call_chunks ?? []) got.input += call.args ?? "";
  }
  return lengths(got);
}

function tanstackAdapter(wire, fetch, baseUrl) {
  const options = { fetch, baseURL: baseUrl, maxRetries: 0 };
  if (wire === "anthropic-messages") return createAnthropicChat(models[wire], key, options);
  if (wire === "google-generate") {
    return createGeminiChat(models[wire], key, { httpOptions: { baseUrl } });
  }
  return wire === "openai-responses"
    ? createOpenaiChat("gpt-5", key, options)
    : createOpenaiChatCompletions("gpt-5", key, options);
}

async function readTanstack(wire, fetch, baseUrl) {
  const got = empty();
  const events = chat({
    adapter: tanstackAdapter(wire, fetch, baseUrl),
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

const every = Object.keys(models);
const peer = (name, kind, wires, read) => ({ name, kind, wires, read: withGlobalFetch(read) });

export const peers = [
  peer("official SDK, raw", "raw", ["anthropic-messages"], readAnthropicSdk),
  peer("official SDK, raw", "raw", ["openai-responses", "openai-chat"], readOpenaiSdk),
  peer("official SDK, raw", "raw", ["google-generate"], readGoogleSdk),
  peer("AI SDK, model layer", "unified", every, readAiSdkModel),
  peer("AI SDK, streamText", "unified", every, readAiSdk),
  peer("pi-ai", "unified", every, readPi),
  peer("TanStack AI", "unified", every, readTanstack),
  peer("LangChain.js", "unified", every, readLangchain),
];
