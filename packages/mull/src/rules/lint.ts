import { findModel } from "../catalogue/find-model.ts";
import { invalidArgument, requireObject } from "../types/error.ts";
import type { HeaderFields } from "../types/http.ts";
import { isJsonObject, type JsonObject } from "../types/json.ts";
import { wireIds, type WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Repair } from "../types/plan.ts";
import type { Finding, RuleInput } from "../types/rule.ts";
import { lowerCased } from "../wire/common/headers.ts";
import { applyRules } from "./apply-rules.ts";
import { rulesOf } from "../wire/rules-of.ts";

/** A request in its wire format, with the model it is for. */
export interface LintRequest {
  readonly wire: WireId;
  readonly body: JsonObject;
  /** Needed if the body does not name it: Gemini's model is in the path. */
  readonly model?: string | Model;
  readonly path?: string;
  readonly headers?: HeaderFields;
}

/** What `lint` found in a request. */
export interface LintReport {
  /** Whether there is no finding of severity `error`. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** The repaired body, what was repaired, and what is left. */
export interface RepairReport extends LintReport {
  readonly body: JsonObject;
  readonly repairs: readonly Repair[];
}

/**
 * Lists what the service would refuse in a request: the rule, the place, the service's own words,
 * and the repair.
 */
export function lint(request: LintRequest): LintReport {
  const input = toInput(request);
  return report(rulesOf(input.wire).flatMap((rule) => rule.check(input)));
}

/** How far `repair` goes. */
export interface RepairOptions {
  /** Also follow advice, which changes what the service would accept. */
  readonly advice?: boolean;
}

/** Applies every known repair to a request. What is left in `findings` needs a person, or is only advice. */
export function repair(request: LintRequest, options: RepairOptions = {}): RepairReport {
  const input = toInput(request);
  const mayRepair = ({ severity }: Finding): boolean =>
    severity !== "advice" || options.advice === true;
  const { body, repairs, left } = applyRules(input, rulesOf(input.wire), mayRepair);
  return { ...report(left), body, repairs };
}

const report = (findings: readonly Finding[]): LintReport => ({
  ok: !findings.some((finding) => finding.severity === "error"),
  findings,
});

function toInput(request: LintRequest): RuleInput {
  requireObject("request", request, "an object with wire and body");
  if (!wireIds.includes(request.wire)) throw invalidArgument("wire", request.wire, wireIds);
  if (!isJsonObject(request.body)) throw invalidArgument("body", request.body, "a JSON object");
  const path = request.path ?? "";
  const model = request.model ?? modelIn(request.body, path);
  return {
    wire: request.wire,
    model: typeof model === "string" ? findModel(model) : model,
    path,
    headers: lowerCased(request.headers),
    body: request.body,
  };
}

function modelIn(body: JsonObject, path: string): string {
  if (typeof body["model"] === "string") return body["model"];
  return /models\/([^:/?]+)/.exec(path)?.[1] ?? "";
}
