import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pgliteDriver } from "../pglite/pglite-driver.ts";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { newTalk, says } from "../testing/material.ts";

const megabyte = 1024 * 1024;
let folder: string;
let driver: SqlDriver;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-soak-"));
  driver = await pgliteDriver(folder, { checkpointBytes: 8 * megabyte, checkpointMs: 300 });
}, 60_000);
afterAll(async () => {
  await driver.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function logBytes(): Promise<number> {
  const log = join(folder, "database", "pg_wal");
  const names = await readdir(log);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(log, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("F-D15: the log stays small however much is written", { timeout: 120_000 }, async () => {
  const store = await postgresStore(driver);
  const { userId, conversationId } = await newTalk(store);
  const text = randomBytes(1.5 * megabyte).toString("base64");
  let largest = 0;
  for (let count = 0; count < 45; count++) {
    await store.appendMessages(userId, conversationId, null, [says(`${count} ${text}`)]);
    largest = Math.max(largest, await logBytes());
  }
  expect(largest).toBeLessThan(72 * megabyte);
});

test("F-D15: a checkpoint comes by time as well", { timeout: 30_000 }, async () => {
  const redo = async (): Promise<unknown> =>
    (await driver.query("select redo_lsn::text as at from pg_control_checkpoint()")).rows[0]?.[
      "at"
    ];
  const store = await postgresStore(driver);
  await newTalk(store);
  const before = await redo();
  await newTalk(store);
  await expect.poll(redo, { timeout: 10_000, interval: 100 }).not.toBe(before);
});

test("F-D15: the room of rows that were deleted is given back", { timeout: 60_000 }, async () => {
  await driver.query("create table litter (id int primary key, content text)");
  const sizeOf = async (): Promise<unknown> => {
    const text = "select pg_relation_size('litter')::float8 as size";
    return (await driver.query(text)).rows[0]?.["size"];
  };
  await driver.query(
    "insert into litter select n, repeat('x', 100) from generate_series(1, 5000) n",
  );
  await driver.query("delete from litter");
  expect(await sizeOf()).toBeGreaterThan(5000 * 100);
  const passTime = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 2000 }, () => driver.query("select 1")));
  await expect.poll(() => passTime().then(sizeOf), { timeout: 50_000, interval: 0 }).toBe(0);
});
