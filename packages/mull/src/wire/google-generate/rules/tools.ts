import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule } from "../../../types/rule.ts";
import { geminiGeneration, isGemini } from "../client/generation.ts";
import { objectOf, objectsOf, textOf } from "../client/json-reading.ts";
import { jsonSchemaOf } from "../client/open-api-schema.ts";
import {
  askedModel,
  configNames,
  configOf,
  field,
  isVertex,
  makeRule,
  type Problem,
  withConfig,
} from "./rule-kit.ts";
import { unknownName } from "./structure.ts";

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
  objectOf(field(objectOf(field(body, "toolConfig")), "functionCallingConfig"));

const hasCalling = (body: JsonObject): boolean => Object.keys(callingOf(body)).length > 0;

/** `mode: AUTO` beside the service's own tools asks for nothing, and is taken. */
const leavesToSearch = (body: JsonObject): boolean =>
  hasBuiltIn(body) && (callingOf(body)["mode"] ?? "AUTO") === "AUTO";

const configNeedsTools = (): Rule =>
  makeRule({
    id: "google/tool-config-without-tools",
    about: ["toolConfig", "tool_config"],
    summary:
      "A function calling config needs function declarations, or AUTO beside built-in tools.",
    preflight: true,
    check: ({ body }) =>
      hasCalling(body) && functionsOf(body).length === 0 && !leavesToSearch(body)
        ? [
            {
              path: "tool_config.function_calling_config",
              message: "Function calling config is set without function_declarations.",
            },
          ]
        : [],
    repairSummary: "Leaves the config out.",
    repair: (body) => {
      const { toolConfig, ...rest } = body;
      const { functionCallingConfig: _, ...others } = objectOf(toolConfig);
      return Object.keys(others).length > 0 ? { ...rest, toolConfig: others } : rest;
    },
  });

/** Tools the service runs itself. */
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

const besideBuiltIn = (): Rule =>
  makeRule({
    id: "google/functions-beside-built-in",
    about: ["tools"],
    summary: "Since Gemini 3 functions stand beside built-in tools only where the request says so.",
    check: (input) => {
      const { body, model } = input;
      const isAllowed = field(
        objectOf(field(body, "toolConfig")),
        "includeServerSideToolInvocations",
      );
      const isAsked = hasBuiltIn(body) && functionsOf(body).length > 0 && isAllowed !== true;
      return isAsked && !isVertex(input) && geminiGeneration(model) >= 3
        ? [
            {
              path: "tool_config.include_server_side_tool_invocations",
              message:
                "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.",
            },
          ]
        : [];
    },
    repairSummary: "Says so.",
    repair: (body) => ({
      ...body,
      toolConfig: { ...objectOf(body["toolConfig"]), includeServerSideToolInvocations: true },
    }),
  });

