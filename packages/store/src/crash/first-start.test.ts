import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { crashSeed, report, roundsOf } from "../../../../test/crash-rounds.ts";
import { seededRandom } from "../testing/index.ts";
import { pause, prepareChildren, type Children } from "./testing/child.ts";

const random = seededRandom(crashSeed());
let folder: string;
let children: Children;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-first-"));
  children = await prepareChildren();
}, 60_000);
afterEach(() => children.kill());
afterAll(async () => {
  await children.remove();
  await rm(folder, { recursive: true, force: true });
});

/** How long it takes from nothing to a store that is open. */
async function timeFirstStart(target: string): Promise<number> {
  const startedAt = performance.now();
  const child = children.start("turn-writer", target, "0");
  await child.waitFor("have ");
  const ms = performance.now() - startedAt;
  await child.kill();
  return ms;
}

test(
  "D2: killed in its first start, in migration and in recovery, PGlite opens next time",
  { timeout: 1_800_000 },
  async () => {
    const wholeMs = await timeFirstStart(join(folder, "timed"));
    const rounds = roundsOf("kill in a first start");
    for (let round = 0; round < rounds; round++) {
      const target = join(folder, `first-${round}`);
      for (const shareOfStart of [1.1, 0.7]) {
        const child = children.start("turn-writer", target, "0");
        await pause(random() * shareOfStart * wholeMs);
        await child.kill();
      }
      const next = children.start("turn-writer", target, "check");
      await next.waitFor("have ");
      expect([await next.ended, next.errors()]).toEqual([0, ""]);
      await rm(target, { recursive: true });
    }
    report("kill in a first start", rounds, "each killed again while it recovered");
  },
);
