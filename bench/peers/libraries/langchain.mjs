import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { hosts, key, lengths, look, models, nothing, partOf, prompt } from "./question.mjs";

function modelOf(wire, fetch, baseUrl) {
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

export async function read(wire, fetch, baseUrl) {
  const got = nothing();
  for await (const chunk of await modelOf(wire, fetch, baseUrl).stream(prompt)) {
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

const blockOf = (part) =>
  part.type === "thinking"
    ? { type: "thinking", thinking: part.text, signature: part.seal.data.signature }
    : part;

function toHistory(messages) {
  return messages.map((message) => {
    if (message.role === "user") return new HumanMessage(partOf(message, "text").text);
    if (message.role === "assistant") {
      const calls = message.parts.filter(({ type }) => type === "tool-call");
      return new AIMessage({
        content: message.parts.filter(({ type }) => type !== "tool-call").map(blockOf),
        tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input })),
      });
    }
    const { callId, name, output } = partOf(message, "tool-result");
    return new ToolMessage({ tool_call_id: callId, name, content: output });
  });
}

async function send(messages, fetch) {
  const { name, description, parameters } = look;
  const model = modelOf("anthropic-messages", fetch, hosts["anthropic-messages"]).bindTools([
    { name, description, input_schema: parameters },
  ]);
  for await (const _ of await model.stream(messages));
}

export const langchain = { toHistory, send };
