import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { isJsonObject } from "mull/wire";
import type { JsonObject } from "mull";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";

/** Claude Code takes the last `--settings` alone, so the user's own would undo ours. */
const flag = "--settings";

/** The user's words without their `--settings`, and both settings as one; ours win. */
export interface JoinedSettings {
  readonly words: readonly string[];
  readonly settings: JsonObject;
}

/** `undefined` if the user gives no settings of their own. */
export function joinSettings(
  ours: JsonObject,
  words: readonly string[],
  cwd: string,
): JoinedSettings | undefined {
  const end = words.indexOf("--");
  const at = (end < 0 ? words : words.slice(0, end)).findIndex(
    (word) => word === flag || word.startsWith(`${flag}=`),
  );
  const word = words[at];
  if (word === undefined) return undefined;
  const isOne = word !== flag;
  const theirs = readSettings(isOne ? word.slice(flag.length + 1) : (words[at + 1] ?? ""), cwd);
  const env = { ...asObject(theirs["env"]), ...asObject(ours["env"]) };
  return {
    words: words.toSpliced(at, isOne ? 1 : 2),
    settings: { ...theirs, ...ours, env },
  };
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A file, or the JSON itself. */
function readSettings(given: string, cwd: string): JsonObject {
  const isJson = given.trim().startsWith("{");
  const place = isJson ? flag : given;
  try {
    const read: unknown = JSON.parse(isJson ? given : readFileSync(resolve(cwd, given), "utf8"));
    if (isJsonObject(read)) return read;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new UsageError(`Cannot read ${place}: ${fileTrouble(error)}`);
  }
  throw new UsageError(
    `${place} is not a JSON object, so it can't be joined with mull's settings.`,
  );
}
