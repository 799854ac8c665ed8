import { statfs } from "node:fs/promises";
import type { MullError } from "mull";
import { storeError } from "../store-error.ts";

export interface DiskRoomOptions {
  /** Refuses writes when less than this is free. Default 64 MB. */
  readonly reserveBytes?: number;
  /** Free bytes on the disk of `folder`. Tests replace it. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface DiskRoom {
  /** Why writes are refused: `full` means that the disk might not hold them. */
  readonly whyFull: () => Promise<MullError | undefined>;
}

/** A statement that starts with `with` may write, depending on what it names. */
export const isWriting = ({ text }: { readonly text: string }): boolean =>
  !/^\s*(select|checkpoint|commit|rollback)\b/i.test(text) &&
  (!/^\s*with\b/i.test(text) || /\b(insert|update|delete|merge)\b/i.test(text));

/**
 * When the disk is full under its log, the engine panics and takes the process with it. So writes
 * are refused while there is still room for the log of those already let in.
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
          "Free some space, and writing works again.",
      );
    },
  };
}

/** Looks at the disk only this often; the reserve covers what can be written in between. */
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
