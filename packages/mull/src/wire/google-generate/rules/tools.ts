import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { geminiGeneration, isGemini } from "../client/generation.ts";
import { jsonSchemaOf } from "../client/open-api-schema.ts";
import { asObject, asText, hasKeys, without } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  withIn,
  type RuleFault,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { objectsOf } from "../client/json-reading.ts";
import { inRequest, unknownName, field, configOf, withConfig, isVertex } from "./view.ts";

interface Declared {
  readonly declaration: JsonObject;
  /** As the service writes it. */
  readonly at: string;
}

const functionsOf = (body: JsonObject): readonly Declared[] => {
  const isList = Array.isArray(body["tools"]);
  return objectsOf(body["tools"]).flatMap((tool, entry) =>
    objectsOf(field(tool, "functionDeclarations")).map((declaration, index) => ({
      declaration,
      at: `tools${isList ? `[${entry}]` : ""}.function_declarations[${index}]`,
    })),
  );
};

const callingOf = (body: JsonObject): JsonObject =>
  asObject(field(asObject(field(body, "toolConfig")), "functionCallingConfig"));

/** `mode: AUTO` together with the service's own tools changes nothing, and is accepted. */
const leavesToSearch = (body: JsonObject): boolean =>
  hasBuiltIn(body) && (callingOf(body)["mode"] ?? "AUTO") === "AUTO";

const builtIn = [
  "googleSearch",
  "googleSearchRetrieval",
  "codeExecution",
  "urlContext",
  "googleMaps",
  "fileSearch",
];

const hasBuiltIn = (body: JsonObject): boolean =>
  objectsOf(body["tools"]).some((tool) => builtIn.some((name) => isJsonObject(field(tool, name))));

const mapFunctions = (
  body: JsonObject,
  change: (declaration: JsonObject) => JsonObject,
): JsonObject => {
  const changed = (tool: JsonObject): JsonObject => {
    const { functionDeclarations, ...rest } = tool;
    if (functionDeclarations === undefined) return tool;
    return { ...rest, functionDeclarations: objectsOf(functionDeclarations).map(change) };
  };
  return { ...body, tools: objectsOf(body["tools"]).map(changed) };
};

/** Words of JSON Schema that the OpenAPI subset of `parameters` does not have. */
const foreignKeywords: ReadonlySet<string> = new Set([
  "additionalProperties",
  "const",
  "oneOf",
  "allOf",
  "not",
  "$schema",
  "$id",
  "patternProperties",
  "exclusiveMinimum",
  "exclusiveMaximum",
]);

function foreignIn(schema: JsonValue | undefined, at: string): readonly RuleFault[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]): readonly RuleFault[] => {
    if (foreignKeywords.has(key)) return [unknownName(key, at)];
    if (key === "items") return foreignIn(value, `${at}.items`);
    if (key !== "properties") return [];
    return Object.entries(asObject(value)).flatMap(([, inner], index) =>
      foreignIn(inner, `${at}.properties[${index}].value`),
    );
  });
}

/** Where lists do not say what their items are. */
function itemsMissing(schema: JsonValue | undefined, at: string): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { type, items, properties } = schema;
  const isList = asText(type).toUpperCase() === "ARRAY";
  return [
    ...(isList && items === undefined ? [`${at}.items`] : itemsMissing(items, `${at}.items`)),
    ...Object.entries(asObject(properties)).flatMap(([name, inner]) =>
      itemsMissing(inner, `${at}.properties[${name}]`),
    ),
  ];
}

