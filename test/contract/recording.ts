import { join } from "node:path";

import { emulate } from "@mull/emulator";
import type { VcrOptions } from "@mull/vcr";
import { findKey, findProvider, type Fetch } from "mull";
import { resolveChoice } from "mull/wire";

import type { Scenario } from "./scenarios/scenario.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const fixtureDirectory: string = join(import.meta.dirname, "..", "fixtures", "vcr");

/** Who answers a scenario when it is recorded, and why. */
export interface Take {
  readonly source: "emulator" | "live";
  /** The model ref that is asked. */
  readonly model: string;
  readonly apiKey: string;
  /** Answers; below the recorder. */
  readonly fetch: Fetch;
  /** Recorder settings: the emulator has a clock of its own, so that its cassettes repeat. */
  readonly recorder: Pick<VcrOptions, "now" | "date" | "env">;
}

/** What scripts, journals and dates start from: the same cassettes come out every time. */
const emulatedStart = new Date("2026-11-15T12:00:00.000Z");

const countingClock = (): (() => number) => {
  let ticks = 0;
  return () => {
    ticks += 1;
    return ticks;
  };
};

/** A model that is not served any more, or never was, has a successor that is. */
const servedRef = (ref: string): string => {
  const { model } = resolveChoice(ref);
  const isGone = model.status === "retired" || model.status === "never-served";
  return isGone && model.successor !== undefined ? ref.replace(model.id, model.successor) : ref;
};

/** The live service where there is a key and the scenario can be had from it, else the emulator. */
export const chooseTake = (
  scenario: Scenario,
  env: Environment,
  live: Fetch = (input, init) => fetch(input, init),
): Take => {
  const key = findKey(findProvider(scenario.vendor), env);
  if (key !== undefined && scenario.emulatedOnly === undefined) {
    return {
      source: "live",
      model: servedRef(scenario.model),
      apiKey: key,
      fetch: live,
      recorder: { env },
    };
  }
  const emulator = emulate({
    seed: scenario.cassette,
    unknownModels: "accept",
    ...scenario.emulator,
  });
  return {
    source: "emulator",
    model: scenario.model,
    apiKey: "emulated-account",
    fetch: scenario.adapter?.wrap(emulator) ?? emulator,
    recorder: { env, now: countingClock(), date: () => emulatedStart },
  };
};

/** No fixture may hold any of these, whatever a scan by shape says. */
export const forbiddenWords: readonly string[] = ["api_key", "sk-ant-", "sk-proj-", "AIza"];
