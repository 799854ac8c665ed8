import { chooseMode, type PlayOptions } from "@mull/vcr";
import { useCassette } from "@mull/vcr/vitest";
import { loadCredentials } from "mull/node";

import { makeProvider, type Outcome } from "./ask.ts";
import { readManifest } from "./manifest.ts";
import { chooseTake, fixtureDirectory } from "./recording.ts";
import { findScenario } from "./scenarios/index.ts";

/** The model that was asked when the cassette was recorded. */
export const recordedModel = (cassette: string): string => {
  const entry = readManifest().cassettes.find((known) => known.cassette === cassette);
  return entry?.model ?? findScenario(cassette).model;
};

/**
 * Plays a scenario on its cassette, in the test that is running. With `VCR_RECORD=1` it is played
 * on the service that has a key, else on the emulator, and the cassette is written anew.
 */
export const playScenario = (cassette: string, options: PlayOptions = {}): Promise<Outcome> => {
  const scenario = findScenario(cassette);
  const directory = fixtureDirectory;
  if (chooseMode(process.env) === "replay") {
    const fetch = useCassette(cassette, { ...options, directory });
    return scenario.run(makeProvider(recordedModel(cassette), fetch));
  }
  const take = chooseTake(scenario, loadCredentials());
  const fetch = useCassette(cassette, { ...take.recorder, directory, fetch: take.fetch });
  return scenario.run(makeProvider(take.model, fetch, take.apiKey));
};
