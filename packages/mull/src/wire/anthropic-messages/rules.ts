import type { Rule } from "../../types/rule.ts";
import { adviceRules } from "./rules/advice.ts";
import { contentRules } from "./rules/content.ts";
import { nameRules } from "./rules/known-names.ts";
import { pairingRules } from "./rules/pairing.ts";
import { settingRules } from "./rules/sampling.ts";
import { shapeRules } from "./rules/shape.ts";
import { thinkingRules } from "./rules/thinking.ts";
import { thoughtRules } from "./rules/thoughts.ts";

/** What the Messages API insists on, in the order it looks. */
export const makeAnthropicMessagesRules = (): readonly Rule[] => [
  ...shapeRules(),
  ...nameRules(),
  ...contentRules(),
  ...thinkingRules(),
  ...settingRules(),
  ...pairingRules(),
  ...thoughtRules(),
  ...adviceRules(),
];
