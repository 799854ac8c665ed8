import type { Store, TurnEnd } from "@mull/store";
import { isLost } from "./save-turn.ts";

/**
 * Turns that are over and still run as far as the store knows. Their process lives, so nobody else
 * ends them, and until somebody does their conversations take no question.
 */
export interface UnendedTurns {
  readonly add: (userId: string, turnId: string, end: TurnEnd) => void;
  /** Ends them in the store. What it does not take is left for the next time. */
  readonly end: (store: Store) => Promise<void>;
}

export function createUnendedTurns(): UnendedTurns {
  const left = new Map<string, { readonly userId: string; readonly end: TurnEnd }>();
  return {
    add: (userId, turnId, end) => {
      left.set(turnId, { userId, end });
    },
    async end(store) {
      for (const [turnId, { userId, end }] of left) {
        try {
          await store.finishTurn(userId, turnId, end);
        } catch (error) {
          if (!isLost(error)) throw error;
        }
        left.delete(turnId);
      }
    },
  };
}
