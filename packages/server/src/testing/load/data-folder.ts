import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = `mull-load-${process.pid}-`;

/** A folder for a database. */
export const dataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), prefix));

/** Removes the folders of this process. */
export async function removeFolders(): Promise<void> {
  const names = await readdir(tmpdir());
  const own = names.filter((name) => name.startsWith(prefix));
  await Promise.all(own.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
}
