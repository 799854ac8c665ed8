import type { Rule } from "../../types/rule.ts";
import { historyRules } from "./rules/history.ts";
import { pairingRules } from "./rules/pairing.ts";
import { schemaRules } from "./rules/schemas.ts";
import { settingRules } from "./rules/settings.ts";
import { structureRules } from "./rules/structure.ts";

/** What the Responses API insists on, in the order in which the service looks. */
export const openaiResponsesRules: readonly Rule[] = [
  ...structureRules,
  ...settingRules,
  ...schemaRules,
  ...historyRules,
  ...pairingRules,
];
