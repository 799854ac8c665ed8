import { access, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/**
 * Creates the data of a new database, whole or not at all: in another folder, synced file by file,
 * then renamed. The engine writes these files without sync, and a folder that was cut off half way
 * would never open again.
 */
export async function createDataIfMissing(folder: string): Promise<void> {
  if (await exists(join(folder, "PG_VERSION"))) return;
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  const db = await PGlite.create(draft);
  await db.close();
  await syncTree(draft);
  await rename(draft, folder);
  await sync(dirname(folder));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await sync(path);
  }
  await sync(folder);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
