import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findNoObject, findNotStrict } from "../../common/schema-problems.ts";
import { asObject, asObjects, asText } from "../client/parts.ts";
import { continuesStored, type Hit, makeRule } from "./make-rule.ts";

const isFunction = ({ type }: JsonObject): boolean => type === "function";

const findInTools = (
  { body }: RuleInput,
  find: (tool: JsonObject) => readonly string[],
): readonly Hit[] =>
  asObjects(body["tools"]).flatMap((tool, index) =>
    (isFunction(tool) ? find(tool) : []).map((problem) => ({
      path: `tools[${index}].parameters`,
      message: `Invalid schema for function '${asText(tool["name"]) ?? ""}': ${problem}`,
      code: "invalid_function_parameters",
    })),
  );

const mapTools = (body: JsonObject, change: (tool: JsonObject) => JsonObject): JsonObject =>
  body["tools"] === undefined ? body : { ...body, tools: asObjects(body["tools"]).map(change) };

const openIn = ({ strict, parameters }: JsonObject): readonly string[] =>
  strict === true ? findNotStrict(parameters) : [];

const formatOf = (body: JsonObject): JsonObject => asObject(asObject(body["text"])["format"]);

const openFormat = (body: JsonObject): readonly string[] => {
  const { strict, schema } = formatOf(body);
  return strict === true ? findNotStrict(schema) : [];
};

const lacksJson = (body: JsonObject): boolean =>
  formatOf(body)["type"] === "json_object" &&
  !/json/i.test(JSON.stringify([body["input"], body["instructions"]]));

const looseFormat = (body: JsonObject): JsonObject =>
  openFormat(body).length === 0
    ? body
    : {
        ...body,
        text: { ...asObject(body["text"]), format: { ...formatOf(body), strict: false } },
      };

export const schemaRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/tool-schema",
    about: ["tools"],
    summary: "The arguments of a function are an object whose properties are named.",
    repairSummary: "An object without `properties` is given none.",
    find: (input) => findInTools(input, ({ parameters }) => findNoObject(parameters)),
    repair: (body) =>
      mapTools(body, (tool) => {
        const parameters = asObject(tool["parameters"]);
        return isFunction(tool) && parameters["type"] === "object"
          ? { ...tool, parameters: { properties: {}, ...parameters } }
          : tool;
      }),
  }),
  makeRule({
    id: "openai/strict-schema",
    about: ["tools", "text"],
    summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
    repairSummary: "`strict` becomes false.",
    find: (input) => [
      ...findInTools(input, openIn),
      ...openFormat(input.body).map((problem) => ({
        path: "text.format.schema",
        message: `Invalid schema for response_format '${asText(formatOf(input.body)["name"]) ?? ""}': ${problem}`,
        code: "invalid_json_schema",
      })),
    ],
    repair: (body) =>
      looseFormat(
        mapTools(body, (tool) =>
          isFunction(tool) && openIn(tool).length > 0 ? { ...tool, strict: false } : tool,
        ),
      ),
  }),
  makeRule({
    id: "openai/json-word",
    about: ["text"],
    summary: "JSON mode is spoken of in the messages.",
    find: ({ body }) =>
      lacksJson(body) && !continuesStored(body)
        ? [
            {
              path: "input",
              message:
                "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
            },
          ]
        : [],
  }),
];
