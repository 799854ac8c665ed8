import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObjects, asText } from "../json-reading.ts";
import type { RuleDraft, RuleFault } from "./define-rule.ts";
import { withItems } from "../list-items.ts";
import { findNoItems, findNoObject, findNotStrict } from "../schema-problems.ts";

/** Where one of OpenAI's wires keeps the schemas of a request. */
export interface SchemaPlaces {
  /** The function of a tool; empty if the tool isn't a function. */
  readonly functionOf: (tool: JsonObject) => JsonObject;
  readonly withFunction: (tool: JsonObject, changed: JsonObject) => JsonObject;
  /** The way from a tool to its schema. */
  readonly path: string;
  readonly formatOf: (body: JsonObject) => JsonObject;
  readonly withFormat: (body: JsonObject, changed: JsonObject) => JsonObject;
  /** What the service says of a schema for the answer, besides the message. */
  readonly formatFault: Omit<RuleFault, "message">;
}

/** Why a strict schema does not close; empty if it does, or need not. */
const whyOpen = (schema: JsonObject[string], strict: JsonObject[string]): readonly string[] =>
  strict === true ? findNotStrict(schema) : [];

const openIn = ({ strict, parameters }: JsonObject): readonly string[] =>
  whyOpen(parameters, strict);

/** The rules about schemas of functions that aren't objects, about lists of anything, and about strict schemas that are not closed. */
export function schemaDrafts(places: SchemaPlaces): {
  readonly objects: RuleDraft;
  readonly items: RuleDraft;
  readonly strict: RuleDraft;
} {
  const { functionOf, withFunction, path, formatOf, withFormat, formatFault } = places;

  const findInTools = (
    { body }: RuleInput,
    problemsOf: (spec: JsonObject) => readonly string[],
  ): readonly RuleFault[] =>
    asObjects(body["tools"]).flatMap((tool, index) => {
      const spec = functionOf(tool);
      return problemsOf(spec).map((problem) => ({
        path: `tools[${index}].${path}`,
        message: `Invalid schema for function '${asText(spec["name"])}': ${problem}`,
        code: "invalid_function_parameters",
      }));
    });

  const mapFunctions = (body: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject =>
    body["tools"] === undefined
      ? body
      : {
          ...body,
          tools: asObjects(body["tools"]).map((tool) =>
            withFunction(tool, change(functionOf(tool))),
          ),
        };

  const mapParameters = (
    body: JsonObject,
    change: (schema: JsonObject) => JsonObject,
  ): JsonObject =>
    mapFunctions(body, (spec) =>
      isJsonObject(spec["parameters"]) ? { ...spec, parameters: change(spec["parameters"]) } : spec,
    );

  const openFormat = (body: JsonObject): readonly string[] => {
    const { strict, schema } = formatOf(body);
    return whyOpen(schema, strict);
  };

  return {
    objects: {
      summary: "The arguments of a function are an object whose properties are named.",
      fix: 'Give `parameters` the type "object" and `properties`, or leave `parameters` out.',
      repairSummary: "Add empty `properties` to an object without them.",
      find: (input) => findInTools(input, ({ parameters }) => findNoObject(parameters)),
      repair: ({ body }) => mapParameters(body, withProperties),
    },
    items: {
      summary: "A list in the schema of a function says what its items are.",
      repairSummary: "Add `items: {}`, which takes anything.",
      find: (input) => findInTools(input, ({ parameters }) => findNoItems(parameters)),
      repair: ({ body }) => mapParameters(body, withItems),
    },
    strict: {
      summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
      fix: "Set `additionalProperties` to false, require every property and use `anyOf`; or leave `strict` out.",
      repairSummary: "Set `strict` to false.",
      find: (input) => [
        findInTools(input, openIn),
        openFormat(input.body).map((problem) => ({
          ...formatFault,
          message: `Invalid schema for response_format '${asText(formatOf(input.body)["name"])}': ${problem}`,
        })),
      ],
      repair: ({ body: given }) => {
        const body = mapFunctions(given, (spec) =>
          openIn(spec).length > 0 ? { ...spec, strict: false } : spec,
        );
        return openFormat(body).length === 0
          ? body
          : withFormat(body, { ...formatOf(body), strict: false });
      },
    },
  };
}

/** A function whose arguments are an object, with its properties named. */
/** An object whose properties are named, even if it has none. */
const withProperties = (schema: JsonObject): JsonObject =>
  schema["type"] === "object" ? { properties: {}, ...schema } : schema;
