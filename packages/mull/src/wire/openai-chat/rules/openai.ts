import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { refusesEffortWithTools, refusesStop } from "../client/thinking.ts";
import {
  defineRule,
  isOpenai,
  isOpenaiReasoner,
  listValues,
  toolsOf,
  without,
  show,
  type Violation,
} from "./define.ts";

const isSent = (body: JsonObject, name: string): boolean =>
  body[name] !== undefined && body[name] !== null;

const unsupportedParameter = (name: string, hint = ""): Violation => ({
  path: name,
  message: `Unsupported parameter: '${name}' is not supported with this model.${hint}`,
  code: "unsupported_parameter",
});

/** Chat tops out at `xhigh`. */
const effortsOf = ({ thinking }: Model): readonly string[] =>
  thinking.kind === "effort" ? thinking.efforts.filter((effort) => effort !== "max") : [];

const maxTokens = (): Rule =>
  defineRule({
    id: "openai-chat/max-tokens",
    about: ["max_tokens"],
    summary: "OpenAI's reasoning models take `max_completion_tokens`, not `max_tokens`.",
    fix: "Rename it to `max_completion_tokens`.",
    repairSummary: "`max_tokens` becomes `max_completion_tokens`.",
    find: ({ body, model }) =>
      isOpenaiReasoner(model) && isSent(body, "max_tokens")
        ? [unsupportedParameter("max_tokens", " Use 'max_completion_tokens' instead.")]
        : [],
    repair: ({ body }) => ({
      max_completion_tokens: body["max_tokens"],
      ...without(body, "max_tokens"),
    }),
  });

const noEffort = (): Rule =>
  defineRule({
    id: "openai-chat/effort-on-plain-model",
    about: ["reasoning_effort"],
    summary: "Models that do not reason refuse `reasoning_effort`.",
    fix: "Leave `reasoning_effort` out.",
    repairSummary: "`reasoning_effort` is left out.",
    find: ({ body, model }) =>
      isOpenai(model) &&
      model.thinking.kind === "none" &&
      !model.assumed &&
      isSent(body, "reasoning_effort")
        ? [unsupportedParameter("reasoning_effort")]
        : [],
    repair: ({ body }) => without(body, "reasoning_effort"),
  });

const effortValue = (): Rule =>
  defineRule({
    id: "openai-chat/effort-value",
    about: ["reasoning_effort"],
    summary: "Every reasoning model has its own list of efforts; Chat Completions has no `max`.",
    fix: "Use one of the efforts listed.",
    repairSummary: "The effort becomes the nearest lower one of the model.",
    find: ({ body, model }) => {
      const effort = body["reasoning_effort"];
      const efforts = effortsOf(model);
      if (!isOpenaiReasoner(model) || !isSent(body, "reasoning_effort")) return [];
      if (efforts.some((known) => known === effort)) return [];
      const message = `Unsupported value: 'reasoning_effort' does not support '${show(effort)}' with this model. Supported values are: ${listValues(efforts)}.`;
      return [{ path: "reasoning_effort", message, code: "unsupported_value" }];
    },
    repair: ({ body, model }) => ({
      ...body,
      reasoning_effort: nearestEffort(body["reasoning_effort"], effortsOf(model)),
    }),
  });

const ladder = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Downwards, upwards only where nothing is lower: never more spend than asked. */
function nearestEffort(
  effort: JsonValue | undefined,
  efforts: readonly string[],
): string | undefined {
  const step = ladder.findIndex((known) => known === effort);
  const lower = efforts.findLast((known) => known !== "none" && ladder.indexOf(known) <= step);
  return lower ?? efforts.find((known) => known !== "none") ?? efforts[0];
}

const samplingFields = ["temperature", "top_p"];
const neverFields = [
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
];

const isThinkingOff = ({ body }: RuleInput): boolean => body["reasoning_effort"] === "none";

function refusedSampling(input: RuleInput): readonly string[] {
  const { body, model } = input;
  if (!isOpenaiReasoner(model)) return [];
  const isFree = model.sampling === "free" || (model.sampling === "only-off" && mayBeOff(input));
  const never = neverFields.filter(
    (name) => isSent(body, name) && body[name] !== false && body[name] !== 0,
  );
  const sampling = isFree
    ? []
    : samplingFields.filter((name) => isSent(body, name) && body[name] !== 1);
  return [...sampling, ...(isFree ? [] : never)];
}

