import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { ruleMakers } from "../wire/rule-makers.ts";

const made = new Map<WireId, readonly Rule[]>();

/**
 * The rules of a wire: everything its services refuse that a request shows. They are made on the
 * first call, because most programs need one wire.
 */
export function rulesOf(wire: WireId): readonly Rule[] {
  const known = made.get(wire);
  if (known !== undefined) return known;
  const rules = ruleMakers[wire]();
  made.set(wire, rules);
  return rules;
}
