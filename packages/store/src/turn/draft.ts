import type { AssistantPart, JsonValue, ToolResultPart } from "mull";
import { isMessage } from "../encode-message.ts";
import type { TurnDraft } from "../store.ts";
import type { TextPiece } from "./live-turns.ts";
import { openParts } from "./open-parts.ts";

export type DraftKind = "part" | "intent" | "result";

/** One thing a running turn has finished. `content` is the JSON text of a part, a call id or a result. */
export interface DraftRow {
  readonly kind: DraftKind;
  readonly content: string;
}

const isPart = (value: unknown): value is AssistantPart =>
  isMessage({ role: "assistant", parts: [value] });
const isResult = (value: unknown): value is ToolResultPart =>
  isMessage({ role: "tool", parts: [value] });

export function draftFrom(
  rows: readonly DraftRow[],
  texts: readonly Omit<TextPiece, "turnId">[] = [],
): TurnDraft {
  const parts: AssistantPart[] = [];
  const intents: string[] = [];
  const results: ToolResultPart[] = [];
  const unreadable: JsonValue[] = [];
  for (const { kind, content } of rows) {
    const value = JSON.parse(content) as JsonValue;
    if (kind === "part" && isPart(value)) parts.push(value);
    else if (kind === "intent" && typeof value === "string") intents.push(value);
    else if (kind === "result" && isResult(value)) results.push(value);
    else unreadable.push(value);
  }
  return {
    parts,
    intents,
    results,
    ...(texts.length > 0 && { open: openParts(texts) }),
    ...(unreadable.length > 0 && { unreadable }),
  };
}
