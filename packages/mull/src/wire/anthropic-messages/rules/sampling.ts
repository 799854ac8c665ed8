import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asText } from "../client/parts.ts";
import { alwaysThinks, versionWithoutSampling } from "../client/sampling.ts";
import {
  defineRule,
  faultIf,
  isThinkingOn,
  object,
  objects,
  thinkingType,
  without,
  type Fault,
} from "./request-view.ts";

const names = ["temperature", "top_p", "top_k"] as const;

const given = (body: JsonObject): readonly string[] => names.filter((name) => body[name] != null);

const fault = (path: string, message: string): Fault => ({ path, message });
const isSet = (value: unknown): value is number => typeof value === "number";

/** What each refused parameter gets for an answer, and whether it is refused. */
function refusedSampling({ model, headers, body }: RuleInput): readonly Fault[] {
  const { temperature, top_p: topP, top_k: topK } = body;
  if ((headers["anthropic-version"] ?? "") >= versionWithoutSampling) {
    return given(body).map((name) => fault(name, `${name}: Extra inputs are not permitted`));
  }
  const faults: Fault[] = [];
  if (model.sampling === "fixed") {
    const deprecated = (name: string): Fault =>
      fault(name, `\`${name}\` is deprecated for this model.`);
    if (isSet(temperature) && temperature !== 1) faults.push(deprecated("temperature"));
    if (isSet(topP) && topP < 0.99) faults.push(deprecated("top_p"));
    if (isSet(topK)) faults.push(deprecated("top_k"));
  }
  if (model.sampling === "limited" && (isThinkingOn(body) || alwaysThinks(model))) {
    if (isSet(temperature) && temperature !== 1) {
      faults.push(
        fault("temperature", "`temperature` may only be set to 1 when thinking is enabled."),
      );
    }
    if (isSet(topP) && topP < 0.95) {
      faults.push(
        fault(
          "top_p",
          "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.",
        ),
      );
    }
    if (isSet(topK)) faults.push(fault("top_k", "`top_k` must be unset when thinking is enabled."));
  }
  return faults;
}

const choiceType = (body: JsonObject): unknown => object(body["tool_choice"])["type"];
const isForced = (body: JsonObject): boolean =>
  choiceType(body) === "any" || choiceType(body) === "tool";

const toAuto = ({ body }: RuleInput): JsonObject => ({
  ...body,
  tool_choice: { ...without(object(body["tool_choice"]), "name"), type: "auto" },
});

export const settingRules = (): readonly Rule[] => [
  defineRule({
    id: "anthropic/sampling",
    about: names,
    summary:
      "Claude 4.7 and later and API version 2026-10-21 take no sampling parameters; older models restrict them while thinking.",
    repairSummary: "removes the parameters that are refused",
    preflight: true,
    find: refusedSampling,
    repair: (input) => without(input.body, ...refusedSampling(input).map(({ path }) => path)),
  }),
  defineRule({
    id: "anthropic/temperature-range",
    about: ["temperature"],
    summary: "Temperature lies between 0 and 1.",
    repairSummary: "moves temperature into the range",
    preflight: true,
    find: ({ body: { temperature } }) =>
      faultIf(
        typeof temperature === "number" && (temperature < 0 || temperature > 1),
        "temperature",
        "temperature: range: 0..1",
      ),
    repair: ({ body }) => ({
      ...body,
      temperature: Math.min(1, Math.max(0, Number(body["temperature"]))),
    }),
  }),
  defineRule({
    id: "anthropic/temperature-or-top-p",
    about: ["top_p"],
    summary: "Claude 4.5 takes temperature or top_p, not both.",
    repairSummary: "removes top_p",
    preflight: true,
    find: ({ model, body }) =>
      faultIf(
        model.generation === "4.5" && body["temperature"] != null && body["top_p"] != null,
        "top_p",
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
      ),
    repair: ({ body }) => without(body, "top_p"),
  }),
  defineRule({
    id: "anthropic/tool-choice",
    about: ["tool_choice"],
    summary:
      "A tool call cannot be forced while a budget is set, and never on Fable and Mythos 5.1 and later, Opus 5.5 and Sonnet 5.5.",
    repairSummary: "sets tool_choice to auto",
    preflight: true,
    find: ({ model, body }) => {
      if (!isForced(body)) return [];
      if (model.toolChoice === "auto-only") {
        return faultIf(
          true,
          "tool_choice",
          'tool_choice: type "tool" and "any" are not supported for this model.',
        );
      }
      return faultIf(
        model.toolChoice === "not-with-budget" && thinkingType(body) === "enabled",
        "tool_choice",
        "Thinking may not be enabled when tool_choice forces tool use.",
      );
    },
    repair: toAuto,
  }),
  defineRule({
    id: "anthropic/tool-choice-without-tools",
    about: ["tool_choice"],
    summary: "`tool_choice` needs tools.",
    repairSummary: "removes tool_choice",
    preflight: true,
    find: ({ body }) =>
      faultIf(
        body["tool_choice"] != null &&
          objects(body["tools"]).length + objects(body["mcp_servers"]).length === 0,
        "tool_choice",
        "tool_choice: tool_choice may only be specified while providing tools.",
      ),
    repair: ({ body }) => without(body, "tool_choice"),
  }),
  defineRule({
    id: "anthropic/tool-choice-known",
    about: ["tool_choice"],
    summary: "A forced tool is one of the tools given.",
    repairSummary: "sets tool_choice to auto",
    preflight: true,
    find: ({ body }) => {
      const { type, name } = object(body["tool_choice"]);
      const tools = objects(body["tools"]);
      return faultIf(
        type === "tool" && tools.length > 0 && !tools.some((tool) => tool["name"] === name),
        "tool_choice.name",
        `Tool '${asText(name)}' not found in provided tools`,
      );
    },
    repair: toAuto,
  }),
];
