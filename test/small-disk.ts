import { execFile } from "node:child_process";
import { open, rm, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { leaveOut } from "./left-out.ts";

const run = promisify(execFile);

/** A real file system with little room. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all room but so many bytes. What is taken already stays taken. */
  readonly fill: (leaveBytes: number) => Promise<void>;
  /** Gives it back. */
  readonly empty: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Mounts one of so many megabytes, for so many files, in memory; nothing, with a notice, where that is not allowed. */
export async function smallDisk(megabytes: number, files?: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "mull-disk-"));
  try {
    const size = [`size=${megabytes}m`, ...(files === undefined ? [] : [`nr_inodes=${files}`])];
    await run("mount", ["-t", "tmpfs", "-o", size.join(), "tmpfs", folder]);
  } catch {
    await rm(folder, { recursive: true });
    leaveOut("disk");
    return undefined;
  }
  const filler = join(folder, "filler");
  const empty = (): Promise<void> => rm(filler, { force: true });
  return {
    folder,
    fill: async (leaveBytes) => {
      const { bavail, bsize } = await statfs(folder);
      await addZeros(filler, bavail * bsize - leaveBytes);
    },
    empty,
    remove: async () => {
      await run("umount", ["-l", folder]);
      await rm(folder, { recursive: true });
    },
  };
}

async function addZeros(path: string, bytes: number): Promise<void> {
  const handle = await open(path, "a");
  const block = new Uint8Array(1024 * 1024);
  try {
    for (let left = bytes; left > 0;) {
      const { bytesWritten } = await handle.write(block, 0, Math.min(left, block.length));
      left -= bytesWritten;
    }
  } catch (error) {
    // Somebody else took the last of it.
    if ((error as { readonly code?: unknown }).code !== "ENOSPC") throw error;
  } finally {
    await handle.close();
  }
}
