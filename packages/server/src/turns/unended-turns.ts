import type { Store, TurnEnd } from "@mull/store";
import { isLost } from "./save-turn.ts";

/**
 * Turns that are over and still run as far as the store knows. Their process lives, so nobody else
 * ends them, and until somebody does their conversations take no question.
 */
export interface UnendedTurns {
  readonly add: (userId: string, turnId: string, end: TurnEnd) => void;
  /** Ends them in the store. What it does not take is left for the next time. */
  readonly end: () => Promise<void>;
}

export function createUnendedTurns(store: () => Promise<Store>): UnendedTurns {
  const left = new Map<string, { readonly userId: string; readonly end: TurnEnd }>();
  return {
    add: (userId, turnId, end) => {
      left.set(turnId, { userId, end });
    },
    async end() {
      const failures: unknown[] = [];
      for (const [turnId, { userId, end }] of left) {
        try {
          await (await store()).finishTurn(userId, turnId, end);
          left.delete(turnId);
        } catch (error) {
          if (isLost(error)) left.delete(turnId);
          else failures.push(error);
        }
      }
      // One that cannot be ended must not keep the others from it.
      if (failures.length > 0) throw failures[0];
    },
  };
}
