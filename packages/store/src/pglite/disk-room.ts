import { statfs } from "node:fs/promises";
import type { MullError } from "mull";
import { storeError } from "../store-error.ts";

export interface DiskRoomOptions {
  /** Writes are refused when less than this is free. 64 MB when left out. */
  readonly reserveBytes?: number;
  /** Free bytes where `folder` lies. Replaced in tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface DiskRoom {
  /** Why nothing may be written: `full`, when the disk might not hold it. */
  readonly whyFull: () => Promise<MullError | undefined>;
}

/** `with` begins both; what it names may write. */
export const isWriting = ({ text }: { readonly text: string }): boolean =>
  !/^\s*(select|checkpoint|commit|rollback)\b/i.test(text) &&
  (!/^\s*with\b/i.test(text) || /\b(insert|update|delete|merge)\b/i.test(text));

/**
 * The engine panics when the disk is full under its log, and a panic costs the process. So writes
 * are refused while there is still room for the log of what was let in.
 */
export function createDiskRoom(folder: string, options: DiskRoomOptions): DiskRoom {
  const reserve = options.reserveBytes ?? 64 * 1024 * 1024;
  const freeBytes = options.freeBytes ?? glanceAt();
  return {
    whyFull: async () => {
      const free = await freeBytes(folder);
      if (free >= reserve) return undefined;
      return storeError(
        "full",
        `The disk of ${folder} is almost full: ${free} bytes are free, ${reserve} are kept. ` +
          "Make room; writing then works again.",
      );
    },
  };
}

/** Looks at the disk only so often; the reserve covers what can be written in between. */
const glanceMs = 250;

function glanceAt(): (folder: string) => Promise<number> {
  let lookedAt = -Infinity;
  let free = 0;
  return async (folder) => {
    if (performance.now() - lookedAt < glanceMs) return free;
    const { bavail, bsize } = await statfs(folder);
    lookedAt = performance.now();
    free = bavail * bsize;
    return free;
  };
}
