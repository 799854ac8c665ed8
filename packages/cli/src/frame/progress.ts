import { clockSeconds } from "../repl/format.ts";
import type { Io } from "./io.ts";

/** How far a long command is, on the last row of a terminal. Elsewhere it says nothing. */
export interface Progress {
  /** Shows how far it is, and what comes now. */
  readonly begin: (what: string) => void;
  /** One more is done. Clears the row, so that a result can be printed there. */
  readonly done: () => void;
  readonly end: () => void;
}

export function createProgress(
  { redraw = () => {}, now, columns = 80 }: Pick<Io, "redraw" | "now" | "columns">,
  total: number,
): Progress {
  const startedAt = now();
  let count = 0;
  return {
    begin: (what) => {
      const line = describeProgress({ count, total, elapsedMs: now() - startedAt, what });
      // A row that wraps cannot be taken back.
      redraw(
        Array.from(line)
          .slice(0, columns - 1)
          .join(""),
      );
    },
    done: () => {
      count++;
      redraw("");
    },
    end: () => redraw(""),
  };
}

interface Stand {
  readonly count: number;
  readonly total: number;
  readonly elapsedMs: number;
  readonly what: string;
}

/** `3 of 8 done · about 12 s left · gpt-6-sol/max`. The first one has nothing to go by. */
function describeProgress({ count, total, elapsedMs, what }: Stand): string {
  const leftMs = count === 0 ? undefined : (elapsedMs / count) * (total - count);
  return [
    `${count} of ${total} done`,
    ...(leftMs === undefined ? [] : [`about ${clockSeconds(Math.max(1000, leftMs))} left`]),
    what,
  ].join(" · ");
}
