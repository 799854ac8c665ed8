import { readFile } from "node:fs/promises";

import type { Provider } from "mull";

import { UsageError } from "../frame/usage-error.ts";
import { parseJson } from "../wire-tools/input.ts";
import { writePrivate } from "./write-private.ts";

/** Puts a key into the file. Other entries stay as they are. */
export async function storeKey(path: string, provider: Provider, key: string): Promise<void> {
  const entries = await readEntries(path);
  takeOut(entries, provider);
  entries.set(provider.keyVariables[0] ?? provider.id, key);
  await writeEntries(path, entries);
}

/** Takes a key out of the file; says whether there was one. */
export async function removeKey(path: string, provider: Provider): Promise<boolean> {
  const entries = await readEntries(path);
  if (!takeOut(entries, provider)) return false;
  await writeEntries(path, entries);
  return true;
}

function takeOut(entries: Map<string, unknown>, { id, keyVariables }: Provider): boolean {
  const taken = [id, ...keyVariables].filter((name) => entries.delete(name));
  return taken.length > 0;
}

const writeEntries = (path: string, entries: ReadonlyMap<string, unknown>): Promise<void> =>
  writePrivate(path, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);

async function readEntries(path: string): Promise<Map<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  // The text itself is never quoted: it holds keys.
  let value: unknown;
  try {
    value = parseJson(text, path);
  } catch {
    throw new UsageError(`${path} is not JSON. Repair or remove it first.`);
  }
  return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
}
