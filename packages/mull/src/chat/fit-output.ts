import { invalidArgument } from "../types/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import { info, type Note } from "../types/plan.ts";
import { asList } from "../wire/common/json-reading.ts";
import { isOfAnyType } from "../wire/common/schema-problems.ts";
import { resolveRef, schemasIn } from "./json-schema.ts";

/** What the services take in a schema for the answer, besides what they all take. */
interface SchemaTaste {
  readonly service: string;
  /** Further keywords. What is none of them goes into the description, in words. */
  readonly keywords: string;
  readonly formats?: readonly string[];
  /** Every object is closed, and `oneOf` is written `anyOf`. */
  readonly closes?: true;
  /** Every field is required: one that may be absent may be null instead. */
  readonly requiresAll?: true;
  /** The schema at the top is one object. */
  readonly wantsObject?: true;
  /** Fields of any name are refused, and so is a schema that holds itself. */
  readonly refusesMapsAndLoops?: true;
}

const textFormats = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ");
const numberWords = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf";

const openai: SchemaTaste = {
  service: "OpenAI",
  keywords: `pattern format minItems maxItems ${numberWords}`,
  formats: textFormats,
  closes: true,
  requiresAll: true,
  wantsObject: true,
};

const tastes: Readonly<Record<WireId, SchemaTaste>> = {
  "anthropic-messages": {
    service: "Anthropic",
    keywords: "format",
    formats: [...textFormats, "uri"],
    closes: true,
    refusesMapsAndLoops: true,
  },
  "openai-responses": openai,
  "openai-chat": openai,
  "google-generate": {
    service: "Google",
    keywords: "format minItems maxItems minimum maximum prefixItems",
  },
};

const structure =
  "type properties required additionalProperties items anyOf oneOf allOf $ref $defs definitions enum const description title";

/** A schema as a service takes it, and what the user should know about the change. */
export interface FittedSchema {
  readonly schema: JsonObject;
  readonly notes: readonly Note[];
}

/**
 * The schema of an answer as one wire takes it. What cannot be said there is refused with its place,
 * or said in the description; the answer is held against the whole schema in any case.
 */
export function fitOutput(schema: JsonObject, wire: WireId, field: string): FittedSchema {
  const taste = tastes[wire];
  if (taste.wantsObject) refuseOtherTop(schema, taste, field);
  if (taste.refusesMapsAndLoops) refuseMapsAndLoops(schema, taste, field, [schema]);
  if (taste.requiresAll && cannotBeStrict(schema)) {
    const message = `${taste.service} cannot guarantee this schema: it has fields of any name or type, or allOf. The answer is still checked.`;
    return { schema, notes: [info("schema-not-strict", message)] };
  }
  const said = new Set<string>();
  const fitted = fit(schema, taste, said);
  if (said.size === 0) return { schema: fitted, notes: [] };
  const message = `${taste.service} takes no ${[...said].join(", ")} in a schema: sent in the description, and the answer is checked.`;
  return { schema: fitted, notes: [info("schema-in-words", message)] };
}

function refuseOtherTop(schema: JsonObject, { service }: SchemaTaste, field: string): void {
  const top = schema["$ref"] === undefined ? schema : resolveRef(schema["$ref"], schema);
  if (isJsonObject(top) && top["type"] === "object") return;
  const { type = "a union" } = isJsonObject(top) ? top : {};
  throw invalidArgument(
    `${field}.type`,
    type,
    `object: ${service} takes nothing else at the top; put it into a field`,
  );
}

function refuseMapsAndLoops(
  schema: JsonObject,
  taste: SchemaTaste,
  field: string,
  around: readonly JsonValue[],
): void {
  const { additionalProperties: others, $ref } = schema;
  if (others !== undefined && others !== false)
    throw invalidArgument(
      `${field}.additionalProperties`,
      others,
      `false: ${taste.service} takes no fields of any name; ask for a list of { key, value }`,
    );
  const inner = [
    ...schemasIn(schema).filter(([path]) => !/^(?:\$defs|definitions)\./.test(path)),
    ...($ref === undefined ? [] : [["$ref", resolveRef($ref, around[0])] as const]),
  ];
  for (const [path, next] of inner) {
    if (!isJsonObject(next)) continue;
    if (around.includes(next))
      throw invalidArgument(
        `${field}.${path}`,
        $ref,
        `a schema that does not contain itself: ${taste.service} takes no other`,
      );
    refuseMapsAndLoops(next, taste, `${field}.${path}`, [...around, next]);
  }
}

