import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../testing/index.ts";
import { crashRounds, killChildren, pause, startChild } from "./testing/child.ts";

const random = seededRandom(Number(process.env["MULL_CRASH_SEED"] ?? 1));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-first-"));
});
afterEach(killChildren);
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  "D2: killed in its first start, in migration and in recovery, PGlite opens next time",
  { timeout: 900_000 },
  async () => {
    for (let round = 0; round < crashRounds(1); round++) {
      const target = join(folder, `first-${round}`);
      for (const longestMs of [5000, 2500]) {
        const child = startChild("turn-writer", target);
        await pause(700 + random() * longestMs);
        await child.kill();
      }
      const next = startChild("turn-writer", target, "check");
      await next.waitFor("have ");
      expect(await next.ended).toBe(0);
      await rm(target, { recursive: true });
    }
  },
);
