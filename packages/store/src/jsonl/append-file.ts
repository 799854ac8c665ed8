import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../make-folder.ts";
import { hasCode, storeError } from "../store-error.ts";

/** The calls an append needs. Replaced in tests to fill the disk. */
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

/** Opens for append; a new file is private, and its name is on the disk before anything is in it. */
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
  /** One record, whole or not at all. */
  readonly append: (line: string) => Promise<void>;
  /** Resolves when everything appended before would survive a power cut. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface AppendStart {
  readonly size: number;
  readonly needsNewline: boolean;
}

/** Appends in the order of the calls. The file is made by the first one. */
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

  const append = async (line: string): Promise<void> => {
    if (broken !== undefined) throw isBroken(path, broken);
    const bytes = Buffer.from(`${needsNewline ? "\n" : ""}${line}\n`);
    try {
      const file = await openAtEnd();
      for (let done = 0; done < bytes.length;) {
        done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
      }
    } catch (error) {
      await undo();
      throw writeFailure(path, error);
    }
    size += bytes.length;
    needsNewline = false;
  };

  const undo = async (): Promise<void> => {
    try {
      await handle?.truncate(size);
    } catch {
      // The half record stays; the next one must not continue it.
      needsNewline = true;
    }
  };

  const sync = async (): Promise<void> => {
    if (broken !== undefined) throw isBroken(path, broken);
    try {
      await handle?.datasync();
    } catch (error) {
      // The kernel drops the pages of a failed sync: a second try would succeed and mean nothing.
      broken = error;
      throw isBroken(path, error);
    }
  };

  return {
    append: (line) => inOrder(() => append(line)),
    sync: () => inOrder(sync),
    close: () => inOrder(async () => handle?.close()),
  };
}

const writeFailure = (path: string, cause: unknown): Error =>
  ["ENOSPC", "EDQUOT", "EFBIG"].some((code) => hasCode(cause, code))
    ? storeError("full", `No room on the disk for ${path}. Nothing was half written.`, cause)
    : storeError("unavailable", `${path} could not be written.`, cause);

const isBroken = (path: string, cause: unknown): Error =>
  storeError("broken", `${path} could not be made durable. Open it again and check it.`, cause);
