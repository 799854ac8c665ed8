import { once } from "node:events";
import type { Clock } from "@mull/emulator";

export interface StandingClock {
  readonly clock: Clock;
  readonly letGo: () => void;
  /** Stops again until the next call. */
  readonly stand: () => void;
}

/**
 * A clock that stands still until the test releases it, so that a paced answer waits for the test.
 */
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
