import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";

export const rulesOf = (_wire: WireId): readonly Rule[] => [];
