import type { FinishReason, Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { Usage } from "../../../types/usage.ts";
import type { ServeContext, ServeError, WireMirror } from "../../../types/wire.ts";
import { decodeRequest } from "./read-request.ts";
import { replyDeltas, replyMessage } from "./write-reply.ts";

const finishWords: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "content_filter",
  refusal: "stop",
  pause: "stop",
  "max-steps": "stop",
  error: "error",
};

const finishWord = ({ finish }: Reply): string => finish.raw ?? finishWords[finish.reason];

function encodeReply(reply: Reply, context: ServeContext): JsonObject {
  const choice = {
    index: 0,
    message: replyMessage(reply.message.parts),
    logprobs: null,
    finish_reason: finishWord(reply),
  };
  const usage = encodeUsage(reply.usage);
  return {
    ...header(reply, context, "chat.completion"),
    choices: [choice],
    ...(usage !== undefined && { usage }),
    ...reply.metadata,
  };
}

const header = (reply: Reply, context: ServeContext, object: string): JsonObject => ({
  id: reply.id ?? context.id,
  object,
  created: context.created,
  model: reply.servedModel ?? context.model,
  service_tier: reply.metadata?.["service_tier"] ?? null,
  system_fingerprint: reply.metadata?.["system_fingerprint"] ?? null,
});

function encodeStream(reply: Reply, context: ServeContext): readonly ServerSentEvent[] {
  const head = header(reply, context, "chat.completion.chunk");
  const usage = asksForUsage(context) ? encodeUsage(reply.usage) : undefined;
  const chunk = (delta: JsonObject, finish: string | null, more?: JsonObject): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(usage !== undefined && { usage: null }),
    ...more,
  });
  const chunks = [
    chunk({ role: "assistant", content: "", refusal: null }, null, reply.metadata),
    ...replyDeltas(reply.message.parts, context.pieces).map((delta) => chunk(delta, null)),
    chunk({}, finishWord(reply)),
    ...(usage === undefined ? [] : [{ ...head, choices: [], usage }]),
  ];
  return [...chunks.map((data) => ({ data: JSON.stringify(data) })), { data: "[DONE]" }];
}

function asksForUsage({ request }: ServeContext): boolean {
  if (request === undefined) return true;
  const options = request.extra?.["stream_options"];
  return JSON.stringify(options)?.includes('"include_usage":true') ?? false;
}

/** The service's own object where it is known, else one that says the same. */
function encodeUsage(usage: Usage): JsonObject | undefined {
  if (usage.raw !== undefined) return usage.raw;
  const { input, cacheRead, cacheWrite, output, thinking, total } = usage;
  if (input === undefined && output === undefined) return undefined;
  const prompt = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const completion = (output ?? 0) + (thinking ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total ?? prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cacheRead ?? 0,
      audio_tokens: 0,
      ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: {
      reasoning_tokens: thinking ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

const encodeError = ({ message, type, param, code }: ServeError): JsonObject => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});

/** The service's side of Chat Completions. */
export const openaiChatMirror: WireMirror = {
  id: "openai-chat",
  decodeRequest,
  encodeReply,
  encodeStream,
  encodeError,
  encodeStreamError: (error) => [{ data: JSON.stringify(encodeError(error)) }],
};
