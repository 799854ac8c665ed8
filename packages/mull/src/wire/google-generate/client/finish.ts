import type { Finish, FinishReason } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { Usage } from "../../../types/usage.ts";

const reasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["STOP", "stop"],
  ["OTHER", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["LANGUAGE", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  // Enum numbers, as some proxies and older clients write them.
  ["1", "stop"],
  ["2", "length"],
  ["3", "content-filter"],
  ["4", "content-filter"],
  ["5", "stop"],
]);

const imageFilter = /^IMAGE_(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$/;

const failures: ReadonlySet<string> = new Set(
  (
    "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS " +
    "MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE NO_IMAGE IMAGE_OTHER"
  ).split(" "),
);

/** Whether a finish word belongs to this service and not to another wire. */
export const isFinishWord = (word: string): boolean =>
  reasons.has(word) || imageFilter.test(word) || failures.has(word);

export interface FinishFacts {
  readonly raw: string | undefined;
  readonly message: string | undefined;
  readonly hasCall: boolean;
  readonly hasText: boolean;
  readonly usage: Usage;
}

export function readFinish({ raw, message, hasCall, hasText, usage }: FinishFacts): Finish {
  if (raw === undefined) {
    const note = message ?? "The service gave no finish reason.";
    return { reason: hasCall ? "tool-calls" : "stop", note };
  }
  const known = reasons.get(raw) ?? (imageFilter.test(raw) ? "content-filter" : "error");
  const reason = known === "stop" && hasCall ? "tool-calls" : known;
  const note = message ?? explain(raw, reason, hasText, usage);
  return { reason, raw, ...(note !== undefined && { note }) };
}

function explain(
  raw: string,
  reason: FinishReason,
  hasText: boolean,
  usage: Usage,
): string | undefined {
  if (reason === "length" && !hasText && (usage.thinking ?? 0) > 0) {
    return "Thinking used up the output limit; there is no answer.";
  }
  if (raw === "OTHER") return "The service stopped for a reason it does not name.";
  return reason === "error" ? `The service ended the answer with ${raw}.` : undefined;
}

/** The finish word of an answer; `undefined` if the service sent none. */
export function finishWord(value: unknown): string | undefined {
  if (typeof value === "number") return value === 0 ? undefined : String(value);
  return typeof value === "string" && value !== "FINISH_REASON_UNSPECIFIED" ? value : undefined;
}

/** Reads the feedback of a blocked prompt. It is the whole answer: there is no candidate, and the status is 200. */
export function readBlock(feedback: unknown): Finish | undefined {
  if (!isJsonObject(feedback)) return undefined;
  const { blockReason: raw, blockReasonMessage: text } = feedback;
  if (typeof raw !== "string" || /^BLOCK(?:ED)?_REASON_UNSPECIFIED$/.test(raw)) return undefined;
  const note = typeof text === "string" ? text : "The prompt was blocked.";
  return { reason: "content-filter", raw, note };
}
