import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { thoughtRules, itemRules } from "./history.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { schemaRules } from "./schemas.ts";
import { reasoningRules, samplingRules, settingRules } from "./settings.ts";
import { structureRules } from "./structure.ts";

/** Makes the rules of the Responses API, in the order the service checks them. */
export const makeOpenaiResponsesRules = (): readonly Rule[] => [
  ...structureRules(),
  ...nameRules(),
  ...reasoningRules(),
  ...samplingRules(),
  ...settingRules(),
  ...schemaRules(),
  ...thoughtRules(),
  ...itemRules(),
  ...pairingRules(),
  ...adviceRules(),
];