/** Without an effort the model's own default decides, and it may be `none`. */
const mayBeOff = (input: RuleInput): boolean =>
  isThinkingOff(input) ||
  (!isSent(input.body, "reasoning_effort") && input.model.defaultThinking === "none");

const sampling = (): Rule =>
  defineRule({
    id: "openai-chat/sampling",
    about: [...samplingFields, ...neverFields],
    summary:
      "Reasoning models take no sampling parameters; from gpt-5.1 on some do at effort none.",
    fix: "Leave the parameter out, or set `reasoning_effort` to none where the model has it.",
    repairSummary: "The parameters are left out.",
    find: (input) =>
      refusedSampling(input).map((name): Violation => {
        if (name !== "temperature") return unsupportedParameter(name);
        const message = `Unsupported value: 'temperature' does not support ${show(input.body[name])} with this model. Only the default (1) value is supported.`;
        return { path: name, message, code: "unsupported_value" };
      }),
    repair: (input) => without(input.body, ...refusedSampling(input)),
  });

const topLogprobs = (): Rule =>
  defineRule({
    id: "openai-chat/top-logprobs",
    about: ["top_logprobs"],
    summary: "Alternatives to the tokens come with `logprobs` only.",
    fix: "Set `logprobs` to true.",
    repairSummary: "`top_logprobs` is left out.",
    find: ({ body, model }) =>
      isOpenai(model) && isSent(body, "top_logprobs") && body["logprobs"] !== true
        ? [
            {
              path: "top_logprobs",
              message: "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
            },
          ]
        : [],
    repair: ({ body }) => without(body, "top_logprobs"),
  });

const stop = (): Rule =>
  defineRule({
    id: "openai-chat/stop",
    about: ["stop"],
    summary: "The o-series takes no `stop`, o3-mini excepted.",
    fix: "Leave `stop` out.",
    repairSummary: "`stop` is left out.",
    find: ({ body, model }) =>
      isOpenai(model) && refusesStop(model.id) && isSent(body, "stop")
        ? [unsupportedParameter("stop")]
        : [],
    repair: ({ body }) => without(body, "stop"),
  });

const effortWithTools = (): Rule =>
  defineRule({
    id: "openai-chat/effort-with-tools",
    about: ["tools"],
    summary: "From gpt-5.2 on Chat Completions takes function tools only at effort none.",
    fix: "Use the Responses API, or set `reasoning_effort` to none.",
    repairSummary: "The effort becomes none.",
    find: (input) =>
      hasEffortWithTools(input)
        ? [
            {
              path: "reasoning_effort",
              message:
                `Function tools with reasoning_effort are not supported for ${show(input.body["model"])} in /v1/chat/completions. ` +
                "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
            },
          ]
        : [],
    // Models that cannot be off take no tools here at all: that is for the user to settle.
    repair: ({ body, model }) =>
      effortsOf(model).includes("none") ? { ...body, reasoning_effort: "none" } : body,
  });

function hasEffortWithTools(input: RuleInput): boolean {
  const { model, body } = input;
  if (!isOpenaiReasoner(model) || !refusesEffortWithTools(model.id) || toolsOf(input).length === 0)
    return false;
  // Up to 5.5 leaving the effort out is taken; later models think by themselves and refuse.
  return isSent(body, "reasoning_effort") ? !isThinkingOff(input) : !/^gpt-5\.[2-5]/.test(model.id);
}

const cacheRetention = (): Rule =>
  defineRule({
    id: "openai-chat/cache-retention",
    about: ["prompt_cache_retention"],
    summary: "From GPT-6 on `prompt_cache_retention` is `prompt_cache_options`.",
    fix: "Use `prompt_cache_options`.",
    repairSummary: "`prompt_cache_retention` is left out.",
    find: ({ body, model }) =>
      isOpenai(model) &&
      /^gpt-([6-9]|\d\d)/.test(model.id) &&
      isSent(body, "prompt_cache_retention")
        ? [unsupportedParameter("prompt_cache_retention")]
        : [],
    repair: ({ body }) => without(body, "prompt_cache_retention"),
  });

export const openaiRules = (): readonly Rule[] => [
  maxTokens(),
  noEffort(),
  effortValue(),
  sampling(),
  topLogprobs(),
  stop(),
  effortWithTools(),
  cacheRetention(),
];
