import { readFile } from "node:fs/promises";

import type { Provider } from "mull";

import { UsageError } from "../frame/usage-error.ts";
import { parseJson } from "../wire-tools/input.ts";
import { writePrivate } from "./write-private.ts";

/** Puts a key into the file, or takes it out. Other entries stay as they are. */
export async function storeKey(
  path: string,
  provider: Provider,
  key: string | undefined,
): Promise<void> {
  const entries = await readEntries(path);
  entries.delete(provider.id);
  for (const variable of provider.keyVariables) entries.delete(variable);
  if (key !== undefined) entries.set(provider.keyVariables[0] ?? provider.id, key);
  await writePrivate(path, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

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
    throw new UsageError(`${path} is no JSON. Mend or remove it first.`);
  }
  return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
}
