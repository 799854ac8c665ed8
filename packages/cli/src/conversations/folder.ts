import { existsSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";

import { nearest } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";
import { newName } from "./names.ts";

/** A conversation is one file, named for it. */
export interface ConversationFile {
  readonly name: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

const suffix = ".jsonl";

/** All conversations, the last used first. A missing folder holds none. */
export async function listConversations(folder: string): Promise<readonly ConversationFile[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new UsageError(`Cannot read ${folder}: ${fileTrouble(error)}`);
  }
  const files = await Promise.all(
    names.filter((name) => name.endsWith(suffix)).map((name) => describe(join(folder, name))),
  );
  return files
    .filter((file) => file !== undefined)
    .toSorted((a, b) => b.changedAt - a.changedAt || a.name.localeCompare(b.name));
}

/** `undefined` if it has been deleted meanwhile, or is not a file. */
const describe = async (path: string): Promise<ConversationFile | undefined> => {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return { name: basename(path, suffix), path, changedAt: found.mtimeMs };
  } catch {
    return undefined;
  }
};

/** Finds a conversation by name or the start of one; without a name, the last one. */
export async function findConversation(
  folder: string,
  name: string | undefined,
): Promise<ConversationFile> {
  const files = await listConversations(folder);
  const found =
    name === undefined
      ? files[0]
      : (files.find((file) => file.name === name) ??
        onlyOne(files, name) ??
        (await findById(files, name)));
  if (found !== undefined) return found;
  if (files.length === 0) throw new UsageError("There is no conversation yet.");
  const names = files.map((file) => file.name);
  const meant = nearest(name ?? "", names);
  throw new UsageError(
    `No conversation ${JSON.stringify(name)}. The last ones: ${names.slice(0, 8).join(" ")}`,
    meant === undefined ? undefined : `Did you mean ${meant}?`,
  );
}

function onlyOne(files: readonly ConversationFile[], start: string): ConversationFile | undefined {
  const matching = files.filter((file) => file.name.startsWith(start));
  return matching.length === 1 ? matching[0] : undefined;
}

/** Names are for people, ids for programs; the id is in the file's first line. */
async function findById(
  files: readonly ConversationFile[],
  id: string,
): Promise<ConversationFile | undefined> {
  if (!/^[0-9a-f]{8}-[0-9a-f-]+$/i.test(id)) return undefined;
  for (const file of files) {
    const handle = await open(file.path);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(512) });
      if (buffer.toString("utf8", 0, bytesRead).includes(JSON.stringify(id))) return file;
    } finally {
      await handle.close();
    }
  }
  return undefined;
}

export function newConversationPath(folder: string): string {
  const name = newName((taken) => existsSync(join(folder, taken + suffix)));
  return join(folder, name + suffix);
}

export const nameOfPath = (path: string): string => basename(path, suffix);
