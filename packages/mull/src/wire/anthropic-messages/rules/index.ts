import type { Rule } from "../../../types/rule.ts";
import { makeRules } from "../../common/rules/define-rule.ts";
import { adviceRules } from "./advice.ts";
import { contentRules } from "./content.ts";
import { nameRules } from "./known-names.ts";
import { pairingRules } from "./pairing.ts";
import { samplingRules } from "./sampling.ts";
import { shapeRules } from "./shape.ts";
import { thinkingRules } from "./thinking.ts";
import { thoughtRules } from "./thoughts.ts";

/** Makes the rules of the Messages API, in the order the service checks them. */
export const makeAnthropicMessagesRules = (): readonly Rule[] =>
  makeRules(
    { wire: "anthropic-messages", type: "invalid_request_error" },
    shapeRules,
    nameRules(),
    contentRules,
    thinkingRules,
    samplingRules,
    pairingRules,
    thoughtRules,
    adviceRules,
  );
