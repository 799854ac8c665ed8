import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { ruleMakers } from "../wire/rule-makers.ts";

const made = new Map<WireId, readonly Rule[]>();

/**
 * Everything a service insists on, as far as a request can tell. Made when it is first asked for: most
 * programs need the rules of one wire, and importing should not wait for hundreds.
 */
export function rulesOf(wire: WireId): readonly Rule[] {
  const known = made.get(wire);
  if (known !== undefined) return known;
  const rules = ruleMakers[wire]();
  made.set(wire, rules);
  return rules;
}
