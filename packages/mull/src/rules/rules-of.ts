import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { ruleMakers } from "../wire/rule-makers.ts";

/** The rules of a wire: everything its services refuse that a request shows. */
export const rulesOf = (wire: WireId): readonly Rule[] => ruleMakers[wire]();
