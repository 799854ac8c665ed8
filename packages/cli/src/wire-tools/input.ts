import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";

/** Reads a file, or stdin for `-` and nothing. */
export async function readInput(path: string | undefined, io: Io): Promise<string> {
  if (path !== undefined && path !== "-") return readTextFile(path, io);
  if (io.terminal.stdin)
    throw new UsageError(
      "No file is named and nothing is piped in.",
      "Name a FILE, or pipe it in: … < FILE",
    );
  return readAll(io.stdin);
}

export async function readAll(source: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readTextFile(path: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, path), "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}`);
  }
}

const troubles: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EEXIST", "it exists already"],
]);

/** A file system error in words. */
export const fileTrouble = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return troubles.get(code) ?? (error instanceof Error ? error.message : String(error));
};

export const isFileTrouble = (error: unknown): boolean =>
  error instanceof Error && "code" in error && troubles.has(error.code);

/** Reads the JSON of a file. If it is not JSON, the error names the place, and `advise` says what to do. */
export function parseJson(
  text: string,
  name: string,
  advise: (text: string) => string | undefined = () => undefined,
): unknown {
  if (text.trim() === "") throw new UsageError(`${name} is empty.`);
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, " ") : "";
    throw new UsageError(`${name} is not JSON: ${placed(why.slice(0, 160), json)}`, advise(json));
  }
}

/** A position counts characters; editors count lines and columns. Newer engines say both. */
function placed(why: string, text: string): string {
  const [all, position] = / in JSON at position (\d+)(?: \(.*\))?/.exec(why) ?? [];
  if (all === undefined) return why;
  const before = text.slice(0, Number(position)).split("\n");
  return `${why.replace(all, "")} at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

export const readJsonFile = async (path: string, io: Io): Promise<unknown> =>
  parseJson(await readTextFile(path, io), path);
