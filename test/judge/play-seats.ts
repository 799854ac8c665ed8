import { isMullError, levels, type Level } from "mull";
import { cases } from "./cases.ts";
import type { Sample } from "./docket.ts";

/** Conversations of which no request can be made: they are refused before anything is sent. */
export const declined: readonly { readonly message: RegExp; readonly reason: string }[] = [
  {
    message: /^reasoning_effort: Function tools with reasoning_effort are not supported/,
    reason: "on Chat Completions these models take tools only with thinking off, and cannot be off",
  },
];

export interface Played {
  readonly failures: readonly string[];
  /** How many were declined, for each row of the table. */
  readonly declines: readonly number[];
}

/** Plays every case of these models at every level; all words must be found in what is played. */
export async function playSeats(
  refs: readonly string[],
  words: readonly string[],
  show: (sample: Sample) => void,
): Promise<Played> {
  const failures: string[] = [];
  const declines = declined.map(() => 0);
  const play = async (ref: string, level: Level, name: string): Promise<void> => {
    const where = `${ref} ${level}, ${name}`;
    if (!words.every((word) => where.includes(word))) return;
    let request = 0;
    try {
      await cases[name]!({
        ref,
        level,
        show: (captured) => show({ ...captured, where: `${where}, request ${++request}` }),
      });
    } catch (error) {
      const row = declined.findIndex(
        ({ message }) =>
          isMullError(error) && error.code === "preflight" && message.test(error.message),
      );
      if (row >= 0) declines[row]!++;
      else failures.push(`FAILED ${where}, request ${request}: ${String(error)}`);
    }
  };
  for (const ref of refs)
    for (const level of levels) for (const name of Object.keys(cases)) await play(ref, level, name);
  return { failures, declines };
}
