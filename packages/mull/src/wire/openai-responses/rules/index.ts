import type { Rule } from "../../../types/rule.ts";
import { makeRules } from "../../common/rules/define-rule.ts";
import { adviceRules } from "./advice.ts";
import { historyRules } from "./history.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { schemaRules } from "./schemas.ts";
import { settingRules } from "./settings.ts";
import { structureRules } from "./structure.ts";

/** Makes the rules of the Responses API, in the order the service checks them. */
export const makeOpenaiResponsesRules = (): readonly Rule[] =>
  makeRules(
    {
      wire: "openai-responses",
      type: "invalid_request_error",
      namesParam: true,
      // What OpenAI's own service insists on, unless a rule says otherwise.
      when: ({ model }) => model.provider === "openai",
    },
    structureRules,
    nameRules(),
    settingRules,
    schemaRules(),
    historyRules,
    pairingRules,
    adviceRules,
  );
