import type { AssistantPart, ToolResultPart } from "mull";
import type { TurnDraft } from "../store.ts";

export type DraftKind = "part" | "intent" | "result";

/** One thing a running turn has finished. `content` is the JSON text of a part, a call id or a result. */
export interface DraftRow {
  readonly kind: DraftKind;
  readonly content: string;
}

export function draftFrom(rows: readonly DraftRow[]): TurnDraft {
  const contents = (kind: DraftKind): readonly unknown[] =>
    rows.flatMap((row) => (row.kind === kind ? [JSON.parse(row.content) as unknown] : []));
  return {
    parts: contents("part") as readonly AssistantPart[],
    intents: contents("intent") as readonly string[],
    results: contents("result") as readonly ToolResultPart[],
  };
}
