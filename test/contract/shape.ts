import type { Exchange } from "@mull/vcr";
import type { JsonObject, JsonValue } from "mull";

import { valuesOf } from "./witness.ts";

/** What answers are made of, without what they say. */
export interface Shape {
  /** Types of streamed events. */
  readonly events: ReadonlySet<string>;
  /** `candidates[].content.parts[].text: string` */
  readonly fields: ReadonlySet<string>;
  /** `candidates[].finishReason = STOP`, for fields whose values are words of a list. */
  readonly values: ReadonlySet<string>;
}

/** Fields whose values are words the service chose from a list of its own. */
const listed = new Set([
  "type",
  "object",
  "role",
  "status",
  "reason",
  "code",
  "effort",
  "summary",
  "category",
  "probability",
  "modality",
  "phase",
  "stop_reason",
  "finish_reason",
  "finishReason",
  "blockReason",
  "service_tier",
  "serviceTier",
  "truncation",
  "verbosity",
]);

/** Objects whose keys the model or the caller chose. */
const free = new Set(["args", "input", "metadata", "parameters", "input_schema"]);

const typeOf = (value: JsonValue): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

interface Draft {
  readonly events: Set<string>;
  readonly fields: Set<string>;
  readonly values: Set<string>;
}

const note = (value: JsonValue, path: string, key: string, draft: Draft): void => {
  if (path !== "") draft.fields.add(`${path}: ${typeOf(value)}`);
  if (typeof value === "string" && listed.has(key)) draft.values.add(`${path} = ${value}`);
  if (typeof value !== "object" || value === null || free.has(key)) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) note(item, `${path}[]`, key, draft);
    return;
  }
  for (const [name, member] of Object.entries(value as JsonObject)) {
    if (member !== undefined) note(member, path === "" ? name : `${path}.${name}`, name, draft);
  }
};

const bodyText = ({ deliveries }: Exchange): string =>
  Buffer.concat(deliveries.map(({ bytes }) => bytes)).toString("utf8");

const isWhole = ({ response, request }: Exchange): boolean =>
  (response?.headers["content-type"] ?? "").startsWith("application/json") &&
  !request.url.includes(":streamGenerateContent");

/** The shape of recorded answers taken together. */
export const shapeOf = (exchanges: readonly Exchange[]): Shape => {
  const draft: Draft = { events: new Set(), fields: new Set(), values: new Set() };
  for (const exchange of exchanges) {
    const text = bodyText(exchange);
    if (isWhole(exchange)) {
      note(JSON.parse(text) as JsonValue, "", "", draft);
      continue;
    }
    for (const value of valuesOf(text)) {
      const event = typeof value["type"] === "string" ? value["type"] : "";
      if (event !== "") draft.events.add(event);
      note(value, event === "" ? "" : `<${event}>`, "", draft);
    }
  }
  return draft;
};

const kinds = ["events", "fields", "values"] as const;

/** One difference: `+` is new in the live answer, `-` was not in it. */
export interface Drift {
  readonly kind: (typeof kinds)[number];
  readonly sign: "+" | "-";
  readonly what: string;
}

/** What `seen` has that `known` has not, and what `before` had that `seen` has not. */
export const compareShapes = (known: Shape, before: Shape, seen: Shape): readonly Drift[] =>
  kinds.flatMap((kind): readonly Drift[] => [
    ...[...seen[kind]]
      .filter((what) => !known[kind].has(what))
      .map((what) => ({ kind, sign: "+", what }) as const),
    ...[...before[kind]]
      .filter((what) => !seen[kind].has(what))
      .map((what) => ({ kind, sign: "-", what }) as const),
  ]);
