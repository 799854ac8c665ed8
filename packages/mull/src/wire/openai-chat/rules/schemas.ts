import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { withIn, type RuleFault } from "../../common/rules/define-rule.ts";
import { badSchema, withProperties } from "../../common/rules/openai-words.ts";
import { findNoObject, findNotStrict } from "../../common/rules/schema-problems.ts";
import { openaiRule, toolsOf } from "./view.ts";

const badParameters = (
  input: RuleInput,
  problemsOf: (body: JsonObject) => readonly string[],
): readonly RuleFault[] =>
  toolsOf(input).flatMap((tool, index) =>
    problemsOf(asObject(tool["function"])).map((problem) =>
      badSchema(`tools[${index}].function.parameters`, asObject(tool["function"]), problem),
    ),
  );

const mapFunctions = (input: RuleInput, change: (body: JsonObject) => JsonObject): JsonObject =>
  input.body["tools"] === undefined
    ? input.body
    : {
        ...input.body,
        tools: toolsOf(input).map((tool) =>
          withIn(tool, "function", change(asObject(tool["function"]))),
        ),
      };

const openIn = ({ strict, parameters }: JsonObject): readonly string[] =>
  strict === true ? findNotStrict(parameters) : [];

/** The schema of an answer, and why it does not keep to it strictly. */
const formatOf = (body: JsonObject): JsonObject =>
  asObject(asObject(body["response_format"])["json_schema"]);
const openFormat = (body: JsonObject): readonly string[] => {
  const { strict, schema } = formatOf(body);
  return strict === true ? findNotStrict(schema) : [];
};

export const schemaRules = (): readonly Rule[] => [
  openaiRule({
    id: "openai-chat/tool-schema",
    about: ["tools"],
    summary: "The arguments of a function are an object whose properties are named.",
    fix: 'Give `parameters` the type "object" and `properties`, or leave `parameters` out.',
    repairSummary: "An object without `properties` is given none.",
    find: (input) => badParameters(input, ({ parameters }) => findNoObject(parameters)),
    repair: (input) => mapFunctions(input, withProperties),
  }),
  openaiRule({
    id: "openai-chat/strict-schema",
    about: ["tools", "response_format"],
    summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
    fix: "Set `additionalProperties` to false, require every property and use `anyOf`; or leave `strict` out.",
    repairSummary: "`strict` becomes false.",
    find: (input) => [
      badParameters(input, openIn),
      openFormat(input.body).map((problem) => ({
        path: "response_format",
        message: `Invalid schema for response_format '${asText(formatOf(input.body)["name"])}': ${problem}`,
      })),
    ],
    repair: (input) => {
      const body = mapFunctions(input, (tool) =>
        openIn(tool).length > 0 ? { ...tool, strict: false } : tool,
      );
      return openFormat(body).length === 0
        ? body
        : withIn(body, "response_format", { json_schema: { ...formatOf(body), strict: false } });
    },
  }),
];
