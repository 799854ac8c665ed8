import type { Rule } from "../../../types/rule.ts";
import { makeRules } from "../../common/rules/define-rule.ts";
import { adviceRules } from "./advice.ts";
import { nameRules } from "./known-names.ts";
import { openaiRules } from "./openai.ts";
import { pairingRules } from "./pairing.ts";
import { requestRules } from "./requests.ts";
import { schemaRules } from "./schemas.ts";
import { structureRules } from "./structure.ts";
import { vendorRules } from "./vendors.ts";

/** Makes the rules of Chat Completions and compatible services. */
export const makeOpenaiChatRules = (): readonly Rule[] =>
  makeRules(
    { wire: "openai-chat", type: "invalid_request_error", namesParam: true },
    structureRules,
    pairingRules,
    openaiRules,
    nameRules(),
    requestRules,
    schemaRules(),
    vendorRules,
    adviceRules,
  );