/** Functions together with built-in tools. */
export const toolRules: RuleTable = {
  "google/tool-config-without-tools": cheap({
    summary: "A function calling config needs function declarations, or AUTO with built-in tools.",
    says: "Function calling config is set without function_declarations.",
    find: ({ body }) =>
      hasKeys(callingOf(body)) &&
      functionsOf(body).length === 0 &&
      !leavesToSearch(body) &&
      "tool_config.function_calling_config",
    drops: ["toolConfig.functionCallingConfig"],
  }),
  "google/functions-beside-built-in": {
    summary:
      "Since Gemini 3, functions and built-in tools go together only if the request says so.",
    says: (path) => `Please enable ${path} to use Built-in tools with Function calling.`,
    repairSummary: "Say so in the request.",
    when: (input) => !isVertex(input) && geminiGeneration(input.model) >= 3,
    find: ({ body }) =>
      hasBuiltIn(body) &&
      functionsOf(body).length > 0 &&
      field(asObject(field(body, "toolConfig")), "includeServerSideToolInvocations") !== true &&
      "tool_config.include_server_side_tool_invocations",
    repair: ({ body }) => withIn(body, "toolConfig", { includeServerSideToolInvocations: true }),
  },
  "google/function-name": cheap({
    summary:
      "A function's name starts with a letter or _ and holds letters, digits and _ . : - only.",
    says: inRequest(
      "Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.",
    ),
    find: ({ body }) =>
      functionsOf(body).map(
        ({ declaration, at }) =>
          !/^[A-Za-z_][\w.:-]{0,127}$/.test(asText(declaration["name"])) && `${at}.name`,
      ),
  }),
  "google/function-declared-twice": {
    summary: "A function is declared once.",
    find: ({ body }) => {
      const seen = new Set<string>();
      return functionsOf(body).map(({ declaration, at }) => {
        const name = asText(declaration["name"]);
        const before = seen.size;
        const message = `Duplicate function declaration found: ${name}`;
        return seen.add(name).size === before && fault(at, message);
      });
    },
  },
  "google/function-schema-twice": {
    summary: "A function has parameters or parametersJsonSchema, not both.",
    says: inRequest("parameters and parameters_json_schema are mutually exclusive."),
    repairSummary: "Keep `parametersJsonSchema`.",
    find: ({ body }) =>
      functionsOf(body).map(
        ({ declaration, at }) =>
          field(declaration, "parameters") !== undefined &&
          field(declaration, "parametersJsonSchema") !== undefined &&
          at,
      ),
    repair: ({ body }) =>
      mapFunctions(body, (declaration) =>
        "parametersJsonSchema" in declaration ? without(declaration, "parameters") : declaration,
      ),
  },
  "google/function-schema-keyword": {
    summary: "On the Gemini API `parameters` takes an OpenAPI subset; JSON Schema goes elsewhere.",
    repairSummary: "Send the schema as `parametersJsonSchema`.",
    when: (input) => !isVertex(input),
    find: ({ body }) =>
      functionsOf(body).map(({ declaration, at }) =>
        foreignIn(field(declaration, "parameters"), `${at}.parameters`),
      ),
    repair: ({ body }) =>
      mapFunctions(body, (declaration) => {
        const { parameters, ...rest } = declaration;
        if (foreignIn(parameters, "").length === 0) return declaration;
        return { ...rest, parametersJsonSchema: jsonSchemaOf(parameters) };
      }),
  },
  "google/function-schema-items": {
    summary: "On the Gemini API a list in `parameters` says what its items are.",
    says: inRequest("missing field."),
    fix: "Give the list `items`.",
    when: (input) => !isVertex(input),
    find: ({ body }) =>
      functionsOf(body).map(({ declaration, at }) =>
        itemsMissing(field(declaration, "parameters"), `${at}.parameters`),
      ),
  },
  "google/json-with-functions": cheap({
    summary: "Before Gemini 3, a JSON answer and functions can't be combined.",
    says: "Function calling with a response mime type: 'application/json' is unsupported",
    repairSummary: "Leave the JSON format out.",
    when: ({ model }) => isGemini(model) && geminiGeneration(model) < 3,
    find: ({ body }) =>
      field(configOf(body), "responseMimeType") === "application/json" &&
      functionsOf(body).length > 0 &&
      "generation_config.response_mime_type",
    repair: ({ body }) =>
      withConfig(body, {
        responseMimeType: undefined,
        responseSchema: undefined,
        responseJsonSchema: undefined,
      }),
  }),
};
