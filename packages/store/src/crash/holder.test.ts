import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { prepareChildren, type Children } from "./testing/child.ts";

let folder: string;
let children: Children;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-holder-"));
  children = await prepareChildren();
}, 60_000);
afterEach(() => children.kill());
afterAll(async () => {
  await children.remove();
  await rm(folder, { recursive: true, force: true });
});

test(
  "D4: the second process is refused with the holder's pid; after kill -9 the next opens",
  { timeout: 120_000 },
  async () => {
    const first = children.start("holder", folder);
    await first.waitFor("holds");
    const second = children.start("holder", folder);
    expect(await second.waitFor("refused")).toContain(`process ${first.pid}.`);
    await second.ended;
    await first.kill();
    const third = children.start("holder", folder);
    await third.waitFor("holds");
    await third.kill();
  },
);

test(
  "D14: an engine that broke acknowledges nothing more; the process ends, a restart recovers",
  { timeout: 120_000 },
  async () => {
    const poisoned = children.start("poisoner", folder);
    expect(await poisoned.ended).toBe(70);
    expect(poisoned.lines).toEqual(["failed broken", "failed broken", "failed broken"]);
    expect(poisoned.errors()).toContain("Restart");
    const log = join(folder, "database", "pg_wal");
    await rm(log, { recursive: true, force: true });
    await rename(`${log}.away`, log);
    const next = children.start("turn-writer", folder, "check");
    await next.waitFor("have ");
    expect(await next.ended).toBe(0);
  },
);