const functionName = (): Rule =>
  makeRule({
    id: "google/function-name",
    about: ["tools"],
    summary:
      "A function's name starts with a letter or _ and holds letters, digits and _ . : - only.",
    preflight: true,
    check: ({ body }) =>
      functionsOf(body).flatMap(({ declaration, at }) =>
        /^[A-Za-z_][\w.:-]{0,127}$/.test(textOf(declaration["name"]))
          ? []
          : [
              {
                path: `${at}.name`,
                message: `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
              },
            ],
      ),
  });

const oneDeclaration = (): Rule =>
  makeRule({
    id: "google/function-declared-twice",
    summary: "A function is declared once.",
    check: ({ body }) => {
      const seen = new Set<string>();
      return functionsOf(body).flatMap(({ declaration, at }) => {
        const name = textOf(declaration["name"]);
        const isNew = !seen.has(name);
        seen.add(name);
        return isNew
          ? []
          : [{ path: at, message: `Duplicate function declaration found: ${name}` }];
      });
    },
  });

const oneSchema = (): Rule =>
  makeRule({
    id: "google/function-schema-twice",
    summary: "A function has parameters or parametersJsonSchema, not both.",
    check: ({ body }) =>
      functionsOf(body).flatMap(({ declaration, at }) =>
        field(declaration, "parameters") !== undefined &&
        field(declaration, "parametersJsonSchema") !== undefined
          ? [
              {
                path: at,
                message: `* GenerateContentRequest.${at}: parameters and parameters_json_schema are mutually exclusive.\n`,
              },
            ]
          : [],
      ),
    repairSummary: "Keeps parametersJsonSchema.",
    repair: (body) =>
      mapFunctions(body, (declaration) => {
        const { parameters: _, ...rest } = declaration;
        return "parametersJsonSchema" in rest ? rest : declaration;
      }),
  });

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

function foreignIn(schema: JsonValue | undefined, at: string): readonly Problem[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]): readonly Problem[] => {
    if (foreignKeywords.has(key)) return [unknownName(key, at)];
    if (key === "items") return foreignIn(value, `${at}.items`);
    if (key !== "properties") return [];
    return Object.entries(objectOf(value)).flatMap(([, inner], index) =>
      foreignIn(inner, `${at}.properties[${index}].value`),
    );
  });
}

const openApiOnly = (): Rule =>
  makeRule({
    id: "google/function-schema-keyword",
    summary: "On the Gemini API `parameters` takes an OpenAPI subset; JSON Schema goes elsewhere.",
    check: (input) =>
      isVertex(input)
        ? []
        : functionsOf(input.body).flatMap(({ declaration, at }) =>
            foreignIn(field(declaration, "parameters"), `${at}.parameters`),
          ),
    repairSummary: "Sends the schema as parametersJsonSchema.",
    repair: (body) =>
      mapFunctions(body, (declaration) => {
        const { parameters, ...rest } = declaration;
        if (foreignIn(parameters, "").length === 0) return declaration;
        return { ...rest, parametersJsonSchema: jsonSchemaOf(parameters) };
      }),
  });

const wantsJson = (body: JsonObject): boolean =>
  field(configOf(body), "responseMimeType") === "application/json";

const jsonBesideTools = (): Rule =>
  makeRule({
    id: "google/json-with-functions",
    about: configNames,
    summary: "Before Gemini 3 a JSON answer and functions exclude each other.",
    preflight: true,
    check: ({ body, model }) =>
      wantsJson(body) &&
      functionsOf(body).length > 0 &&
      isGemini(model) &&
      geminiGeneration(model) < 3
        ? [
            {
              path: "generation_config.response_mime_type",
              message:
                "Function calling with a response mime type: 'application/json' is unsupported",
            },
          ]
        : [],
    repairSummary: "Leaves the JSON format out.",
    repair: (body) =>
      withConfig(body, {
        responseMimeType: undefined,
        responseSchema: undefined,
        responseJsonSchema: undefined,
      }),
  });

const penalties = ["frequencyPenalty", "presencePenalty"] as const;

const noPenalties = (): Rule =>
  makeRule({
    id: "google/penalty",
    about: configNames,
    summary: "Gemini 2.5, 3.5-flash-lite, 3.6 and later refuse frequency and presence penalties.",
    preflight: true,
    check: (input) => {
      const isRefused = input.model.sampling === "ignored" || geminiGeneration(input.model) === 2.5;
      return isRefused && !isVertex(input)
        ? penalties
            .filter((name) => (field(configOf(input.body), name) ?? 0) !== 0)
            .map((name) => ({
              path: `generation_config.${name === "frequencyPenalty" ? "frequency" : "presence"}_penalty`,
              message: `Penalty is not enabled for models/${askedModel(input)}`,
            }))
        : [];
    },
    repairSummary: "Leaves the penalties out.",
    repair: (body) => withConfig(body, { frequencyPenalty: undefined, presencePenalty: undefined }),
  });

interface Range {
  readonly name: string;
  readonly snake: string;
  readonly max: number;
}

const ranges: readonly Range[] = [
  { name: "temperature", snake: "temperature", max: 2 },
  { name: "topP", snake: "top_p", max: 1 },
];

const samplingRange = (): Rule =>
  makeRule({
    id: "google/sampling-range",
    about: configNames,
    summary: "temperature lies between 0 and 2, topP between 0 and 1, even where they are ignored.",
    preflight: true,
    check: ({ body }) =>
      ranges.flatMap(({ name, snake, max }) => {
        const value = field(configOf(body), name);
        const path = `generation_config.${snake}`;
        return typeof value !== "number" || (value >= 0 && value <= max)
          ? []
          : [
              {
                path,
                message: `* GenerateContentRequest.${path}: ${snake} must be in the range [0.0, ${max}.0].\n`,
              },
            ];
      }),
    repairSummary: "Takes the nearest value in range.",
    repair: (body) =>
      withConfig(
        body,
        Object.fromEntries(
          ranges.flatMap(({ name, max }) => {
            const value = configOf(body)[name];
            return typeof value === "number" ? [[name, Math.min(Math.max(value, 0), max)]] : [];
          }),
        ),
      ),
  });

export const toolRules = (): readonly Rule[] => [
  configNeedsTools(),
  besideBuiltIn(),
  functionName(),
  oneDeclaration(),
  oneSchema(),
  openApiOnly(),
  jsonBesideTools(),
  noPenalties(),
  samplingRange(),
];
