import { askOptions } from "../ask/ask-options.ts";
import { commands } from "../commands.ts";
import type { Command, OptionSpec, OptionTable } from "../frame/command.ts";

/** Where in a call the cursor is. */
export interface CursorPlace {
  readonly command: Command | undefined;
  readonly options: OptionTable;
  /** Words of the command before the cursor, options and their values aside. */
  readonly words: readonly string[];
  /** The option whose value is being typed. */
  readonly valueOf: OptionSpec | undefined;
}

/** Reads the words before the cursor as `parseOptions` would. */
export function placeOf(before: readonly string[]): CursorPlace {
  let command: Command | undefined;
  let valueOf: OptionSpec | undefined;
  const words: string[] = [];
  for (const word of before) {
    if (valueOf !== undefined) {
      valueOf = undefined;
      continue;
    }
    if (word.startsWith("-")) {
      const spec = specOf(word, command?.options ?? askOptions);
      valueOf = spec?.type === "string" && !word.includes("=") ? spec : undefined;
      continue;
    }
    const named = words.length === 0 && command === undefined ? commandOf(word) : undefined;
    if (named === undefined) words.push(word);
    else command = named;
  }
  return { command, options: command?.options ?? askOptions, words, valueOf };
}

const commandOf = (word: string): Command | undefined => commands.find(({ name }) => name === word);

/** The option a word names: `--level`, `--level=high` or `-l`. */
export function specOf(word: string, options: OptionTable): OptionSpec | undefined {
  const name = word.replace(/^--/, "").replace(/=.*/, "");
  if (word.startsWith("--")) return Object.hasOwn(options, name) ? options[name] : undefined;
  return Object.values(options).find(({ short }) => word === `-${short}`);
}
