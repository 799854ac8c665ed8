import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Source {
  readonly path: string;
  readonly text: string;
}

const readAll = (folder: string, isWanted: (path: string) => boolean): readonly Source[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isWanted)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** The product sources of a package: no tests, no test material. */
export const readSources = (folder: string): readonly Source[] =>
  readAll(folder, (path) => !/\.test\.tsx?$|[\\/]testing[\\/]/.test(path));

/** The tests of a folder. */
export const readTests = (folder: string): readonly Source[] =>
  readAll(folder, (path) => /\.test\.tsx?$/.test(path));
