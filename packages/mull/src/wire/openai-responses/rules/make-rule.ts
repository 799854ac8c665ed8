import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { mapObjectsIn, objectsIn, viewOnce } from "../../common/rule-view.ts";
import { asText } from "../client/parts.ts";

/** A violation before it becomes a finding. `param` is the path unless the service names another. */
export interface Hit {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
  readonly param?: string | null;
  readonly status?: number;
  readonly severity?: Finding["severity"];
}

export interface RuleSpec {
  readonly id: string;
  readonly summary: string;
  readonly about?: readonly string[];
  readonly severity?: Rule["severity"];
  readonly repairSummary?: string;
  /** Holds for every server of this wire, not for OpenAI's own models only. */
  readonly everywhere?: true;
  readonly find: (input: RuleInput) => readonly Hit[];
  readonly repair?: (body: JsonObject, input: RuleInput) => JsonObject;
  readonly preflight?: true;
}

export function makeRule(spec: RuleSpec): Rule {
  const { id, summary, about, severity = "error", repairSummary, everywhere, find, repair } = spec;
  const check = (input: RuleInput): readonly Finding[] =>
    everywhere || input.model.provider === "openai"
      ? find(input).map((hit) => findingOf(hit, id, severity, repairSummary))
      : [];
  return {
    id,
    wire: "openai-responses",
    severity,
    summary,
    ...(about !== undefined && { about }),
    ...(repairSummary !== undefined && { repairSummary }),
    ...(spec.preflight && { preflight: true }),
    check,
    ...(repair !== undefined && {
      repair: (input: RuleInput) =>
        check(input).length === 0 ? input.body : repair(input.body, input),
    }),
  };
}

function findingOf(
  hit: Hit,
  rule: string,
  severity: Rule["severity"],
  fix: string | undefined,
): Finding {
  const { path, message, code, param = path, status = 400 } = hit;
  return {
    rule,
    severity: hit.severity ?? severity,
    path,
    message,
    ...(fix !== undefined && { fix }),
    ...(severity !== "advice" && {
      answer: {
        status,
        type: "invalid_request_error",
        message,
        ...(code !== undefined && { code }),
        ...(param !== null && { param }),
      },
    }),
  };
}

/** Allowed values as the service lists them: `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
export function listValues(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.slice(-1).join("")}`;
}

/** An item of `input` and its position. */
export interface PlacedItem {
  readonly item: JsonObject;
  readonly at: number;
  readonly type: string;
  readonly id: string | undefined;
}

/** The items of a body. Rules that only read share `itemsIn`. */
export const itemsOf = ({ input }: JsonObject): readonly PlacedItem[] =>
  (Array.isArray(input) ? objectsIn(input) : []).map((item, at) => ({
    item,
    at,
    type: asText(item["type"]) ?? "message",
    id: asText(item["id"]),
  }));

export const itemsIn: (input: RuleInput) => readonly PlacedItem[] = viewOnce(itemsOf);

/** Maps every item; `undefined` drops one. */
export function withItems(
  body: JsonObject,
  change: (placed: PlacedItem) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject {
  const items = itemsOf(body);
  return { ...body, input: mapObjectsIn(body["input"], (_, at) => change(items[at]!)) };
}

export const kindOf = (value: Exclude<JsonValue, null>): string => {
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/** The service's text for a wrong value: `Invalid value: 'x'. Supported values are: 'a' and 'b'.` */
export const invalidValue = (value: JsonValue, allowed: readonly string[]): string =>
  `Invalid value: '${typeof value === "string" ? value : JSON.stringify(value)}'. Supported values are: ${listValues(allowed)}.`;

export function omit(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Whether a request continues a conversation stored at the service, whose items are not in the body. */
export const continuesStored = (body: JsonObject): boolean =>
  body["previous_response_id"] != null || body["conversation"] != null;
