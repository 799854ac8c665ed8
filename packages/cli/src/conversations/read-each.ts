import type { ConversationFile } from "./folder.ts";

/** A process may have only so many files open, on some systems 256 of them. */
const atOnce = 32;

/** Reads all of them, a few at a time, and keeps their order. */
export async function readEach<T>(
  files: readonly ConversationFile[],
  read: (file: ConversationFile) => Promise<T>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let at = 0; at < files.length; at += atOnce)
    rows.push(...(await Promise.all(files.slice(at, at + atOnce).map(read))));
  return rows;
}
