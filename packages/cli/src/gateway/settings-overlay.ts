import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import type { JsonObject } from "mull";

import { makeFolder } from "../config/make-folder.ts";
import { UsageError } from "../frame/usage-error.ts";
import { parseJson } from "../wire-tools/input.ts";

/** A folder of the user's home as the program shall see it: everything linked, one JSON file changed. */
export interface SettingsOverlay {
  /** Names another home to the program; may be set already. */
  readonly homeVariable: string;
  readonly folder: string;
  readonly file: string;
  readonly change: (settings: JsonObject) => JsonObject;
}

/** Makes `made` a home with the user's own folder in it, one file changed. Several runs may share it. */
export function layOver(overlay: SettingsOverlay, home: string, made: string): void {
  const { folder, file, change } = overlay;
  const own = join(home, folder);
  const seen = join(made, folder);
  const settings = JSON.stringify(change(readSettings(join(own, file))));
  makeFolder(seen);
  // A run that was killed could not do this itself.
  keepNew(overlay, home, made);
  for (const name of entriesOf(seen)) {
    const path = join(seen, name);
    if (!existsSync(path)) rmSync(path, { force: true });
  }
  for (const name of entriesOf(own)) if (name !== file) link(join(own, name), join(seen, name));
  makeFolder(dirname(join(seen, file)));
  replaceFile(made, join(folder, file), settings);
}

/**
 * Moves what the program made to where it would have put it: its first conversations, and files
 * that it replaced by renaming a new one over the link.
 */
export function keepNew({ folder, file }: SettingsOverlay, home: string, made: string): void {
  const own = join(home, folder);
  const seen = join(made, folder);
  for (const name of entriesOf(seen)) {
    const path = join(seen, name);
    if (name === file || isLink(path)) continue;
    makeFolder(own);
    bringHome(path, join(own, name));
    link(join(own, name), path);
  }
}

/**
 * Files are moved, never copied and removed: another run may write to them in between. The user's
 * own program may have gone on since a run was killed: what is newer stays.
 */
function bringHome(from: string, to: string): void {
  if (!existsSync(to)) move(from, to);
  else if (lstatSync(from).isDirectory()) {
    for (const name of entriesOf(from)) bringHome(join(from, name), join(to, name));
    rmdirSync(from);
  } else if (isNewer(from, to)) move(from, to);
  else rmSync(from);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error;
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    rmSync(from, { recursive: true });
  }
}

/**
 * Writes a file that another run may be reading. A draft beside it would be taken for something
 * that the program made, so it lies in `folder` itself.
 */
export function replaceFile(folder: string, name: string, text: string): void {
  const draft = join(folder, `${process.pid}.tmp`);
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, join(folder, name));
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;

const isNewer = (path: string, than: string): boolean =>
  lstatSync(path).mtimeMs > lstatSync(than).mtimeMs;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

function link(to: string, path: string): void {
  try {
    symlinkSync(to, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

const entriesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** gemini-cli allows `// comments` in its settings, but `"https://…"` is none. Lines stay where they are. */
const withoutComments = (text: string): string =>
  text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g,
    (all, quoted?: string) => quoted ?? all.replaceAll(/[^\n]/g, " "),
  );

function readSettings(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const value = parseJson(withoutComments(text), path);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UsageError(`${path} is not a JSON object. Repair it first.`);
}