/** `{}`, which is what `z.any()` writes, may be anything: OpenAI wants to know the type of everything. */
const cannotBeStrict = (schema: JsonValue | undefined): boolean =>
  isJsonObject(schema) &&
  ((schema["additionalProperties"] ?? false) !== false ||
    schema["allOf"] !== undefined ||
    isOfAnyType(schema) ||
    schemasIn(schema).some(([, inner]) => cannotBeStrict(inner)));

function fit(schema: JsonValue | undefined, taste: SchemaTaste, said: Set<string>): JsonObject {
  if (!isJsonObject(schema)) return {};
  const allowed = new Set(`${structure} ${taste.keywords}`.split(" "));
  const fields: Record<string, JsonValue | undefined> = {};
  const words: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    const isKnown = allowed.has(key) && (key !== "format" || isTaken(value, taste));
    if (isKnown)
      fields[taste.closes && key === "oneOf" ? "anyOf" : key] = fitValue(key, value, taste, said);
    else if (key !== "$schema" && key !== "$id" && key !== "$comment") {
      said.add(key);
      words.push(`${key}: ${JSON.stringify(value)}`);
    }
  }
  if (words.length > 0) {
    const { description } = fields;
    const before = typeof description === "string" ? `${description} ` : "";
    fields["description"] = `${before}(${words.join(", ")})`;
  }
  // An array has to say what it holds. Of a tuple all that can be said is: any of these.
  if (Array.isArray(schema["prefixItems"]) && !allowed.has("prefixItems"))
    fields["items"] = oneOfThese(asList(schema["prefixItems"]), taste, said);
  const isObject = schema["type"] === "object" || schema["properties"] !== undefined;
  if (isObject && taste.closes) fields["additionalProperties"] = false;
  if (isObject && taste.requiresAll) requireAll(fields);
  return fields;
}

const isTaken = (format: JsonValue | undefined, { formats }: SchemaTaste): boolean =>
  formats === undefined || (typeof format === "string" && formats.includes(format));

function fitValue(
  key: string,
  value: JsonValue | undefined,
  taste: SchemaTaste,
  said: Set<string>,
): JsonValue | undefined {
  if (key === "items") return fit(value, taste, said);
  if (key === "anyOf" || key === "oneOf" || key === "allOf" || key === "prefixItems")
    return asList(value).map((inner) => fit(inner, taste, said));
  if ((key === "properties" || key === "$defs" || key === "definitions") && isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, fit(inner, taste, said)]),
    );
  if (key === "additionalProperties" && isJsonObject(value)) return fit(value, taste, said);
  return value;
}

function oneOfThese(
  items: readonly JsonValue[],
  taste: SchemaTaste,
  said: Set<string>,
): JsonObject {
  const forms = new Map<string, JsonObject>();
  for (const item of items) {
    const fitted = fit(item, taste, said);
    forms.set(JSON.stringify(fitted), fitted);
  }
  const [only, ...others] = forms.values();
  return others.length === 0 ? (only ?? {}) : { anyOf: [...forms.values()] };
}

function requireAll(fields: Record<string, JsonValue | undefined>): void {
  const { properties } = fields;
  const all = isJsonObject(properties) ? properties : {};
  const required = asList(fields["required"]);
  fields["properties"] = Object.fromEntries(
    Object.entries(all).map(([name, inner]) => [
      name,
      required.includes(name) ? inner : orNull(inner),
    ]),
  );
  fields["required"] = Object.keys(all);
}

function orNull(schema: JsonValue | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { type } = schema;
  if (typeof type !== "string" || type === "null") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(schema["enum"]) && { enum: [...schema["enum"], null] }),
    ...(schema["const"] !== undefined && { const: undefined, enum: [schema["const"], null] }),
  };
}
