import { anthropicMutants } from "./anthropic.ts";
import { dialMutants } from "./dial.ts";
import { googleMutants } from "./google.ts";
import { historyMutants } from "./history.ts";
import { judgedMutants } from "./judged.ts";
import type { Mutant } from "./mutant.ts";
import { openaiMutants } from "./openai.ts";
import { programsMutants } from "./programs.ts";
import { turnsMutants } from "./turns.ts";

export const mutants: readonly Mutant[] = [
  ...historyMutants,
  ...dialMutants,
  ...anthropicMutants,
  ...googleMutants,
  ...openaiMutants,
  ...turnsMutants,
  ...judgedMutants,
  ...programsMutants,
];

/** Tests of each wire's rules; taking any one rule out must make one of them fail. */
export const ruleTests = (wire: string): readonly string[] => [
  `packages/mull/src/wire/${wire}/rules`,
  "packages/mull/src/rules/heal.test.ts",
  "packages/mull/src/rules/advice.test.ts",
];
