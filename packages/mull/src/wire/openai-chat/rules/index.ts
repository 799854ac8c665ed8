import type { Rule } from "../../../types/rule.ts";
import { adviceRules } from "./advice.ts";
import { reasonerRules, parameterRules } from "./openai.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { fieldRules, limitRules } from "./requests.ts";
import { schemaRules } from "./schemas.ts";
import { messageRules, contentRules } from "./structure.ts";
import { replayRules, choiceRules, mistralRules, gatewayRules } from "./vendors.ts";

/** Makes the rules of Chat Completions and compatible services. */
export const makeOpenaiChatRules = (): readonly Rule[] => [
  ...messageRules(),
  ...contentRules(),
  ...pairingRules(),
  ...reasonerRules(),
  ...parameterRules(),
  ...nameRules(),
  ...fieldRules(),
  ...limitRules(),
  ...schemaRules(),
  ...replayRules(),
  ...choiceRules(),
  ...mistralRules(),
  ...gatewayRules(),
  ...adviceRules(),
];
