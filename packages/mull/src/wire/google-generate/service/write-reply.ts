import type { FinishReason, Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { ServeContext, ServeError, StreamWriter } from "../../../types/wire.ts";
import { createStreamWriter, speaks, type Strokes } from "../../common/stream-writer.ts";
import { writeBody } from "../../common/write-body.ts";
import { isFinishWord, readBlock } from "../client/finish.ts";
import { wire } from "../client/parts.ts";
import { writeParts as writeSent } from "../client/messages.ts";

/** Every other reason is `STOP`. */
const words: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  refusal: "SAFETY",
  pause: "CONTINUATION",
  error: "MALFORMED_RESPONSE",
};

/** Metadata that stands next to the candidates; the rest stands in the first of them. */
const topLevel: ReadonlySet<string> = new Set(["promptFeedback", "modelStatus", "createTime"]);

export const encodeReply = (reply: Reply, context: ServeContext): JsonObject =>
  writeLast(reply, context, writeParts(reply.message.parts));

interface OpenPart {
  readonly type: AssistantPart["type"];
  /** Pieces of it have gone out. */
  isStreamed: boolean;
}

/**
 * One response object a piece of text, one for any other part, and a last one with the reason. A
 * signature that comes after streamed text gets an empty part of its own, as the service does it.
 */
export function openStream(
  context: ServeContext,
  encodeError: (error: ServeError) => JsonObject,
): StreamWriter {
  const { reply } = context;
  const usage = reply && writeUsage(reply, context);
  const length = (reply?.message.parts ?? []).reduce((sum, part) => sum + sizeOf(part), 0);
  let served: ServeContext = context;
  let sent = 0;

  const chunk = (part: AssistantPart): readonly ServerSentEvent[] => {
    sent += sizeOf(part);
    return writeParts([part]).map((written) => {
      const body = {
        candidates: [{ content: { parts: [written], role: "model" }, index: 0 }],
        ...(usage && { usageMetadata: usageSoFar(usage, sent / length) }),
        ...namesOf(served),
      };
      return { data: writeBody(body, [{ role: "assistant", parts: [part] }]) };
    });
  };

  const strokes: Strokes<OpenPart> = {
    start: ({ id = context.id, model = context.model }) => {
      served = { ...context, id, model };
      return [];
    },
    open: ({ type }) => ({ type, isStreamed: false }),
    delta: (open, text) => {
      if (open.type !== "text" && open.type !== "thinking") return [];
      open.isStreamed = true;
      return chunk(
        open.type === "text"
          ? { type: "text", text }
          : { type: "thinking", text, visibility: "summary" },
      );
    },
    // A signature goes with the whole of its text: pieces of a signed part would be parts of their own.
    whole: (_open, part) => (isBound(part) ? [] : undefined),
    close: ({ isStreamed }, part) => {
      if (part.type !== "text" && part.type !== "thinking") return chunk(part);
      return isBound(part) ? chunk(isStreamed ? { ...part, text: "" } : part) : [];
    },
    finish: (whole) => [{ data: JSON.stringify(writeLast(whole, served, [{ text: "" }])) }],
    fail: (error) => [{ data: JSON.stringify(encodeError(error)) }],
  };
  return createStreamWriter(strokes, context);
}

const isBound = ({ seal, extra }: AssistantPart): boolean =>
  seal?.origin.wire === wire || extra?.wire === wire;

/** What a part adds to the running count of tokens; thinking is counted apart. */
const sizeOf = (part: AssistantPart): number => {
  if (part.type === "thinking") return 0;
  return part.type === "text" && !isBound(part) ? part.text.length : 1;
};

const writeParts = (parts: readonly AssistantPart[]): readonly JsonObject[] =>
  writeSent(parts, origin, {
    quirks: undefined,
    sentIds: new Set(),
    looseFiles: undefined,
  });

/** The mirror writes as Google's own service: every thought counts as its own. */
const origin = { wire, provider: "google", model: "" } as const;

const namesOf = ({ model, id }: ServeContext): JsonObject => ({
  modelVersion: model,
  responseId: id,
});

/** A whole answer, or the end of a streamed one. */
function writeLast(reply: Reply, context: ServeContext, parts: readonly JsonObject[]): JsonObject {
  const { alternatives, ...metadata } = speaks(reply, wire) ? (reply.metadata ?? {}) : {};
  const beside = Object.entries(metadata).filter(([key]) => topLevel.has(key));
  const inside = Object.entries(metadata).filter(([key]) => !topLevel.has(key));
  const candidate: JsonObject = {
    content: { ...(parts.length > 0 && { parts }), role: "model" },
    ...writeFinish(reply),
    index: 0,
    ...Object.fromEntries(inside),
  };
  const others = Array.isArray(alternatives) ? alternatives.filter(isJsonObject) : [];
  const blocked = readBlock(metadata["promptFeedback"]);
  const isBlocked = blocked !== undefined && blocked.raw === reply.finish.raw;
  return {
    ...(!isBlocked && { candidates: [candidate, ...others] }),
    ...Object.fromEntries(beside),
    usageMetadata: writeUsage(reply, context),
    ...namesOf({
      ...context,
      id: reply.id ?? context.id,
      model: reply.servedModel ?? context.model,
    }),
  };
}

function writeFinish({ finish }: Reply): JsonObject {
  const isOurs = finish.raw !== undefined && isFinishWord(finish.raw);
  return {
    finishReason: isOurs ? finish.raw : (words[finish.reason] ?? "STOP"),
    ...(finish.note !== undefined && { finishMessage: finish.note }),
  };
}

/** `promptTokenCount` includes what came from the cache, `candidatesTokenCount` leaves thoughts out. */
function writeUsage({ usage }: Reply, { request }: ServeContext): JsonObject {
  if (usage.raw !== undefined && "totalTokenCount" in usage.raw) return usage.raw;
  const { input = 0, cacheRead, cacheWrite = 0, output, thinking } = usage;
  const prompt = input + (cacheRead ?? 0) + cacheWrite;
  return {
    promptTokenCount: prompt,
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    ...(output !== undefined && { candidatesTokenCount: output }),
    totalTokenCount: prompt + (output ?? 0) + (thinking ?? 0),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(thinking !== undefined && { thoughtsTokenCount: thinking }),
    serviceTier: request?.extra?.["serviceTier"] ?? "standard",
  };
}

/** Counts run: each response object tells the tokens up to there. */
function usageSoFar(usage: JsonObject, share: number): JsonObject {
  const { candidatesTokenCount: all, candidatesTokensDetails: _, totalTokenCount, ...rest } = usage;
  if (typeof all !== "number" || typeof totalTokenCount !== "number") return usage;
  const candidatesTokenCount = Math.floor(all * share);
  return {
    ...rest,
    ...(candidatesTokenCount > 0 && { candidatesTokenCount }),
    totalTokenCount: totalTokenCount - all + candidatesTokenCount,
  };
}
