import type { FinishReason, Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { Usage } from "../../../types/usage.ts";
import type { ServeContext } from "../../../types/wire.ts";
import { isFinishWord, readBlock } from "../client/finish.ts";
import { writeParts as writeSent } from "../client/messages.ts";

const words: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  refusal: "SAFETY",
  pause: "CONTINUATION",
  "max-steps": "STOP",
  error: "MALFORMED_RESPONSE",
};

/** Metadata that stands beside the candidates; the rest stands on the first of them. */
const topLevel: ReadonlySet<string> = new Set(["promptFeedback", "modelStatus", "createTime"]);

export const encodeReply = (reply: Reply, context: ServeContext): JsonObject =>
  writeChunk(
    reply,
    context,
    writeParts(reply.message.parts),
    writeUsage(reply.usage, context),
    true,
  );

/**
 * Writes a streamed answer: one response object for each piece of text and each other part, and a
 * last one with the finish reason.
 */
export function encodeStream(reply: Reply, context: ServeContext): readonly ServerSentEvent[] {
  const pieces = reply.message.parts.flatMap((part) => piecesOf(part, context));
  const usage = writeUsage(reply.usage, context);
  const length = pieces.reduce((sum, { size }) => sum + size, 0);
  let sent = 0;
  const chunks = pieces.map(({ part, size }) => {
    sent += size;
    return writeChunk(reply, context, [part], usageSoFar(usage, sent / length), false);
  });
  const end = writeChunk(reply, context, [{ text: "" }], usage, true);
  return [...chunks, end].map((chunk) => ({ data: JSON.stringify(chunk) }));
}

const writeParts = (parts: readonly AssistantPart[]): readonly JsonObject[] =>
  writeSent(parts, origin, {
    target: { model: { id: "" } },
    sentIds: new Set(),
    looseFiles: undefined,
  });

/** Every thought is the service's own here. */
const origin = { wire: "google-generate", provider: "google", model: "" } as const;

interface Piece {
  readonly part: JsonObject;
  readonly size: number;
}

/** A signature goes with the whole of its text: pieces of a signed part would be parts of their own. */
function piecesOf(part: AssistantPart, context: ServeContext): readonly Piece[] {
  const isPlain = part.type === "text" || part.type === "thinking";
  if (!isPlain || part.seal !== undefined || part.extra !== undefined) {
    return writeParts([part]).map((whole) => ({ part: whole, size: 1 }));
  }
  return context.pieces(part.text).flatMap((text) => {
    const size = part.type === "text" ? text.length : 0;
    return writeParts([{ ...part, text }]).map((piece) => ({ part: piece, size }));
  });
}

function writeChunk(
  reply: Reply,
  context: ServeContext,
  parts: readonly JsonObject[],
  usage: JsonObject,
  isLast: boolean,
): JsonObject {
  const { alternatives, ...metadata } = isLast ? (reply.metadata ?? {}) : {};
  const beside = Object.entries(metadata).filter(([key]) => topLevel.has(key));
  const inside = Object.entries(metadata).filter(([key]) => !topLevel.has(key));
  const content = { ...(parts.length > 0 && { parts }), role: "model" };
  const candidate: JsonObject = {
    content,
    ...(isLast && writeFinish(reply)),
    index: 0,
    ...Object.fromEntries(inside),
  };
  const others = Array.isArray(alternatives) ? alternatives.filter(isJsonObject) : [];
  const blocked = readBlock(metadata["promptFeedback"]);
  const isBlocked = blocked !== undefined && blocked.raw === reply.finish.raw;
  return {
    ...(!isBlocked && { candidates: [candidate, ...others] }),
    ...Object.fromEntries(beside),
    usageMetadata: usage,
    modelVersion: reply.servedModel ?? context.model,
    responseId: reply.id ?? context.id,
  };
}

function writeFinish({ finish }: Reply): JsonObject {
  const isOurs = finish.raw !== undefined && isFinishWord(finish.raw);
  return {
    finishReason: isOurs ? finish.raw : words[finish.reason],
    ...(finish.note !== undefined && { finishMessage: finish.note }),
  };
}

/** `promptTokenCount` includes what came from the cache, `candidatesTokenCount` leaves thoughts out. */
function writeUsage(usage: Usage, { request }: ServeContext): JsonObject {
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
