import type { AssistantPart, JsonValue, ToolResultPart } from "mull";
import { whyNoMessage } from "../encode-message.ts";
import type { TurnDraft } from "../store.ts";

export type DraftKind = "part" | "intent" | "result";

/** One thing a running turn has finished. `content` is the JSON text of a part, a call id or a result. */
export interface DraftRow {
  readonly kind: DraftKind;
  readonly content: string;
}

/** What each kind must be, so that a turn can be closed with it. */
const isReadable: Readonly<Record<DraftKind, (value: unknown) => boolean>> = {
  part: (value) => whyNoMessage({ role: "assistant", parts: [value] }) === undefined,
  intent: (value) => typeof value === "string",
  result: (value) => whyNoMessage({ role: "tool", parts: [value] }) === undefined,
};

export function draftFrom(rows: readonly DraftRow[]): TurnDraft {
  const values = rows.map(({ kind, content }) => {
    const value = JSON.parse(content) as JsonValue;
    return { kind: isReadable[kind](value) ? kind : "unreadable", value };
  });
  const of = (kind: DraftKind | "unreadable"): readonly JsonValue[] =>
    values.flatMap((each) => (each.kind === kind ? [each.value] : []));
  const unreadable = of("unreadable");
  return {
    parts: of("part") as unknown as readonly AssistantPart[],
    intents: of("intent") as readonly string[],
    results: of("result") as unknown as readonly ToolResultPart[],
    ...(unreadable.length > 0 && { unreadable }),
  };
}
