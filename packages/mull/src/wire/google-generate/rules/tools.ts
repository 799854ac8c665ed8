import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { geminiGeneration, isGemini } from "../client/generation.ts";
import { jsonSchemaOf } from "../client/open-api-schema.ts";
import { asObject, asText, without } from "../../common/json-reading.ts";
import { cheap, withIn, type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";
import { objectsOf } from "../client/json-reading.ts";
import { fault, unknownName, field, configOf, withConfig, isVertex } from "./view.ts";

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

const hasCalling = (body: JsonObject): boolean => Object.keys(callingOf(body)).length > 0;

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

/** Functions together with built-in tools. */
export const toolRules: RuleTable = {
  "google/tool-config-without-tools": cheap({
    summary: "A function calling config needs function declarations, or AUTO with built-in tools.",
    find: ({ body }) =>
      hasCalling(body) &&
      functionsOf(body).length === 0 &&
      !leavesToSearch(body) &&
      fault(
        "tool_config.function_calling_config",
        "Function calling config is set without function_declarations.",
      ),
    drops: ["toolConfig.functionCallingConfig"],
  }),
  "google/functions-beside-built-in": {
    summary:
      "Since Gemini 3, functions and built-in tools go together only if the request says so.",
    repairSummary: "Say so in the request.",
    when: (input) => !isVertex(input) && geminiGeneration(input.model) >= 3,
    find: ({ body }) =>
      hasBuiltIn(body) &&
      functionsOf(body).length > 0 &&
      field(asObject(field(body, "toolConfig")), "includeServerSideToolInvocations") !== true &&
      fault(
        "tool_config.include_server_side_tool_invocations",
        "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.",
      ),
    repair: ({ body }) => withIn(body, "toolConfig", { includeServerSideToolInvocations: true }),
  },
  "google/function-name": cheap({
    summary:
      "A function's name starts with a letter or _ and holds letters, digits and _ . : - only.",
    find: ({ body }) =>
      functionsOf(body).map(
        ({ declaration, at }) =>
          !/^[A-Za-z_][\w.:-]{0,127}$/.test(asText(declaration["name"])) &&
          fault(
            `${at}.name`,
            `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
          ),
      ),
  }),
  "google/function-declared-twice": {
    summary: "A function is declared once.",
    find: ({ body }) => {
      const names = functionsOf(body).map(({ declaration }) => asText(declaration["name"]));
      return functionsOf(body).map(
        ({ at }, index) =>
          names.indexOf(names[index]!) < index &&
          fault(at, `Duplicate function declaration found: ${names[index]}`),
      );
    },
  },
  "google/function-schema-twice": {
    summary: "A function has parameters or parametersJsonSchema, not both.",
    repairSummary: "Keep `parametersJsonSchema`.",
    find: ({ body }) =>
      functionsOf(body).map(
        ({ declaration, at }) =>
          field(declaration, "parameters") !== undefined &&
          field(declaration, "parametersJsonSchema") !== undefined &&
          fault(
            at,
            `* GenerateContentRequest.${at}: parameters and parameters_json_schema are mutually exclusive.\n`,
          ),
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
  "google/json-with-functions": cheap({
    summary: "Before Gemini 3, a JSON answer and functions can't be combined.",
    repairSummary: "Leave the JSON format out.",
    when: ({ model }) => isGemini(model) && geminiGeneration(model) < 3,
    find: ({ body }) =>
      field(configOf(body), "responseMimeType") === "application/json" &&
      functionsOf(body).length > 0 &&
      fault(
        "generation_config.response_mime_type",
        "Function calling with a response mime type: 'application/json' is unsupported",
      ),
    repair: ({ body }) =>
      withConfig(body, {
        responseMimeType: undefined,
        responseSchema: undefined,
        responseJsonSchema: undefined,
      }),
  }),
};
