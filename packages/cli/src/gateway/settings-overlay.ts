import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
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
  const path = join(seen, file);
  makeFolder(dirname(path));
  replaceFile(path, settings);
}

/**
 * What the program made goes where it would have put it: its first conversations, and files that it
 * replaced by renaming a new one over the link.
 */
export function keepNew({ folder, file }: SettingsOverlay, home: string, made: string): void {
  const own = join(home, folder);
  const seen = join(made, folder);
  for (const name of entriesOf(seen)) {
    const path = join(seen, name);
    if (name === file || isLink(path)) continue;
    makeFolder(own);
    // The user's own program may have gone on since a run was killed: what is newer stays.
    cpSync(path, join(own, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (from, to) => !existsSync(to) || lstatSync(from).isDirectory() || isNewer(from, to),
    });
    rmSync(path, { recursive: true, force: true });
    link(join(own, name), path);
  }
}

/** Writes a file that another run may be reading. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;

const isNewer = (path: string, than: string): boolean =>
  lstatSync(path).mtimeMs > lstatSync(than).mtimeMs;

function link(to: string, path: string): void {
  try {
    symlinkSync(to, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

const entriesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

function readSettings(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const value = parseJson(text, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UsageError(`${path} is not a JSON object. Repair it first.`);
}
