import type { Rule } from "../../types/rule.ts";
import { adviceRules } from "./rules/advice.ts";
import { openaiRules } from "./rules/openai.ts";
import { nameRules } from "./rules/known-names.ts";
import { pairingRules } from "./rules/pairing.ts";
import { requestRules } from "./rules/requests.ts";
import { schemaRules } from "./rules/schemas.ts";
import { structureRules } from "./rules/structure.ts";
import { vendorRules } from "./rules/vendors.ts";

/** What OpenAI's Chat Completions and the servers like it insist on. */
export const makeOpenaiChatRules = (): readonly Rule[] => [
  ...structureRules(),
  ...pairingRules(),
  ...openaiRules(),
  ...nameRules(),
  ...requestRules(),
  ...schemaRules(),
  ...vendorRules(),
  ...adviceRules(),
];
