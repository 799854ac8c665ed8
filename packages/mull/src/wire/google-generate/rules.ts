import type { Rule } from "../../types/rule.ts";
import { adviceRules } from "./rules/advice.ts";
import { historyRules } from "./rules/history.ts";
import { nameRules } from "./rules/known-names.ts";
import { settingRules } from "./rules/settings.ts";
import { structureRules } from "./rules/structure.ts";
import { thinkingRules } from "./rules/thinking.ts";
import { toolRules } from "./rules/tools.ts";

/** What Google's services insist on, in the order they complain. */
export const makeGoogleGenerateRules = (): readonly Rule[] => [
  ...structureRules(),
  ...nameRules(),
  ...toolRules(),
  ...settingRules(),
  ...thinkingRules(),
  ...historyRules(),
  ...adviceRules(),
];
