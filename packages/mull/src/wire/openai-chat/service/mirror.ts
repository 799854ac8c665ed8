import type { FinishReason, Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { ServeContext, StreamWriter, WireMirror } from "../../../types/wire.ts";
import { encodeError } from "../../common/openai-errors.ts";
import {
  createStreamWriter,
  makeMirror,
  speaks,
  tellRefusal,
  type Strokes,
} from "../../common/stream-writer.ts";
import { wire } from "../client/message-parts.ts";
import { decodeRequest } from "./read-request.ts";
import {
  besideMessage,
  closePart,
  openPart,
  partDelta,
  replyMessage,
  type OpenPart,
} from "./write-reply.ts";

/** Every other reason is `stop`. */
const finishWords: Readonly<Partial<Record<FinishReason, string>>> = {
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "content_filter",
  error: "error",
};

const finishWord = (reply: Reply): string =>
  (speaks(reply, wire) ? reply.finish.raw : undefined) ??
  finishWords[reply.finish.reason] ??
  "stop";

const metadataOf = (reply: Reply | undefined): JsonObject =>
  reply !== undefined && speaks(reply, wire) ? (reply.metadata ?? {}) : {};

function encodeReply(reply: Reply, context: ServeContext): JsonObject {
  const choice = {
    index: 0,
    message: replyMessage(reply.message.parts),
    logprobs: null,
    finish_reason: finishWord(tellRefusal(reply, false)),
  };
  const usage = encodeUsage(reply);
  const names = { id: reply.id ?? context.id, model: reply.servedModel ?? context.model };
  return {
    object: "chat.completion",
    ...header({ ...context, ...names, reply }),
    choices: [choice],
    ...(usage !== undefined && { usage }),
    ...metadataOf(reply),
  };
}

function header({ id, model, created, reply }: ServeContext): JsonObject {
  const { service_tier = null, system_fingerprint = null } = metadataOf(reply);
  return { id, created, model, service_tier, system_fingerprint };
}

function openStream(context: ServeContext): StreamWriter {
  const withUsage = asksForUsage(context);
  let head = header(context);
  let calls = 0;
  const chunkOf = (fields: JsonObject): ServerSentEvent =>
    frame({ object: "chat.completion.chunk", ...head, ...fields });
  const chunk = (
    delta: JsonObject,
    finish: string | null = null,
    more?: JsonObject,
  ): ServerSentEvent =>
    chunkOf({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage && { usage: null }),
      ...more,
    });

  const strokes: Strokes<OpenPart> = {
    start: ({ id = context.id, model = context.model }) => {
      head = { ...head, id, model };
      const delta = { role: "assistant", content: "", refusal: null };
      return [chunk(delta, null, metadataOf(context.reply))];
    },
    open: (part, out) => {
      const { open, delta } = openPart(part, calls);
      if (open?.type === "call") calls++;
      if (delta !== undefined) out.push(chunk(delta));
      return open;
    },
    delta: (open, text) => partDelta(open, text).map((delta) => chunk(delta)),
    close: (open, part) => closePart(open, part).map((delta) => chunk(delta)),
    finish: (reply) => {
      const beside = besideMessage(reply.message.parts);
      const usage = withUsage ? encodeUsage(reply) : undefined;
      const late = context.reply === undefined ? metadataOf(reply) : {};
      return [
        ...(beside === undefined ? [] : [chunk(beside)]),
        chunk({}, finishWord(tellRefusal(reply, context.reply === undefined)), late),
        ...(usage === undefined ? [] : [chunkOf({ choices: [], usage })]),
        { data: "[DONE]" },
      ];
    },
    fail: (error) => [frame(encodeError(error))],
  };
  return createStreamWriter(strokes, context);
}

const frame = (data: JsonObject): ServerSentEvent => ({ data: JSON.stringify(data) });

function asksForUsage({ request }: ServeContext): boolean {
  if (request === undefined) return true;
  const options = request.extra?.["stream_options"];
  return JSON.stringify(options)?.includes('"include_usage":true') ?? false;
}

/** The service's own object if it is known, else one that says the same. */
function encodeUsage(reply: Reply): JsonObject | undefined {
  const { usage } = reply;
  if (usage.raw !== undefined && speaks(reply, wire)) return usage.raw;
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

/** The service's side of Chat Completions. */
export const openaiChatMirror: WireMirror = makeMirror({
  id: wire,
  decodeRequest,
  encodeReply,
  openStream,
  encodeError,
});
