import type { StreamEvent, TextPart, WireId } from "mull";

/** Joins texts that follow one another, e.g. `It is ` and a signed `42.`. */
export interface TextJoiner {
  readonly push: (event: StreamEvent) => readonly StreamEvent[];
  /** The piece at the end of a joined text that its seal is of, by the index of the text. */
  readonly sealed: ReadonlyMap<number, string>;
}

/**
 * Gemini signs the last piece of a text, or an empty text behind it. Each would be a block of its
 * own, and Claude Code and Codex print only the last one. So a text stays open until something else comes.
 */
export const textJoinerFor = (wire: WireId, from: WireId): TextJoiner | undefined =>
  wire !== "google-generate" && from === "google-generate" ? createTextJoiner() : undefined;

function createTextJoiner(): TextJoiner {
  let open: { readonly index: number; readonly part: TextPart } | undefined;
  const sealed = new Map<number, string>();

  const close = (): readonly StreamEvent[] => {
    if (open === undefined) return [];
    const { index, part } = open;
    open = undefined;
    return [{ type: "part", index, part }];
  };

  const push = (event: StreamEvent): readonly StreamEvent[] => {
    if (event.type === "heartbeat") return [event];
    if (event.type === "text")
      return open === undefined ? [event] : [{ ...event, index: open.index }];
    if (event.type !== "part" || event.part.type !== "text") return [...close(), event];
    const { index, part } = event;
    const head = open ?? { index, part: { text: "" } };
    open = { index: head.index, part: { ...part, text: head.part.text + part.text } };
    if (part.seal === undefined) return [];
    sealed.set(open.index, part.text);
    return close();
  };

  return { push, sealed };
}
