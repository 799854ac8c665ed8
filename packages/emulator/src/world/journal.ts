import type { JsonValue, WireId } from "mull";

/** One request and what became of it. */
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
  /** What rules remarked without refusing. */
  readonly warnings?: readonly string[];
  readonly body?: JsonValue;
}

export interface Journal {
  readonly write: (entry: Omit<JournalEntry, "number">) => void;
  readonly read: () => readonly JournalEntry[];
  readonly clear: () => void;
}

export const createJournal = (length: number): Journal => {
  let entries: JournalEntry[] = [];
  let written = 0;
  return {
    write: (entry) => {
      written += 1;
      entries.push({ number: written, ...entry });
      if (entries.length > length) entries = entries.slice(-Math.ceil(length / 2));
    },
    read: () => entries,
    clear: () => {
      entries = [];
    },
  };
};
