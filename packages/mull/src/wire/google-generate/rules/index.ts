import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { signatureRules, endRules } from "./history.ts";
import { nameRules } from "./names.ts";
import { pairingRules } from "./pairing.ts";
import { requestRules, contentRules, valueRules } from "./structure.ts";
import { samplingRules, settingRules } from "./settings.ts";
import { levelRules, budgetRules } from "./thinking.ts";
import { functionRules, schemaRules } from "./tools.ts";

/** Makes the rules of Google's services, in the order the service checks them. */
export const makeGoogleGenerateRules = (): readonly Rule[] => [
  ...requestRules(),
  ...nameRules(),
  ...contentRules(),
  ...valueRules(),
  ...functionRules(),
  ...schemaRules(),
  ...samplingRules(),
  ...settingRules(),
  ...levelRules(),
  ...budgetRules(),
  ...signatureRules(),
  ...endRules(),
  ...pairingRules(),
  ...adviceRules(),
];
