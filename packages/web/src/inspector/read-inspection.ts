import type { Finding, HistoryChange, JsonObject, Message, Note, Part, ThinkingPlan } from "mull";

/** The request that the server would send if the conversation continued now. */
export interface Inspection {
  readonly model: string;
  readonly level: string;
  readonly simulated: boolean;
  readonly path: string;
  readonly body: JsonObject;
  readonly plan: ThinkingPlan;
  readonly words: readonly string[];
  readonly history: readonly Message[];
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  readonly notes: readonly Note[];
  readonly lint: { readonly ok: boolean; readonly findings: readonly Finding[] };
  readonly predicted: number;
  readonly tokens: number;
}

export interface HistoryRow {
  readonly kind: string;
  readonly text: string;
  readonly fate: "same" | "changed" | "withheld";
  readonly detail?: string;
}

const kinds: Readonly<Record<Part["type"], string>> = {
  text: "text",
  thinking: "think",
  "tool-call": "call",
  "tool-result": "result",
  file: "file",
  opaque: "other",
};

const longest = 60;

function textOf(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "thinking":
      return `${part.seal?.origin.model ?? "unsealed"}${part.seal === undefined ? "" : ", sealed"}`;
    case "tool-call":
    case "tool-result":
      return part.name;
    case "file":
      return part.name ?? part.mediaType;
    case "opaque":
      return part.kind;
    default:
      return part satisfies never;
  }
}

const findChange = (
  list: readonly HistoryChange[],
  message: number,
  part: number,
): HistoryChange | undefined =>
  list.find((change) => change.message === message && (change.part ?? part) === part);

/**
 * What happens to a part, and why. Parts that were cut, and all parts of an answer that is left
 * out, are not sent.
 */
function fateOf(
  { withheld, changes }: Pick<Inspection, "withheld" | "changes">,
  part: Part,
  message: number,
  at: number,
): Pick<HistoryRow, "fate" | "detail"> {
  const gone = findChange(withheld, message, at);
  if (gone !== undefined) return { fate: "withheld", detail: gone.detail };
  if (part.send === false) return { fate: "withheld", detail: "broke off, never sent" };
  const changed = findChange(changes, message, at);
  if (changed === undefined) return { fate: "same" };
  const fate = changed.code === "empty-message" ? "withheld" : "changed";
  return { fate, detail: changed.detail };
}

/** Every part of the history, and what becomes of it on the way to this model. */
export function listHistory(
  inspection: Pick<Inspection, "history" | "withheld" | "changes">,
): readonly HistoryRow[] {
  const { history, changes } = inspection;
  const rows = history.flatMap((message, index) =>
    message.parts.map((part: Part, at): HistoryRow => {
      const text = textOf(part).replaceAll(/\s+/g, " ");
      return {
        kind:
          part.type === "text" && message.role !== "assistant" ? message.role : kinds[part.type],
        text: text.length > longest ? `${text.slice(0, longest)}…` : text,
        ...fateOf(inspection, part, index, at),
      };
    }),
  );
  const added = changes.filter(({ message }) => (history[message]?.parts ?? []).length === 0);
  return [
    ...rows,
    ...added.map(({ detail }): HistoryRow => ({ kind: "added", text: detail, fate: "changed" })),
  ];
}

export function describeLint({ findings }: Inspection["lint"]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const notes = findings.length - errors;
  return `${errors} ${errors === 1 ? "error" : "errors"} · ${notes} ${notes === 1 ? "note" : "notes"}`;
}
