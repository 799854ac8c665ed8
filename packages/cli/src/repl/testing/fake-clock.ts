import type { ReplClock } from "../terminal.ts";

/** A clock that goes on when the test says so. */
export interface FakeClock extends ReplClock {
  /** Lets time pass; what becomes due meanwhile is called at its own moment. */
  readonly pass: (ms: number) => void;
}

export function fakeClock(): FakeClock {
  let now = 0;
  let due: { readonly at: number; readonly call: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, call) => {
      const entry = { at: now + ms, call };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    pass: (ms) => {
      const end = now + ms;
      for (;;) {
        const next = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        due = due.filter((other) => other !== next);
        now = next.at;
        next.call();
      }
      now = end;
    },
  };
}
