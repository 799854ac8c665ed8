import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { vcr } from "@mull/vcr";
import type { Fetch } from "mull";

import { makeProvider } from "./ask.ts";
import { chooseTake, fixtureDirectory } from "./recording.ts";
import type { Scenario } from "./scenarios/scenario.ts";

/** Where a cassette comes from. */
export interface ManifestEntry {
  readonly cassette: string;
  /** `emulator`: the rule-enforcing emulator of this repository. `live`: the service itself. */
  readonly source: "emulator" | "live";
  /** The model that was asked, and the one the documents ask where it is another. */
  readonly model: string;
  readonly documentModel?: string;
  /** What is not the source's own doing. */
  readonly adapted?: string;
  /** Why it is never recorded live. */
  readonly emulatedOnly?: string;
}

export interface Manifest {
  readonly about: string;
  readonly command: string;
  readonly cassettes: readonly ManifestEntry[];
}

const about =
  "Recorded with @mull/vcr, each by playing its scenario of test/contract/scenarios. Without keys in the environment the services are @mull/emulator, whose clock and seeds repeat; with keys they are the live ones, save where emulatedOnly says why not.";

const manifestPath = (directory: string): string => join(directory, "manifest.json");

export const readManifest = (directory: string = fixtureDirectory): Manifest =>
  JSON.parse(readFileSync(manifestPath(directory), "utf8")) as Manifest;

export const writeManifest = (entries: readonly ManifestEntry[], directory: string): void => {
  const manifest: Manifest = { about, command: "npm run record", cassettes: entries };
  writeFileSync(manifestPath(directory), `${JSON.stringify(manifest, null, 2)}\n`);
};

/** Plays a scenario through the real recorder, and says where the answers came from. */
export const recordScenario = async (
  scenario: Scenario,
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
  live?: Fetch,
): Promise<ManifestEntry> => {
  const take = chooseTake(scenario, env, live);
  const fetch = vcr(scenario.cassette, {
    mode: "record",
    directory,
    fetch: take.fetch,
    ...take.recorder,
  });
  try {
    const { error } = await scenario.run(makeProvider(take.model, fetch, take.apiKey));
    // A wrong key or a busy service is not what the cassette is about.
    if (error !== undefined && scenario.fails !== true) throw error;
  } catch (error) {
    await fetch.discard();
    throw error;
  }
  await fetch.done();
  return {
    cassette: scenario.cassette,
    source: take.source,
    model: take.model,
    ...(take.model !== scenario.model && { documentModel: scenario.model }),
    ...(take.source === "emulator" &&
      scenario.adapter !== undefined && { adapted: scenario.adapter.does }),
    ...(scenario.emulatedOnly !== undefined && { emulatedOnly: scenario.emulatedOnly }),
  };
};
