import type { Rule } from "../../types/rule.ts";
import { adviceRules } from "./rules/advice.ts";
import { historyRules } from "./rules/history.ts";
import { nameRules } from "./rules/known-names.ts";
import { pairingRules } from "./rules/pairing.ts";
import { schemaRules } from "./rules/schemas.ts";
import { settingValueRules } from "./rules/setting-values.ts";
import { settingRules } from "./rules/settings.ts";
import { structureRules } from "./rules/structure.ts";

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
