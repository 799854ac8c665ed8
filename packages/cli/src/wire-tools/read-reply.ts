import { isMullError, type JsonValue, type MullError, type Reply, type WireId } from "mull";
import { readExchange, type Exchange } from "mull/wire";

import type { BatchLine } from "./batch.ts";
import { liftSide } from "./envelope.ts";
import { sealsOf, type SealView } from "./seals.ts";
import { readWire } from "./wire-words.ts";
import { UsageError } from "../frame/usage-error.ts";

/** What an answer says, in one flat shape for every wire. */
export interface ReplyView {
  readonly thinking: string;
  /** The same, block by block or summary part by summary part. */
  readonly thinkingParts: readonly string[];
  readonly text: string;
  readonly refusal?: string;
  /** `id` is null if the service gave none. */
  readonly toolCalls: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly input: JsonValue;
  }[];
  readonly seals: readonly SealView[];
  readonly finish: Reply["finish"];
  readonly usage: Reply["usage"];
  readonly model: string | null;
  readonly id: string | null;
}

export interface ErrorView {
  readonly category: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string;
  readonly retryAfterMs: number | null;
  readonly requestId?: string;
}

export interface DecodedError {
  readonly error: ErrorView;
  readonly partial: ReplyView | null;
}

export type DecodeOutcome = ReplyView | DecodedError;

/** Reads an answer. A refusal or a broken stream becomes the error form. */
export function decodeExchange(exchange: Exchange): DecodeOutcome {
  try {
    return viewReply(readExchange(exchange));
  } catch (error) {
    if (!isMullError(error)) throw error;
    return viewFailure(error, exchange.status);
  }
}

/** A refusal or a broken answer, with what had arrived. `answered` is the status of the answer. */
export function viewFailure(error: MullError, answered = 200): DecodedError {
  const status = error.status ?? answered;
  return {
    error: {
      category: error.category,
      status: status >= 300 || error.status !== undefined ? status : null,
      code: error.code ?? null,
      message: error.message,
      retryAfterMs: error.retryAfterMs ?? null,
      ...(error.requestId !== undefined && { requestId: error.requestId }),
    },
    partial: error.partial === undefined ? null : viewReply(error.partial),
  };
}

/** An answer in the flat shape. */
export function viewReply(reply: Reply): ReplyView {
  const { parts } = reply.message;
  const texts = parts.filter((part) => part.type === "text");
  const refusal = texts.flatMap((part) => (part.refusal ? [part.text] : [])).join("");
  const thinkingParts = parts.flatMap((part) =>
    part.type === "thinking" && part.text !== "" ? thoughtsOf(part.text, part.seal?.data) : [],
  );
  return {
    thinking: thinkingParts.join(""),
    thinkingParts,
    text: texts.flatMap((part) => (part.refusal ? [] : [part.text])).join(""),
    ...(refusal !== "" && { refusal }),
    toolCalls: parts.flatMap((part) =>
      part.type === "tool-call"
        ? [
            {
              id: part.localId ? null : part.id,
              name: part.name,
              input: part.invalid?.raw ?? part.input,
            },
          ]
        : [],
    ),
    seals: sealsOf(parts),
    finish: reply.finish,
    usage: reply.usage,
    model: reply.servedModel ?? null,
    id: reply.id ?? null,
  };
}

/** A reasoning item of the Responses API holds several summary parts; people read them as one. */
function thoughtsOf(
  text: string,
  sealed: { readonly [key: string]: JsonValue | undefined } | undefined,
): readonly string[] {
  const summary = sealed?.["summary"];
  if (!Array.isArray(summary) || summary.length < 2) return [text];
  const texts = (summary as readonly JsonValue[]).map((part) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string"
      ? part.text
      : "",
  );
  return texts.join("\n\n") === text ? texts : [text];
}

/** A logged answer as an envelope holds it: `{wire, stream, status, body | body_text, headers, model}`. */
export function exchangeOf(logged: BatchLine): Exchange {
  const envelope = liftSide(logged, "response");
  const { body, body_text: text, stream, headers, model } = envelope;
  const status = numberIn(envelope["status"]);
  const wire = readWire(envelope["wire"] ?? envelope["api"]);
  return {
    wire,
    body: bodyText(text ?? body),
    ...(typeof model !== "string" && { provider: homes[wire] }),
    ...(typeof stream === "boolean" && { stream }),
    ...(status !== undefined && { status }),
    ...(typeof model === "string" && { model }),
    ...(typeof headers === "object" && headers !== null && { headers: stringFields(headers) }),
  };
}

/** The provider assumed for each wire when none is named. */
export const homes: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai",
  "google-generate": "google",
};

export const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

export function bodyText(body: unknown): string {
  if (typeof body === "string") return body;
  if (body === undefined) throw new UsageError("There is no body: add `body` or `body_text`.");
  return JSON.stringify(body);
}

export const stringFields = (object: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
