import type { PlayOptions } from "@mull/vcr";
import { useCassette } from "@mull/vcr/vitest";
import { loadCredentials } from "mull/node";

import { chooseMode } from "../../packages/vcr/src/vcr.ts";
import { makeProvider, type Outcome, type Stage } from "./ask.ts";
import { readManifest } from "./manifest.ts";
import { chooseTake, fixtureDirectory } from "./recording.ts";
import { findScenario } from "./scenarios/index.ts";

/** The model that was asked when the cassette was recorded. */
export const recordedModel = (cassette: string): string => {
  const entry = readManifest().cassettes.find((known) => known.cassette === cassette);
  return entry?.model ?? findScenario(cassette).model;
};

/**
 * The provider of a cassette, for the test that is running. With `VCR_RECORD=1` it is the service
 * where there is a key, else the emulator, and the cassette is rewritten.
 */
export const openCassette = (cassette: string, options: PlayOptions = {}): Stage => {
  const directory = fixtureDirectory;
  if (chooseMode(process.env) === "replay") {
    const fetch = useCassette(cassette, { ...options, directory });
    return makeProvider(recordedModel(cassette), fetch);
  }
  const take = chooseTake(findScenario(cassette), loadCredentials());
  const fetch = useCassette(cassette, { ...take.recorder, directory, fetch: take.fetch });
  return makeProvider(take.model, fetch, take.apiKey);
};

/** Plays a scenario on its cassette. */
export const playScenario = (cassette: string, options?: PlayOptions): Promise<Outcome> =>
  findScenario(cassette).run(openCassette(cassette, options));
