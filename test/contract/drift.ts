import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readCassette, type Exchange } from "@mull/vcr";
import type { Fetch } from "mull";

import { wireOf } from "./checks.ts";
import { recordScenario } from "./manifest.ts";
import { chooseTake, fixtureDirectory } from "./recording.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { compareShapes, shapeOf, type Drift } from "./shape.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How a live answer differs from its cassette. */
export interface ScenarioDrift {
  readonly cassette: string;
  readonly drift: readonly Drift[];
}

export interface DriftOptions {
  readonly env: Environment;
  /** Makes the live calls; the global `fetch` unless given. */
  readonly live?: Fetch;
}

const exchangesOf = (cassette: string, directory = fixtureDirectory): readonly Exchange[] =>
  readCassette(join(directory, `${cassette}.jsonl`)).exchanges;

/**
 * Asks the live services, where there are keys, what the cassettes were asked. A field, event or
 * word is new when no cassette of the same wire has it.
 */
export async function* findDrift(
  wanted: readonly Scenario[],
  options: DriftOptions,
): AsyncGenerator<ScenarioDrift> {
  const directory = mkdtempSync(join(tmpdir(), "mull-drift-"));
  try {
    for (const scenario of wanted) {
      const { cassette } = scenario;
      if (chooseTake(scenario, options.env, options.live).source !== "live") continue;
      await recordScenario(scenario, options.env, directory, options.live);
      const wire = wireOf(scenario.model);
      const known = scenarios
        .filter(({ model }) => wireOf(model) === wire)
        .flatMap((other) => exchangesOf(other.cassette));
      const before = shapeOf(exchangesOf(cassette));
      const seen = shapeOf(exchangesOf(cassette, directory));
      yield { cassette, drift: compareShapes(shapeOf(known), before, seen) };
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** For people: what is new first, what is gone behind it. */
export const describeDrift = ({ cassette, drift }: ScenarioDrift): string =>
  drift.length === 0
    ? `same     ${cassette}`
    : [
        `drifted  ${cassette}`,
        ...drift
          .toSorted((one, other) => Number(one.sign === "-") - Number(other.sign === "-"))
          .map(({ kind, sign, what }) => `  ${sign} ${kind.slice(0, -1)} ${what}`),
      ].join("\n");

/** Only what is new is a reason to look: what an answer left out, another may have. */
export const isNews = ({ drift }: ScenarioDrift): boolean => drift.some(({ sign }) => sign === "+");
