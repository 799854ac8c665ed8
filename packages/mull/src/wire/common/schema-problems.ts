import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import { lacksItems } from "./list-items.ts";

type Context = readonly string[];

const at = (context: Context, problem: string): string =>
  `In context=(${context.map((step) => `'${step}'`).join(", ")}), ${problem}`;

const isOfObjects = ({ type, properties }: JsonObject): boolean =>
  properties !== undefined || [type].flat().includes("object");

const typed = ["type", "properties", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"];

/** A schema that says nothing of the type. */
export const isOfAnyType = (schema: JsonObject): boolean =>
  typed.every((key) => schema[key] === undefined);

/** What is wrong with one object of a strict schema, in the order in which the service looks. */
function problemsHere(schema: JsonObject): readonly string[] {
  const problems = Array.isArray(schema["oneOf"]) ? ["'oneOf' is not permitted."] : [];
  if (isOfAnyType(schema)) problems.push("schema must have a 'type' key.");
  if (!isOfObjects(schema)) return problems;
  if (schema["additionalProperties"] !== false) {
    problems.push("'additionalProperties' is required to be supplied and to be false.");
  }
  const { properties, required } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const missing = names.find((name) => ![required].flat().includes(name));
  if (missing !== undefined) {
    problems.push(
      `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    );
  }
  return problems;
}

const manySchemas = ["properties", "anyOf", "oneOf", "allOf", "$defs", "definitions"];

/** The schemas directly inside a schema. Values of `enum` and `default` are no schemas. */
const schemasIn = (schema: JsonObject): readonly (readonly [Context, JsonValue | undefined])[] => [
  ...manySchemas.flatMap((key) =>
    Object.entries(Object(schema[key]) as JsonObject).map(
      ([name, inner]) => [[key, name], inner] as const,
    ),
  ),
  [["items"], schema["items"]],
];

/** Why OpenAI does not guarantee a schema; empty if it does. */
export function findNotStrict(
  schema: JsonValue | undefined,
  context: Context = [],
): readonly string[] {
  if (!isJsonObject(schema)) return [];
  return [
    ...problemsHere(schema).map((problem) => at(context, problem)),
    ...schemasIn(schema).flatMap(([step, inner]) => findNotStrict(inner, [...context, ...step])),
  ];
}

/** The lists of a schema that do not say what their items are: OpenAI refuses them, strict or not. */
export function findNoItems(
  schema: JsonValue | undefined,
  context: Context = [],
): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { type } = schema;
  const place = Array.isArray(type) ? [...context, "type", `${type.indexOf("array")}`] : context;
  return [
    ...(lacksItems(schema) ? [at(place, "array schema missing items.")] : []),
    ...schemasIn(schema).flatMap(([step, inner]) => findNoItems(inner, [...context, ...step])),
  ];
}

/** Whether OpenAI guarantees a schema. */
export const isStrict = (schema: JsonValue | undefined): boolean =>
  findNotStrict(schema).length === 0;

const notAtTop = ["oneOf", "anyOf", "allOf", "enum", "const", "not"];

/** Why OpenAI refuses a schema for function arguments, strict or not. */
export function findNoObject(schema: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { type = "None" } = schema;
  if (type === "object" && notAtTop.some((key) => schema[key] !== undefined)) {
    const words = notAtTop.map((key) => `'${key}'`).join("/");
    return [`schema must have type 'object' and not have ${words} at the top level.`];
  }
  if (type === "object") {
    return schema["properties"] === undefined ? [at([], "object schema missing properties.")] : [];
  }
  const got = typeof type === "string" ? type : JSON.stringify(type);
  return [`schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`];
}
