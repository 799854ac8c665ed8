import { describe, expect, test } from "vitest";

import { runs } from "../runs.ts";
import { mutate, seededRandom } from "./mutations.ts";
import { outcomeOf, streamsOf, wireIds } from "./streams.ts";

/** `MULL_FUZZ_RUNS=1000000` for a long run, `MULL_FUZZ_SEED` to take another path or the same again. */
const count = Number(process.env["MULL_FUZZ_RUNS"] ?? runs(10_000));
const seed = Number(process.env["MULL_FUZZ_SEED"] ?? 20_261_115);

/** A million runs take minutes, and each stops where it must. */
const longest = 60_000 + count * 10;

describe.each(wireIds)("%s", (wire) => {
  const streams = streamsOf(wire);

  test(
    `F-G9 F-S9 F-S14 F-S16 ${count} damaged answers are read or refused, the same in any chunking`,
    () => {
      const random = seededRandom(seed);
      const untouched = Object.getOwnPropertyNames(Object.prototype).toSorted();
      const bugs: string[] = [];
      for (let run = 0; run < count && bugs.length < 3; run++) {
        const bytes = mutate(streams[run % streams.length]!.bytes, random);
        const chunkSize = 1 + Math.floor(random() * 300);
        try {
          const whole = outcomeOf(wire, bytes);
          if (run % 10 > 0) continue;
          expect(outcomeOf(wire, bytes, chunkSize)).toEqual(whole);
        } catch (error) {
          bugs.push(`run ${run} of seed ${seed}: ${String(error)}`);
        }
      }
      expect(bugs).toEqual([]);
      expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(untouched);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    },
    longest,
  );
});
