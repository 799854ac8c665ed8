import {
  compose,
  findModel,
  resolveModel,
  type AssistantMessage,
  type ChatRequest,
  type Composed,
  type ComposeContext,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolMessage,
  type UserMessage,
} from "mull";
import { readExchange } from "mull/wire";
import type { OpenLoopPolicy } from "mull/rules";

export const tools = [
  {
    name: "get_weather",
    inputSchema: { type: "object", properties: { city: { type: "string" } } },
  },
];

export const user = (text: string): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});

const originOf = (ref: string): { provider: string; endpoint: string; model: string } => {
  const { provider, model } = resolveModel(ref);
  return {
    provider: provider.id,
    endpoint: new URL(provider.baseUrl).origin,
    model: model.id,
  };
};

/** An answer as the model's service sent it, read the way the library reads it. */
export const answer = (ref: string, body: JsonObject, account?: string): AssistantMessage => {
  const { provider } = resolveModel(ref);
  return readExchange({
    wire: provider.wire.id,
    body: JSON.stringify(body),
    stream: false,
    ...originOf(ref),
    ...(account !== undefined && { account }),
    ...(provider.quirks !== undefined && { quirks: provider.quirks }),
  }).message;
};

export const results = (message: AssistantMessage, output = "9 degrees"): ToolMessage => ({
  role: "tool",
  parts: message.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ type: "tool-result" as const, callId: part.id, name: part.name, output }]
      : [],
  ),
});

export interface Asked extends Partial<ChatRequest> {
  readonly account?: string;
  readonly openLoop?: OpenLoopPolicy;
  readonly endpoint?: string;
}

/** The request a model would get for these messages, with tools, at `med`. */
export const composed = (
  ref: string,
  messages: readonly Message[],
  asked: Asked = {},
): Composed => {
  const { account, openLoop, endpoint, ...request } = asked;
  const context: ComposeContext = {
    endpoint: endpoint ?? originOf(ref).endpoint,
    modelOf: (id) => findModel(id),
    ...(account !== undefined && { account }),
    ...(openLoop !== undefined && { openLoop }),
  };
  return compose(resolveModel(ref), { messages, tools, level: "med", ...request }, context);
};

export const bodyFor = (ref: string, messages: readonly Message[], asked: Asked = {}): JsonObject =>
  composed(ref, messages, asked).encoded.body;

/** A list of objects somewhere in a body. */
export const listAt = (body: JsonObject, ...path: readonly (string | number)[]): JsonObject[] => {
  let value: unknown = body;
  for (const key of path) value = (value as Record<string | number, JsonValue>)[key];
  return value as JsonObject[];
};

export const signature = `EqQB${"A".repeat(60)}`;

export const claudeSays = (...content: readonly JsonObject[]): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content,
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
});
export const thought = (text = "hm", sign = signature): JsonObject => ({
  type: "thinking",
  thinking: text,
  signature: sign,
});
export const toolUse = (id = "toolu_1"): JsonObject => ({
  type: "tool_use",
  id,
  name: "get_weather",
  input: { city: "Oslo" },
});
export const words = (text: string): JsonObject => ({ type: "text", text });

export const gptSays = (...output: readonly JsonObject[]): JsonObject => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});
export const reasoning = (id = "rs_1", sealed = "gAAAAABsealed"): JsonObject => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text: "I look it up." }],
  encrypted_content: sealed,
});
export const functionCall = (id = "fc_1", callId = "call_1"): JsonObject => ({
  type: "function_call",
  id,
  call_id: callId,
  name: "get_weather",
  arguments: '{"city":"Oslo"}',
  status: "completed",
});
export const outputMessage = (text: string, id = "msg_1"): JsonObject => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

export const geminiSays = (...parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
export const geminiCall = (sealed?: string, city = "Oslo"): JsonObject => ({
  functionCall: { name: "get_weather", args: { city } },
  ...(sealed !== undefined && { thoughtSignature: sealed }),
});

export const deepseekSays = (message: JsonObject): JsonObject => ({
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
