import { historyMutants } from "./history.ts";
import type { Mutant } from "./mutant.ts";

export const mutants: readonly Mutant[] = [...historyMutants];

/** Tests of each wire's rules; taking any one rule out must make one of them fail. */
export const ruleTests = (wire: string): readonly string[] => [
  `packages/mull/src/wire/${wire}/rules`,
  "packages/mull/src/rules/heal.test.ts",
];
