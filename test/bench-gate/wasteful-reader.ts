import type { Contestant } from "../../bench/contestants/contestant.ts";
import { mull } from "../../bench/contestants/mull.ts";

/** Reads an answer as mull does, and once more. */
export const wasteful: Contestant = {
  ...mull,
  read: async (...given) => {
    await mull.read(...given);
    return mull.read(...given);
  },
};
