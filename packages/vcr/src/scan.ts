import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { VcrError } from "./error.ts";
import { createSecretFinder } from "./find-secrets.ts";
import type { SecretFinding } from "./scan-file.ts";
import { scanFile } from "./scan-file.ts";

/** Settings of `scanForSecrets`. */
export interface ScanOptions {
  /** Values that are secret, whatever they look like. */
  readonly secrets?: readonly string[];
}

const skippedDirectories = new Set([".git", "dist", "node_modules"]);

/** Searches files and whole directories for secrets, by value and by shape. Empty means clean. */
export const scanForSecrets = async (
  paths: readonly string[],
  options: ScanOptions = {},
): Promise<readonly SecretFinding[]> => {
  const finder = createSecretFinder(options.secrets);
  const findings: SecretFinding[] = [];
  for (const path of paths) {
    for await (const file of filesUnder(path)) {
      for await (const finding of scanFile(file, finder)) findings.push(finding);
    }
  }
  return findings;
};

async function* filesUnder(path: string): AsyncGenerator<string> {
  const entry = await stat(path).catch((cause: unknown) => {
    throw new VcrError(`${path}: cannot be scanned`, { code: "bad-option", file: path }, { cause });
  });
  if (!entry.isDirectory()) {
    yield path;
    return;
  }
  for (const name of (await readdir(path)).toSorted()) {
    if (!skippedDirectories.has(name)) yield* filesUnder(join(path, name));
  }
}

/** One line of text for each finding. */
export const describeFindings = (findings: readonly SecretFinding[]): string =>
  findings.map(({ file, line, kind, hint }) => `${file}:${line}: ${kind} ${hint}`).join("\n");
