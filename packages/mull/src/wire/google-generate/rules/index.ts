import type { Rule } from "../../../types/rule.ts";
import { makeRules } from "../../common/rules/define-rule.ts";
import { camelCase } from "../client/camel-case.ts";
import { adviceRules } from "./advice.ts";
import { historyRules } from "./history.ts";
import { nameRules } from "./names.ts";
import { pairingRules } from "./pairing.ts";
import { settingRules } from "./settings.ts";
import { contentRules, requestRules } from "./structure.ts";
import { thinkingRules } from "./thinking.ts";
import { toolRules } from "./tools.ts";

/** Makes the rules of Google's services, in the order the service checks them. */
export const makeGoogleGenerateRules = (): readonly Rule[] =>
  makeRules(
    { wire: "google-generate", type: "INVALID_ARGUMENT", spell: camelCase },
    requestRules,
    nameRules(),
    contentRules,
    toolRules,
    settingRules,
    thinkingRules,
    historyRules,
    pairingRules,
    adviceRules,
  );
