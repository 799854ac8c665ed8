import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { historyRules } from "./history.ts";
import { nameRules } from "./names.ts";
import { pairingRules } from "./pairing.ts";
import { requestRules, structureRules } from "./structure.ts";
import { settingRules } from "./settings.ts";
import { thinkingRules } from "./thinking.ts";
import { toolRules } from "./tools.ts";

/** Makes the rules of Google's services, in the order the service checks them. */
export const makeGoogleGenerateRules = (): readonly Rule[] => [
  ...requestRules(),
  ...nameRules(),
  ...structureRules(),
  ...toolRules(),
  ...settingRules(),
  ...thinkingRules(),
  ...historyRules(),
  ...pairingRules(),
  ...adviceRules(),
];
