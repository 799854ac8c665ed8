import { lint, repair, type Finding, type JsonObject, type Model, type Repair } from "mull";

import type { BatchLine } from "./batch.ts";
import { liftSide } from "./envelope.ts";
import { guessWire } from "./guess-wire.ts";
import { parseJson } from "./input.ts";
import { judge } from "./judge.ts";
import { modelOfRequest } from "./lint-model.ts";
import { stringFields } from "./read-reply.ts";
import { readWire } from "./wire-words.ts";
import { UsageError } from "../frame/usage-error.ts";
import { wireNames } from "../frame/wire-names.ts";

export interface LintView {
  /** Nothing in the request as given would be refused. */
  readonly ok: boolean;
  readonly findings: readonly FindingView[];
  /** With `--fix`: the repaired body, what was done, and what is left for a person. */
  readonly fixed?: JsonObject;
  readonly repairs?: readonly Repair[];
  readonly left?: readonly FindingView[];
}

export interface FindingView {
  readonly rule: string;
  readonly severity: Finding["severity"];
  readonly path: string;
  readonly message: string;
  readonly fix: string | null;
}

/** A request to be judged, with the row it is judged by. */
export interface JudgedRequest {
  readonly wire: Parameters<typeof lint>[0]["wire"];
  readonly body: JsonObject;
  readonly model: Model;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function lintRequest(request: JudgedRequest, fix: boolean, advice = false): LintView {
  const view = (findings: readonly Finding[]): readonly FindingView[] =>
    findings.map((finding) => viewFinding(judge(finding, request)));
  const findings = view(lint(request).findings);
  const found = { ok: !hasError(findings), findings };
  if (!fix) return found;
  const repaired = repair(request, { advice });
  return {
    ...found,
    fixed: repaired.body,
    repairs: repaired.repairs,
    left: view(repaired.findings),
  };
}

export const hasError = (findings: readonly FindingView[]): boolean =>
  findings.some((finding) => finding.severity === "error");

const viewFinding = ({ rule, severity, path, message, fix }: Finding): FindingView => ({
  rule,
  severity,
  path,
  message,
  fix: fix ?? null,
});

/** A logged request: `{wire, model, provider, path, headers, body | body_text}`. */
export function judgedRequestOf(logged: BatchLine): JudgedRequest {
  const envelope = liftSide(logged, "request");
  const { body_text: text, headers } = envelope;
  const value = typeof text === "string" ? parseJson(text, "body_text") : envelope["body"];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError("The request body is not a JSON object.");
  }
  const body = value as JsonObject;
  const path = textIn(envelope, "path") ?? "";
  const word = envelope["wire"] ?? envelope["api"] ?? guessWire(body, path);
  if (word === undefined) throw unknownWire();
  const wire = readWire(word);
  const model = textIn(envelope, "model");
  const provider = textIn(envelope, "provider");
  return {
    wire,
    body,
    path,
    model: modelOfRequest({ wire, body, model, path, provider }),
    headers: lowerCased(typeof headers === "object" && headers !== null ? headers : {}),
  };
}

const unknownWire = (): UsageError =>
  new UsageError(
    "The fields of this body do not say which service it is for.",
    `If it is a request to a model, name the wire: --wire ${wireNames.join(" | ")}`,
  );

const textIn = (envelope: BatchLine, name: string): string | undefined => {
  const value = envelope[name];
  return typeof value === "string" ? value : undefined;
};

const lowerCased = (headers: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(stringFields(headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
