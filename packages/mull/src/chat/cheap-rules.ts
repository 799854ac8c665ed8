import { rulesOf } from "../rules/rules-of.ts";
import type { JsonObject } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import type { Finding, Rule, RuleInput } from "../types/rule.ts";

/** The rules that run before every request. */
export const cheapRulesOf = (wire: WireId): readonly Rule[] =>
  rulesOf(wire).filter((rule) => rule.preflight === true);

/** The first error a rule finds in a request, as far as we refuse it before sending. */
export const objectionOf = (rule: Rule, input: RuleInput): Finding | undefined =>
  isAbout(rule, input.body) ? rule.check(input).find(isOurs) : undefined;

/** Most rules are about fields that most requests do without. */
function isAbout({ about }: Rule, body: JsonObject): boolean {
  if (about === undefined) return true;
  for (const field of about) if (body[field] !== undefined) return true;
  return false;
}

/** Whether a model is served is the service's word: endpoints keep ids the catalogue calls retired. */
const isOurs = ({ severity, answer }: Finding): boolean =>
  severity === "error" && answer?.status !== 404;
