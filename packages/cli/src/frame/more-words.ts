import type { Command } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** The words themselves are not quoted: one of them may be a key. */
export function refuseMoreWords(
  { name, words, usage }: Pick<Command, "name" | "words" | "usage">,
  given: number,
): void {
  if (words === undefined || given <= words) return;
  const most = words === 0 ? "no words" : words === 1 ? "one word" : `${words} words at most`;
  throw new UsageError(`mull ${name} takes ${most}, not ${given}.`, usage);
}
