import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { key, lengths, look, models, nothing, partOf, prompt } from "./question.mjs";

const anthropic = (fetch, baseURL) => new Anthropic({ apiKey: key, fetch, baseURL, maxRetries: 0 });

export async function readAnthropic(wire, fetch, baseURL) {
  const got = nothing();
  const stream = await anthropic(fetch, baseURL).messages.create({
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

export async function readOpenai(wire, fetch, baseURL) {
  const got = nothing();
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

export async function readGoogle(wire, _fetch, baseUrl) {
  const got = nothing();
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

const blockOf = (part) => {
  if (part.type === "thinking") {
    return { type: "thinking", thinking: part.text, signature: part.seal.data.signature };
  }
  return part.type === "text"
    ? part
    : { type: "tool_use", id: part.id, name: part.name, input: part.input };
};

/** The service's own messages: there is nothing to convert. */
function toHistory(messages) {
  return messages.map((message) => {
    if (message.role === "user") return { role: "user", content: partOf(message, "text").text };
    if (message.role === "assistant") {
      return { role: "assistant", content: message.parts.map(blockOf) };
    }
    const { callId, output } = partOf(message, "tool-result");
    const result = { type: "tool_result", tool_use_id: callId, content: output };
    return { role: "user", content: [result] };
  });
}

async function send(messages, fetch) {
  const stream = await anthropic(fetch).messages.create({
    model: models["anthropic-messages"],
    max_tokens: 2000,
    stream: true,
    messages,
    tools: [{ name: look.name, description: look.description, input_schema: look.parameters }],
  });
  for await (const _ of stream);
}

export const official = { toHistory, send };
