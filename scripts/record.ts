import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";

import { loadCredentials } from "mull/node";

import { nodeIo } from "../packages/cli/src/frame/node-io.ts";
import { createProgress } from "../packages/cli/src/frame/progress.ts";
import {
  readManifest,
  recordScenario,
  writeManifest,
  type ManifestEntry,
} from "../test/contract/manifest.ts";
import { fixtureDirectory } from "../test/contract/recording.ts";
import { scenarios } from "../test/contract/scenarios/index.ts";

/**
 * Makes every cassette again: `npm run record`, or some of them: `npm run record -- google/`.
 * A vendor whose key is in the environment or in credentials.json is asked itself. The old
 * cassettes go when all new ones are there.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { directory: { type: "string", default: fixtureDirectory } },
});
const { directory } = values;
const takesAll = positionals.length === 0 || !existsSync(directory);
const isWanted = (cassette: string): boolean =>
  takesAll || positionals.some((word) => cassette.includes(word));

const env = loadCredentials({ warn: (message) => console.warn(message) });
const fresh = `${directory}.fresh`;
rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
try {
  const known = new Map<string, ManifestEntry>();
  if (!takesAll) {
    cpSync(directory, fresh, { recursive: true });
    for (const entry of readManifest(directory).cassettes) known.set(entry.cassette, entry);
  }
  const wanted = scenarios.filter(({ cassette }) => isWanted(cassette));
  const progress = createProgress(nodeIo(), wanted.length);
  for (const scenario of wanted) {
    progress.begin(scenario.cassette);
    const entry = await recordScenario(scenario, env, fresh);
    known.set(scenario.cassette, entry);
    progress.done();
    console.log(`${entry.source.padEnd(8)} ${entry.cassette} (${entry.model})`);
  }
  const entries = scenarios.flatMap(({ cassette }) => known.get(cassette) ?? []);
  writeManifest(entries, fresh);
  rmSync(directory, { recursive: true, force: true });
  renameSync(fresh, directory);
  console.log(`${entries.length} cassettes in ${relative(process.cwd(), directory)}`);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
