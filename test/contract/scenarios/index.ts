import { anthropicContract } from "./anthropic.ts";
import { googleContract } from "./google.ts";
import { openaiChatContract, openaiContract } from "./openai.ts";
import type { Scenario } from "./scenario.ts";
import { thinkingScenarios } from "./thinking.ts";

/** Everything there is a cassette of. */
export const scenarios: readonly Scenario[] = [
  ...thinkingScenarios,
  ...anthropicContract,
  ...openaiContract,
  ...openaiChatContract,
  ...googleContract,
];

export const findScenario = (cassette: string): Scenario => {
  const found = scenarios.find((scenario) => scenario.cassette === cassette);
  if (found === undefined) {
    throw new Error(`There is no scenario for the cassette ${cassette}.`);
  }
  return found;
};
