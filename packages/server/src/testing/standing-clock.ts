import { once } from "node:events";
import type { Clock } from "@mull/emulator";

export interface StandingClock {
  readonly clock: Clock;
  readonly letGo: () => void;
  /** Until it is let go once more. */
  readonly stand: () => void;
}

/** A clock that stands until it is let go: an answer with a pace waits for the test, not for time. */
export function standingClock(): StandingClock {
  let going = new AbortController();
  return {
    letGo: () => going.abort(),
    stand: () => {
      going = new AbortController();
    },
    clock: {
      now: Date.now,
      sleep: async (_, signal) => {
        if (going.signal.aborted) await new Promise(setImmediate);
        else if (!signal.aborted) await once(AbortSignal.any([going.signal, signal]), "abort");
      },
    },
  };
}
