import type { JsonValue, WireId } from "mull";

/** One request and how it was answered. */
export interface JournalEntry {
  readonly number: number;
  readonly method: string;
  /** Path and query; a key in the query is cut out. */
  readonly path: string;
  readonly wire?: WireId;
  readonly model?: string;
  readonly stream?: boolean;
  readonly status: number;
  /** `answered`, `refused` by a rule, `failed` by a fault or script, `unknown` route. */
  readonly verdict: "answered" | "refused" | "failed" | "unknown";
  /** Who answered. */
  readonly source?: "script" | "brain";
  /** The rule that refused, and the text sent. */
  readonly rule?: string;
  readonly message?: string;
  /** Warnings and advice of rules that did not refuse the request. */
  readonly warnings?: readonly string[];
  readonly body?: JsonValue;
}

export interface Journal {
  /** `size` is the length of the request's body. */
  readonly write: (entry: Omit<JournalEntry, "number">, size: number) => void;
  readonly read: () => readonly JournalEntry[];
  readonly clear: () => void;
}

/** Characters of request bodies that are kept; the oldest bodies go first. */
const mostCharacters = 16_000_000;

/** Keeps the last entries, and their bodies while there is room. */
export const createJournal = (length: number): Journal => {
  let kept: { entry: JournalEntry; size: number }[] = [];
  let written = 0;
  let characters = 0;
  const forgetBodies = (): void => {
    for (const item of kept) {
      if (characters <= mostCharacters) return;
      const { body: _, ...entry } = item.entry;
      characters -= item.size;
      item.entry = entry;
      item.size = 0;
    }
  };
  return {
    write: (entry, size) => {
      written += 1;
      characters += size;
      kept.push({ entry: { number: written, ...entry }, size });
      if (kept.length > length) {
        for (const gone of kept.splice(0, Math.ceil(length / 2))) characters -= gone.size;
      }
      forgetBodies();
    },
    read: () => kept.map(({ entry }) => entry),
    clear: () => {
      kept = [];
      characters = 0;
    },
  };
};
