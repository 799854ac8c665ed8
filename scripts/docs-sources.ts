import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The product sources of a package: no tests, no test material. */
export const readSources = (folder: string): readonly Source[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.tsx?$|[\\/]testing[\\/]/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
