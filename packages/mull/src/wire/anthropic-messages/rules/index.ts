import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { contentRules } from "./content.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { samplingRules, choiceRules } from "./sampling.ts";
import { requestRules, messageRules, limitRules } from "./shape.ts";
import { formRules, budgetRules, effortRules } from "./thinking.ts";
import { placeRules, sealRules, updateRules } from "./thoughts.ts";

/** Makes the rules of the Messages API, in the order the service checks them. */
export const makeAnthropicMessagesRules = (): readonly Rule[] => [
  ...requestRules(),
  ...messageRules(),
  ...limitRules(),
  ...nameRules(),
  ...contentRules(),
  ...formRules(),
  ...budgetRules(),
  ...effortRules(),
  ...samplingRules(),
  ...choiceRules(),
  ...pairingRules(),
  ...placeRules(),
  ...sealRules(),
  ...updateRules(),
  ...adviceRules(),
];
