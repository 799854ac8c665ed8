import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findNoObject, findNotStrict } from "../../common/schema-problems.ts";
import { defineRule, isOpenai, show, toolsOf, type Violation } from "./define.ts";

interface PlacedFunction {
  readonly index: number;
  readonly body: JsonObject;
}

const functionsOf = (input: RuleInput): readonly PlacedFunction[] =>
  isOpenai(input.model)
    ? toolsOf(input).flatMap(({ function: body }, index) =>
        isJsonObject(body) ? [{ index, body }] : [],
      )
    : [];

const badParameters = ({ index, body }: PlacedFunction, problem: string): Violation => ({
  path: `tools[${index}].function.parameters`,
  message: `Invalid schema for function '${show(body["name"])}': ${problem}`,
  code: "invalid_function_parameters",
});

const mapFunctions = (
  input: RuleInput,
  change: (body: JsonObject) => JsonObject,
): readonly JsonObject[] =>
  toolsOf(input).map((tool) =>
    isJsonObject(tool["function"]) ? { ...tool, function: change(tool["function"]) } : tool,
  );

const toolSchema = (): Rule =>
  defineRule({
    id: "openai-chat/tool-schema",
    about: ["tools"],
    summary: "The arguments of a function are an object whose properties are named.",
    fix: 'Give `parameters` the type "object" and `properties`, or leave `parameters` out.',
    repairSummary: "An object without `properties` is given none.",
    isSlow: true,
    find: (input) =>
      functionsOf(input).flatMap((placed) =>
        findNoObject(placed.body["parameters"]).map((problem) => badParameters(placed, problem)),
      ),
    repair: (input) => ({
      ...input.body,
      tools: mapFunctions(input, (body) => {
        const { parameters } = body;
        return isJsonObject(parameters) && parameters["type"] === "object"
          ? { ...body, parameters: { properties: {}, ...parameters } }
          : body;
      }),
    }),
  });

/** The schema an answer shall keep to strictly. */
function strictFormat({ body, model }: RuleInput): JsonObject | undefined {
  const format = body["response_format"];
  const wanted = isJsonObject(format) ? format["json_schema"] : undefined;
  return isOpenai(model) && isJsonObject(wanted) && wanted["strict"] === true ? wanted : undefined;
}

function findFormat(input: RuleInput): readonly Violation[] {
  const wanted = strictFormat(input);
  return findNotStrict(wanted?.["schema"]).map((problem): Violation => ({
    path: "response_format",
    message: `Invalid schema for response_format '${show(wanted?.["name"])}': ${problem}`,
  }));
}

const isOpen = ({ strict, parameters }: JsonObject): boolean =>
  strict === true && findNotStrict(parameters).length > 0;

const strictSchema = (): Rule =>
  defineRule({
    id: "openai-chat/strict-schema",
    about: ["tools", "response_format"],
    summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
    fix: "Set `additionalProperties` to false, require every property and use `anyOf`; or leave `strict` out.",
    repairSummary: "`strict` becomes false.",
    isSlow: true,
    find: (input) => [
      ...functionsOf(input).flatMap((placed) =>
        placed.body["strict"] === true
          ? findNotStrict(placed.body["parameters"]).map((problem) =>
              badParameters(placed, problem),
            )
          : [],
      ),
      ...findFormat(input),
    ],
    repair: (input) => {
      const wanted = findFormat(input).length > 0 ? strictFormat(input) : undefined;
      const format = input.body["response_format"];
      return {
        ...input.body,
        ...(functionsOf(input).length > 0 && {
          tools: mapFunctions(input, (body) => (isOpen(body) ? { ...body, strict: false } : body)),
        }),
        ...(wanted !== undefined &&
          isJsonObject(format) && {
            response_format: { ...format, json_schema: { ...wanted, strict: false } },
          }),
      };
    },
  });

export const schemaRules = (): readonly Rule[] => [toolSchema(), strictSchema()];
