import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crashStage } from "./testing/stage.ts";

const stage = crashStage("holder");

test(
  "F-D4: the second process is refused with the holder's pid; after kill -9 the next opens",
  { timeout: 120_000 },
  async () => {
    const first = stage.children.start("holder", stage.folder);
    await first.waitFor("holds");
    const second = stage.children.start("holder", stage.folder);
    expect(await second.waitFor("refused")).toContain(`process ${first.pid}.`);
    await second.ended;
    await first.kill();
    const third = stage.children.start("holder", stage.folder);
    await third.waitFor("holds");
    await third.kill();
  },
);

test(
  "F-D14: an engine that broke acknowledges nothing more; the process ends, a restart recovers",
  { timeout: 120_000 },
  async () => {
    const folder = join(stage.folder, randomUUID());
    const poisoned = stage.children.start("poisoner", folder);
    expect(await poisoned.ended).toBe(70);
    expect(poisoned.lines).toEqual(["failed broken", "failed broken", "failed broken"]);
    expect(poisoned.errors()).toContain("Restart");
    const log = join(folder, "database", "pg_wal");
    await rm(log, { recursive: true, force: true });
    await rename(`${log}.away`, log);
    const next = stage.children.start("turn-writer", folder, "check");
    await next.waitFor("have ");
    expect(await next.ended).toBe(0);
  },
);
