/** The rules of every service, repairs of refused requests, and histories prepared for a model. */
export { applyRules, heal, type Applied, type Healed, type Refused } from "./rules/apply-rules.ts";
export {
  prepare,
  type OpenLoopPolicy,
  type Prepared,
  type PrepareTarget,
} from "./history/prepare.ts";
export { rulesOf } from "./wire/rules-of.ts";
export type { Rule, RuleInput, SealVerdict } from "./types/rule.ts";
export {
  repairingFetch,
  type AnyFetch,
  type RepairedRequest,
  type RepairingFetchOptions,
} from "./rules/repairing-fetch.ts";
