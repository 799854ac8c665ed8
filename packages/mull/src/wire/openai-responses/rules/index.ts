import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { historyRules } from "./history.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { schemaRules } from "./schemas.ts";
import { settingValueRules } from "./setting-values.ts";
import { settingRules } from "./settings.ts";
import { structureRules } from "./structure.ts";

/** What the Responses API insists on, in the order in which the service looks. */
export const makeOpenaiResponsesRules = (): readonly Rule[] => [
  ...structureRules(),
  ...nameRules(),
  ...settingRules(),
  ...settingValueRules(),
  ...schemaRules(),
  ...historyRules(),
  ...pairingRules(),
  ...adviceRules(),
];
