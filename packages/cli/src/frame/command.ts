import type { Io } from "./io.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly many?: true;
  /** The value may be left out: `-r` and `-r NAME`. */
  readonly optionalValue?: true;
  /** The placeholder that help shows, e.g. `FILE`. */
  readonly value?: string;
  readonly help: string;
  /** Words the value may be; for completion and for "did you mean". */
  readonly choices?: readonly string[];
}

/** One form of what `--json` prints, and what its fields say. */
export interface JsonShape {
  readonly what: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Options and words of one call, as they were given. */
export interface Given {
  readonly words: readonly string[];
  /** The words after `--`; absent without `--`. */
  readonly afterDashes?: readonly string[];
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
}

/** Runs a command and says how it ended. */
export type RunCommand = (given: Given, io: Io) => Promise<number>;

/** One row: help, completion and the page of the command are made of it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly details?: readonly string[];
  readonly examples?: readonly string[];
  /** How many words it reads: more would be passed over in silence. Absent: any number. */
  readonly words?: number;
  /** Options that contradict each other; `WORD` stands for a word. */
  readonly excludes?: readonly (readonly [string, string])[];
  /** Options that do nothing unless one of the others is there. */
  readonly needs?: readonly (readonly [string, readonly string[]])[];
  readonly options: OptionTable;
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
