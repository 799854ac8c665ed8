import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { createDataIfMissing } from "./create-data.ts";
import { createStatements, type Statements } from "./statements.ts";
import { SyncedNodeFS } from "./synced-node-fs.ts";

export interface Engine extends Statements {
  readonly close: () => Promise<void>;
}

/**
 * `-F` turns fsync off. `wal_sync_method` must be `fsync`, because the default does nothing in this
 * engine. No checkpoint runs by itself, so we keep the log small from outside. Statistics use fewer
 * rows, because every caller waits for them. Plans are made while tables are small, and kept:
 * without bitmaps, a page of rows is read in index order instead of reading all rows for every
 * page.
 */
const settings = [
  "fsync=on",
  "wal_sync_method=fsync",
  "min_wal_size=32MB",
  "max_wal_size=128MB",
  "default_statistics_target=10",
  "enable_bitmapscan=off",
] as const;
const startParams: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...settings.flatMap((setting) => ["-c", setting]),
];

/**
 * Opens an engine whose commits are on disk when they return, or fails. The caller must hold the
 * lock on `folder`.
 */
export async function openEngine(folder: string): Promise<Engine> {
  await createDataIfMissing(folder);
  // It locks nothing here, and an empty one left by a start that was cut short would keep the
  // engine from opening.
  await rm(join(folder, "postmaster.pid"), { force: true });
  const files = new SyncedNodeFS(folder);
  const db = await PGlite.create({ fs: files, startParams: [...startParams] });
  const before = files.syncs;
  await db.query("select pg_logical_emit_message(true, 'mull', 'self-test')");
  if (files.syncs === before) {
    await db.close();
    throw new Error("PGlite committed without fsync: this version cannot keep data safe.");
  }
  return { ...createStatements(db), close: () => db.close() };
}
