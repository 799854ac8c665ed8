import { invalidArgument, type MullError, requireObject } from "../types/error.ts";
import type { JsonObject } from "../types/json.ts";
import { wireIds, type WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Repair } from "../types/plan.ts";
import type { Finding, Rule, RuleInput } from "../types/rule.ts";
import { rulesOf } from "../wire/rules-of.ts";

/** A request after rules have repaired it. */
export interface Applied {
  readonly body: JsonObject;
  readonly repairs: readonly Repair[];
  /** What the rules still find in the body. */
  readonly left: readonly Finding[];
}

/** Findings that a request is refused for. Not an unknown model (404): private endpoints still serve ids that the vendor has retired. */
export const isRefused = ({ severity, answer }: Finding): boolean =>
  severity === "error" && answer?.status !== 404;

/** One repair may uncover what another rule refuses, so rules get more than one turn, but not for ever. */
const mostTurns = 4;

/** Lets rules repair a request until none of them changes it any more. */
export function applyRules(
  given: RuleInput,
  rules: readonly Rule[],
  mayRepair: (finding: Finding) => boolean,
): Applied {
  let input = given;
  const repairs: Repair[] = [];
  for (;;) {
    const before = input.body;
    const left: Finding[] = [];
    for (const rule of rules) {
      const found = rule.check(input);
      if (found.length === 0) continue;
      const turns = repairs.filter((done) => done.rule === rule.id).length;
      const repaired =
        turns < mostTurns && found.some(mayRepair) ? repairBy(rule, input) : undefined;
      if (repaired === undefined) {
        for (const finding of found) left.push(finding);
        continue;
      }
      input = { ...input, body: repaired.body };
      repairs.push(repaired.repair);
    }
    if (input.body === before) return { body: input.body, repairs, left };
  }
}

/** A request that a service refused, and its error. */
export interface Refused {
  readonly wire: WireId;
  readonly model: Model;
  readonly body: JsonObject;
  readonly error: MullError;
}

/** A repaired body and the repair that was made. */
export interface Healed {
  readonly body: JsonObject;
  readonly repair: Repair;
}

/**
 * A request that the service refused, repaired by the rule that knows its words. The caller sends it once
 * more and never asks twice: a second refusal is the answer.
 */
export function heal(refused: Refused): Healed | undefined {
  requireObject("refused", refused, "an object with wire, model, body and error");
  const { wire, model, body, error } = refused;
  if (!wireIds.includes(wire)) throw invalidArgument("wire", wire, wireIds);
  requireObject("model", model, "what findModel returns");
  requireObject("body", body, "a JSON object");
  requireObject("error", error, "the MullError of the refusal");
  if (error.category !== "invalid_argument" && error.category !== "not_found") return undefined;
  const input: RuleInput = { wire, model, path: "", headers: {}, body };
  for (const rule of rulesOf(wire)) {
    const match = rule.refusal?.exec(error.message);
    const healed = match ? repairBy(rule, input, match) : undefined;
    if (healed !== undefined) return healed;
  }
  return undefined;
}

/** What one rule makes of a request; `undefined` if it changes nothing, so that nothing is sent twice. */
function repairBy(rule: Rule, input: RuleInput, refused?: RegExpExecArray): Healed | undefined {
  const body = rule.repair?.(input, refused);
  if (body === undefined || body === input.body) return undefined;
  if (refused && JSON.stringify(body) === JSON.stringify(input.body)) return undefined;
  const repair = {
    rule: rule.id,
    ...(refused && { error: refused.input }),
    detail: rule.repairSummary ?? rule.summary,
    ...(refused && rule.refusesSeals && { sealsRefused: true as const }),
  };
  return { body, repair };
}
