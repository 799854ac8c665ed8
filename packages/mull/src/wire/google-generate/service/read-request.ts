import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Origin, TextPart } from "../../../types/message.ts";
import { type GoogleLevel, googleLevels } from "../../../types/model.ts";
import type { ShowThinking, ThinkingSetting } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice } from "../../../types/tool.ts";
import type { WireMirror } from "../../../types/wire.ts";
import { extraFor } from "../../common/answer.ts";
import { numberIn, readFields, stopsIn, type FieldReader } from "../../common/read-fields.ts";
import { camelCase } from "../client/camel-case.ts";
import { asObject, asText, hasKeys } from "../../common/json-reading.ts";
import { objectsOf } from "../client/json-reading.ts";
import { wire } from "../client/parts.ts";
import { readContents } from "./read-contents.ts";
import { jsonSchemaOf } from "../client/open-api-schema.ts";

/** Reads a request without loss: what has no place of its own goes to `extra`. */
export const decodeRequest: WireMirror["decodeRequest"] = ({ path, body, text }): WireRequest => {
  const { model, stream } = readPath(path);
  const { systemInstruction, contents, tools, toolConfig, generationConfig, ...rest } =
    camelCase(body);
  const origin: Origin = { wire, provider: "google", model };
  const system = readSystem(systemInstruction);
  const config = readConfig(asObject(generationConfig));
  const choice = readChoice(asObject(toolConfig));
  const offered = objectsOf(tools).flatMap(readTools);
  const extra: JsonObject = {
    ...rest,
    ...(hasKeys(config.extra) && { generationConfig: config.extra }),
    ...(hasKeys(choice.extra) && { toolConfig: choice.extra }),
  };
  return {
    model,
    stream,
    messages: readContents(objectsOf(contents), origin, text),
    thinking: config.thinking,
    show: config.show,
    ...config.fields,
    ...(system !== undefined && { system }),
    ...(offered.length > 0 && { tools: offered }),
    ...(choice.toolChoice !== undefined && { toolChoice: choice.toolChoice }),
    ...(hasKeys(extra) && { extra }),
  };
};

function readPath(path: string): { readonly model: string; readonly stream: boolean } {
  const [, id = "", method] = /\/([^/:?]*):(\w+)(?:\?|$)/.exec(path) ?? [];
  return { model: decodeURIComponent(id), stream: method === "streamGenerateContent" };
}

function readSystem(instruction: JsonValue | undefined): string | readonly TextPart[] | undefined {
  const parts = objectsOf(asObject(instruction)["parts"]);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  if (texts.length < 2) return texts[0];
  return texts.map((text) => ({ type: "text", text }));
}

function readTools(entry: JsonObject): readonly AnyTool[] {
  const { functionDeclarations, ...vendor } = entry;
  return [
    ...objectsOf(functionDeclarations).map(readFunction),
    ...Object.entries(vendor).map(([key, value]): AnyTool => ({
      vendor: { wire, fields: Object.fromEntries([[key, value]]) },
    })),
  ];
}

function readFunction(declaration: JsonObject): AnyTool {
  const { name, description, parametersJsonSchema, ...fields } = declaration;
  const schema = parametersJsonSchema ?? jsonSchemaOf(fields["parameters"]);
  return {
    name: asText(name),
    ...(typeof description === "string" && { description }),
    inputSchema: isJsonObject(schema) ? schema : { type: "object", properties: {} },
    // No schema at all is written back as none.
    ...extraFor(wire, schema === undefined ? { ...fields, parameters: undefined } : fields),
  };
}

interface ReadChoice {
  readonly toolChoice?: ToolChoice;
  readonly extra: JsonObject;
}

function readChoice(toolConfig: JsonObject): ReadChoice {
  const { functionCallingConfig, ...others } = toolConfig;
  if (!isJsonObject(functionCallingConfig)) return { extra: others };
  const { mode, allowedFunctionNames, ...unknown } = functionCallingConfig;
  const names = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  const word = asText(mode).toUpperCase();
  const [only] = names;
  if (word === "ANY" && names.length === 1 && typeof only === "string") {
    return { toolChoice: { tool: only }, extra: withCalling(others, unknown) };
  }
  const toolChoice = choices.get(word);
  const kept = {
    ...unknown,
    ...(allowedFunctionNames !== undefined && { allowedFunctionNames }),
    ...((toolChoice === undefined || word === "VALIDATED") && mode !== undefined && { mode }),
  };
  return { ...(toolChoice !== undefined && { toolChoice }), extra: withCalling(others, kept) };
}

const choices: ReadonlyMap<string, ToolChoice> = new Map<string, ToolChoice>([
  ["AUTO", "auto"],
  ["VALIDATED", "auto"],
  ["NONE", "none"],
  ["ANY", "required"],
]);

const withCalling = (others: JsonObject, functionCallingConfig: JsonObject): JsonObject =>
  hasKeys(functionCallingConfig) ? { ...others, functionCallingConfig } : others;

interface Config {
  readonly thinking: ThinkingSetting;
  readonly show: ShowThinking;
  readonly fields: Partial<WireRequest>;
  readonly extra: JsonObject;
}

function readConfig(config: JsonObject): Config {
  const { thinkingConfig, ...others } = config;
  const { fields, rest } = readFields(others, readers);
  const { responseMimeType, responseJsonSchema, ...unknown } = rest;
  const isJson = responseMimeType === "application/json" && isJsonObject(responseJsonSchema);
  const thinking = readThinking(asObject(thinkingConfig));
  return {
    thinking: thinking.setting,
    show: thinking.show,
    fields: { ...fields, ...(isJson && { output: { schema: responseJsonSchema } }) },
    extra: {
      ...(isJson ? unknown : rest),
      ...(hasKeys(thinking.extra) && { thinkingConfig: thinking.extra }),
    },
  };
}

const readers: readonly FieldReader[] = [
  numberIn("maxOutputTokens", "maxOutputTokens"),
  numberIn("temperature", "temperature"),
  numberIn("topP", "topP"),
  numberIn("topK", "topK"),
  stopsIn("stopSequences"),
];

interface Thinking {
  readonly setting: ThinkingSetting;
  readonly show: ShowThinking;
  readonly extra: JsonObject;
}

/** What a setting cannot hold stays in `extra`, so that a refused form is read as it was sent. */
function readThinking(config: JsonObject): Thinking {
  const { thinkingLevel, thinkingBudget, includeThoughts, ...unknown } = config;
  const show: ShowThinking = includeThoughts === true ? "auto" : false;
  const level = googleLevels.find((known) => known === asText(thinkingLevel).toUpperCase());
  if (level !== undefined) {
    const budget = thinkingBudget !== undefined && { thinkingBudget };
    return { setting: levelSetting(level), show, extra: { ...unknown, ...budget } };
  }
  const left = { ...unknown, ...(thinkingLevel !== undefined && { thinkingLevel }) };
  if (typeof thinkingBudget === "number" && thinkingBudget !== 0) {
    const setting: ThinkingSetting =
      thinkingBudget < 0 ? { type: "on" } : { type: "budget", tokens: thinkingBudget };
    return { setting, show, extra: left };
  }
  const shown = includeThoughts === true && { includeThoughts };
  const setting: ThinkingSetting =
    thinkingBudget === 0 ? { type: "off", form: "budget-zero" } : { type: "default" };
  return { setting, show, extra: { ...left, ...shown } };
}

const levelSetting = (level: GoogleLevel): ThinkingSetting => ({ type: "level", level });
