import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crashSeed, report, roundsOf } from "../../../../test/crash-rounds.ts";
import { seededRandom } from "../testing/index.ts";
import { pause } from "./testing/child.ts";
import { crashStage } from "./testing/stage.ts";

const random = seededRandom(crashSeed());
const stage = crashStage("first");

/** How long a store takes to open from nothing. */
async function timeFirstStart(target: string): Promise<number> {
  const startedAt = performance.now();
  const child = stage.children.start("turn-writer", target, "0");
  await child.waitFor("have ");
  const ms = performance.now() - startedAt;
  await child.kill();
  return ms;
}

test(
  "F-D2: killed in its first start, in migration and in recovery, PGlite opens next time",
  { timeout: 1_800_000 },
  async () => {
    const wholeMs = await timeFirstStart(join(stage.folder, "timed"));
    const rounds = roundsOf("kill in a first start");
    for (let round = 0; round < rounds; round++) {
      const target = join(stage.folder, `first-${round}`);
      for (const shareOfStart of [1.1, 0.7]) {
        const child = stage.children.start("turn-writer", target, "0");
        await pause(random() * shareOfStart * wholeMs);
        await child.kill();
      }
      const next = stage.children.start("turn-writer", target, "check");
      await next.waitFor("have ");
      expect([await next.ended, next.errors()]).toEqual([0, ""]);
      await rm(target, { recursive: true });
    }
    report("kill in a first start", rounds, "each killed again while it recovered");
  },
);
