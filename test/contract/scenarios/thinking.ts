import type { Level } from "mull";

import { askStream, askWhole } from "../ask.ts";
import { ask, documentModels } from "../requests.ts";
import type { Scenario, Vendor } from "./scenario.ts";

/** The documents call the fixtures of OpenAI `reasoning_…`. */
const words: Readonly<Record<Vendor, string>> = {
  anthropic: "thinking",
  openai: "reasoning",
  google: "thinking",
};

export const fixtureLevels = ["none", "low", "med", "high"] as const satisfies readonly Level[];

export const thinkingQuestion = "What is 23 * 47?";

/** Name of the cassette of a level, or of the streamed one. */
export const thinkingCassette = (
  vendor: Vendor,
  kind: (typeof fixtureLevels)[number] | "streaming",
): string => `${vendor}/${words[vendor]}_${kind}`;

export const thinkingScenarios: readonly Scenario[] = (
  ["anthropic", "openai", "google"] as const
).flatMap((vendor): readonly Scenario[] => {
  const model = documentModels[vendor];
  return [
    ...fixtureLevels.map((level) => ({
      cassette: thinkingCassette(vendor, level),
      vendor,
      model,
      run: (stage: Parameters<Scenario["run"]>[0]) =>
        askWhole(stage, ask(thinkingQuestion, { level })),
    })),
    {
      cassette: thinkingCassette(vendor, "streaming"),
      vendor,
      model,
      run: (stage) => askStream(stage, ask(thinkingQuestion, { level: "med" })),
    },
  ];
});
