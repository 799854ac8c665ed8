import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asObject, asObjects, asText } from "../../common/json-reading.ts";
import { withIn, type RuleFault } from "../../common/rules/define-rule.ts";
import { badSchema, withProperties } from "../../common/rules/openai-words.ts";
import { findNoObject, findNotStrict } from "../../common/rules/schema-problems.ts";
import { continuesStored, defineRule } from "./view.ts";

const isFunction = ({ type }: JsonObject): boolean => type === "function";

const findInTools = (
  { body }: RuleInput,
  find: (tool: JsonObject) => readonly string[],
): readonly RuleFault[] =>
  asObjects(body["tools"]).flatMap((tool, index) =>
    (isFunction(tool) ? find(tool) : []).map((problem) =>
      badSchema(`tools[${index}].parameters`, tool, problem),
    ),
  );

const mapFunctions = (body: JsonObject, change: (tool: JsonObject) => JsonObject): JsonObject =>
  body["tools"] === undefined
    ? body
    : {
        ...body,
        tools: asObjects(body["tools"]).map((tool) => (isFunction(tool) ? change(tool) : tool)),
      };

const openIn = ({ strict, parameters }: JsonObject): readonly string[] =>
  strict === true ? findNotStrict(parameters) : [];

const formatOf = (body: JsonObject): JsonObject => asObject(asObject(body["text"])["format"]);

const openFormat = (body: JsonObject): readonly string[] => {
  const { strict, schema } = formatOf(body);
  return strict === true ? findNotStrict(schema) : [];
};

export const schemaRules = (): readonly Rule[] => [
  defineRule({
    id: "openai/tool-schema",
    about: ["tools"],
    summary: "The arguments of a function are an object whose properties are named.",
    repairSummary: "An object without `properties` is given none.",
    find: (input) => findInTools(input, ({ parameters }) => findNoObject(parameters)),
    repair: ({ body }) => mapFunctions(body, withProperties),
  }),
  defineRule({
    id: "openai/strict-schema",
    about: ["tools", "text"],
    summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
    repairSummary: "`strict` becomes false.",
    find: (input) => [
      findInTools(input, openIn),
      openFormat(input.body).map((problem) => ({
        path: "text.format.schema",
        message: `Invalid schema for response_format '${asText(formatOf(input.body)["name"])}': ${problem}`,
        code: "invalid_json_schema",
      })),
    ],
    repair: ({ body: given }) => {
      const body = mapFunctions(given, (tool) =>
        openIn(tool).length > 0 ? { ...tool, strict: false } : tool,
      );
      return openFormat(body).length === 0
        ? body
        : withIn(body, "text", { format: { ...formatOf(body), strict: false } });
    },
  }),
  defineRule({
    id: "openai/json-word",
    about: ["text"],
    summary: "JSON mode is spoken of in the messages.",
    find: ({ body }) =>
      formatOf(body)["type"] === "json_object" &&
      !/json/i.test(JSON.stringify([body["input"], body["instructions"]])) &&
      !continuesStored(body) && {
        path: "input",
        message:
          "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      },
  }),
];
