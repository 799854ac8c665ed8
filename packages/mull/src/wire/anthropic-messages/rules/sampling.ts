import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { alwaysThinks, versionWithoutSampling } from "../client/encode.ts";
import { asObject, asObjects, asText, without } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  clamp,
  type RuleFault,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { atPath, faultAt, thinkingType, isThinkingOn } from "./view.ts";

const names = ["temperature", "top_p", "top_k"] as const;

const whileThinking = {
  temperature: "may only be set to 1",
  top_p: "must be greater than or equal to 0.95 or unset",
  top_k: "must be unset",
} as const;

function refusedSampling({ model, headers, body }: RuleInput): readonly RuleFault[] {
  if ((headers["anthropic-version"] ?? "") >= versionWithoutSampling) {
    const given = names.filter((name) => body[name] != null);
    return given.map((name) => faultAt(name, "Extra inputs are not permitted"));
  }
  const isFixed = model.sampling === "fixed";
  const isLimited = model.sampling === "limited" && (isThinkingOn(body) || alwaysThinks(model));
  if (!isFixed && !isLimited) return [];
  const leastTopP = isFixed ? 0.99 : 0.95;
  const isTaken = {
    temperature: isOne,
    top_p: (value: number) => value >= leastTopP,
    top_k: never,
  };
  return names.flatMap((name) => {
    const value = body[name];
    if (typeof value !== "number" || isTaken[name](value)) return [];
    const words = isFixed
      ? "is deprecated for this model."
      : `${whileThinking[name]} when thinking is enabled.`;
    return fault(name, `\`${name}\` ${words}`);
  });
}

const isOne = (value: number): boolean => value === 1;
const never = (): boolean => false;

const choiceType = (body: JsonObject): unknown => asObject(body["tool_choice"])["type"];
const isForced = (body: JsonObject): boolean =>
  choiceType(body) === "any" || choiceType(body) === "tool";

const toAuto = ({ body }: RuleInput): JsonObject => ({
  ...body,
  tool_choice: { ...without(asObject(body["tool_choice"]), "name"), type: "auto" },
});

/** Temperature, top_p and top_k. */
export const samplingRules: RuleTable = {
  "anthropic/sampling": cheap({
    summary:
      "Claude 4.7 and later and API version 2026-10-21 take no sampling parameters; older models restrict them while thinking.",
    repairSummary: "Remove the parameters that are refused.",
    refusal: /`(temperature|top_k|top_p)` (?:may only be set|must be|is deprecated)/,
    find: refusedSampling,
    repair: (input, refused) =>
      without(input.body, ...(refused ? names : refusedSampling(input).map(({ path }) => path))),
  }),
  "anthropic/temperature-range": cheap({
    summary: "`temperature` is between 0 and 1.",
    says: atPath("range: 0..1"),
    repairSummary: "Move `temperature` into the range.",
    find: ({ body: { temperature } }) =>
      typeof temperature === "number" && temperature !== clamp(temperature, 0, 1) && "temperature",
    repair: ({ body }) => ({ ...body, temperature: clamp(Number(body["temperature"]), 0, 1) }),
  }),
  "anthropic/temperature-or-top-p": cheap({
    summary: "Claude 4.5 takes temperature or top_p, not both.",
    says: "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    when: ({ model }) => model.generation === "4.5",
    find: ({ body }) => body["temperature"] != null && body["top_p"] != null && "top_p",
    drops: ["top_p"],
  }),
  "anthropic/tool-choice": cheap({
    summary:
      "A tool call cannot be forced while a budget is set, and never on Fable and Mythos 5.1 and later, Opus 5.5 and Sonnet 5.5.",
    repairSummary: "Set `tool_choice` to auto.",
    when: ({ body }) => isForced(body),
    find: ({ model, body }) =>
      model.toolChoice === "auto-only"
        ? faultAt("tool_choice", 'type "tool" and "any" are not supported for this model.')
        : model.toolChoice === "not-with-budget" &&
          thinkingType(body) === "enabled" &&
          fault("tool_choice", "Thinking may not be enabled when tool_choice forces tool use."),
    refusal: /tool_choice forces tool use|"tool" and "any" are not supported/,
    repair: toAuto,
  }),
  "anthropic/tool-choice-without-tools": cheap({
    summary: "`tool_choice` needs tools.",
    says: atPath("tool_choice may only be specified while providing tools."),
    find: ({ body }) =>
      body["tool_choice"] != null &&
      asObjects(body["tools"]).length + asObjects(body["mcp_servers"]).length === 0 &&
      "tool_choice",
    drops: ["tool_choice"],
  }),
  "anthropic/tool-choice-known": cheap({
    summary: "A forced tool is one of the tools given.",
    repairSummary: "Set `tool_choice` to auto.",
    find: ({ body }) => {
      const { type, name } = asObject(body["tool_choice"]);
      const tools = asObjects(body["tools"]);
      const isUnknown = tools.length > 0 && !tools.some((tool) => tool["name"] === name);
      const message = `Tool '${asText(name)}' not found in provided tools`;
      return type === "tool" && isUnknown && fault("tool_choice.name", message);
    },
    repair: toAuto,
  }),
};
