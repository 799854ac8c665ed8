import { constants } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../make-folder.ts";
import { isNoRoom, storeError } from "../store-error.ts";

/** The calls that an append needs. Tests replace them to fill the disk. */
interface AppendHandle {
  readonly write: (
    bytes: Uint8Array,
    offset: number,
    length: number,
  ) => Promise<{ readonly bytesWritten: number }>;
  readonly datasync: () => Promise<void>;
  readonly truncate: (length: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type OpenForAppend = (path: string) => Promise<AppendHandle>;

/** Opens for append. A new file is private, and its name is synced before it has content. */
export const openForAppend: OpenForAppend = async (path) => {
  await makeFolder(dirname(path));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
  const handle = await open(path, flags, 0o600);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return handle;
};

export interface AppendFile {
  /** Appends records in order: all of them, or none if it fails. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Resolves when everything appended so far would survive a power cut. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface AppendStart {
  readonly size: number;
  readonly needsNewline: boolean;
}

/**
 * Lines are written together up to this many characters, which keeps calls few and buffers small.
 */
const mostAtOnce = 1024 * 1024;

function* inBlocks(lines: readonly string[], needsNewline: boolean): Generator<Buffer> {
  let block = needsNewline ? "\n" : "";
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < mostAtOnce) continue;
    yield Buffer.from(block);
    block = "";
  }
  if (block !== "") yield Buffer.from(block);
}

/** Appends in the order of the calls. The first call creates the file. */
export function appendFile(path: string, start: AppendStart, opener: OpenForAppend): AppendFile {
  let handle: AppendHandle | undefined;
  let { size, needsNewline } = start;
  let broken: unknown;
  let last: Promise<unknown> = Promise.resolve();

  const inOrder = <T>(step: () => Promise<T>): Promise<T> => {
    const next = last.then(step);
    last = next.catch(() => undefined);
    return next;
  };

  const openAtEnd = async (): Promise<AppendHandle> => {
    if (handle !== undefined) return handle;
    const opened = await opener(path);
    // Cuts off a torn tail, so that the next record starts on its own line.
    await opened.truncate(size);
    handle = opened;
    return opened;
  };

  const append = async (lines: readonly string[]): Promise<void> => {
    if (broken !== undefined) throw isBroken(path, broken);
    let written = 0;
    try {
      const file = await openAtEnd();
      for (const bytes of inBlocks(lines, needsNewline)) {
        for (let done = 0; done < bytes.length;) {
          done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
        }
        written += bytes.length;
      }
    } catch (error) {
      await undo(lines.length);
      throw writeFailure(path, error);
    }
    size += written;
    needsNewline = false;
  };

  /** An empty file would count as a conversation, and as the latest one. */
  const removeEmpty = async (): Promise<void> => {
    const opened = handle;
    handle = undefined;
    await opened?.close();
    await unlink(path).catch(() => undefined);
  };

  const undo = async (lines: number): Promise<void> => {
    try {
      await handle?.truncate(size);
      if (size === 0) await removeEmpty();
    } catch (error) {
      // Half a record stays in the file. The next record must not continue it, and half a group
      // would swallow what follows.
      needsNewline = true;
      if (lines > 1) broken = error;
    }
  };

  const sync = async (): Promise<void> => {
    if (broken !== undefined) throw isBroken(path, broken);
    try {
      await handle?.datasync();
    } catch (error) {
      // After a failed sync the kernel drops the pages, so a second sync would succeed and mean
      // nothing.
      broken = error;
      throw isBroken(path, error);
    }
  };

  return {
    append: (lines) => inOrder(() => append(lines)),
    sync: () => inOrder(sync),
    close: () => inOrder(async () => handle?.close()),
  };
}

const writeFailure = (path: string, cause: unknown): Error =>
  isNoRoom(cause)
    ? storeError(
        "full",
        `No room on the disk for ${path}. No partial record was left in it.`,
        cause,
      )
    : storeError("unavailable", `${path} could not be written.`, cause);

const isBroken = (path: string, cause: unknown): Error =>
  storeError("broken", `${path} could not be made durable. Open it again and check it.`, cause);
