import { historyMutants } from "./history.ts";
import type { Mutant } from "./mutant.ts";

export const mutants: readonly Mutant[] = [...historyMutants];

/** Tests of each wire's rules; taking any one rule out must make one of them fail. */
export const ruleTests: Readonly<Record<string, readonly string[]>> = {
  "anthropic-messages": ["packages/mull/src/wire/anthropic-messages/rules"],
  "google-generate": ["packages/mull/src/wire/google-generate/rules"],
  "openai-chat": ["packages/mull/src/wire/openai-chat/rules"],
  "openai-responses": ["packages/mull/src/wire/openai-responses/rules"],
};
