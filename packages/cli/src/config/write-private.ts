import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";
import { makeFolder } from "./make-folder.ts";

/** Replaces a file that only its owner may read: whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(path));
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new UsageError(`Cannot write ${path}: ${fileTrouble(error)}. Nothing was changed.`);
  }
}
