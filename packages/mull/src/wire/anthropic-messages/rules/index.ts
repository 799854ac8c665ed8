import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { contentRules } from "./content.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { settingRules } from "./sampling.ts";
import { shapeRules } from "./shape.ts";
import { thinkingRules } from "./thinking.ts";
import { thoughtRules } from "./thoughts.ts";

/** Makes the rules of the Messages API, in the order the service checks them. */
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
