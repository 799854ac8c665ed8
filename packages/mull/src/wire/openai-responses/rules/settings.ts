import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { type Effort, efforts } from "../../../types/model.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asObject } from "../client/parts.ts";
import { type Hit, invalidValue, itemsIn, listValues, makeRule, omit } from "./make-rule.ts";

const reasoningOf = (body: JsonObject): JsonObject => asObject(body["reasoning"]);

const withReasoning = (body: JsonObject, reasoning: JsonObject): JsonObject =>
  Object.keys(reasoning).length === 0 ? omit(body, "reasoning") : { ...body, reasoning };

const isEffort = (value: unknown): value is Effort => efforts.some((effort) => effort === value);

/** What the model will run at: a later update counts, then the setting, then its default. */
function effectiveEffort(input: RuleInput): JsonValue | undefined {
  const update = itemsIn(input).findLast(({ type }) => type === "configuration_update");
  const updated = asObject(update?.item["reasoning"])["effort"];
  return updated ?? reasoningOf(input.body)["effort"] ?? input.model.defaultThinking;
}

function findEffort({ body, model }: RuleInput): readonly Hit[] {
  const effort = reasoningOf(body)["effort"];
  const path = "reasoning.effort";
  if (effort === undefined || effort === null) return [];
  const { thinking } = model;
  const severity = model.assumed ? { severity: "warning" as const } : {};
  if (!isEffort(effort)) {
    const message = invalidValue(effort, efforts);
    return [{ path, message, code: "invalid_value" }];
  }
  if (thinking.kind === "none") {
    const message = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
    return [{ path, message, code: "unsupported_parameter", ...severity }];
  }
  if (thinking.kind !== "effort" || thinking.efforts.includes(effort)) return [];
  const message = `Unsupported value: '${effort}' is not supported with the '${model.id}' model. Supported values are: ${listValues(thinking.efforts)}.`;
  return [{ path, message, code: "unsupported_value", ...severity }];
}

/** The nearest lower effort the model offers, else its lowest. */
function nearestEffort(asked: unknown, offered: readonly Effort[]): Effort | undefined {
  const rank = efforts.findIndex((effort) => effort === asked);
  return offered.findLast((effort) => efforts.indexOf(effort) <= rank) ?? offered[0];
}

function repairEffort(body: JsonObject, { model }: RuleInput): JsonObject {
  const reasoning = reasoningOf(body);
  const offered = model.thinking.kind === "effort" ? model.thinking.efforts : [];
  const effort = nearestEffort(reasoning["effort"], offered);
  return withReasoning(
    body,
    effort === undefined ? omit(reasoning, "effort") : { ...reasoning, effort },
  );
}

const summaries = ["concise", "detailed", "auto"];

function findSummary({ body, model }: RuleInput): readonly Hit[] {
  const summary = reasoningOf(body)["summary"];
  const path = "reasoning.summary";
  if (summary === undefined || summary === null) return [];
  if (!summaries.some((word) => word === summary)) {
    const message = invalidValue(summary, summaries);
    return [{ path, message, code: "invalid_value" }];
  }
  if (model.shows === "nothing" && model.thinking.kind !== "none" && !model.assumed) {
    const message = "Unsupported parameter: 'reasoning.summary' is not supported with this model.";
    return [{ path, message, code: "unsupported_parameter" }];
  }
  if (summary !== "concise" || !/^(?:o\d|gpt-5(?:$|-))/.test(model.id)) return [];
  const message = `Unsupported value: 'concise' is not supported with the '${model.id}' model. Supported values are: 'detailed'.`;
  return [{ path, message, code: "unsupported_value" }];
}

const samplingKeys = ["temperature", "top_p"] as const;
const mostOf = { temperature: 2, top_p: 1 } as const;

/** Whether the model lets nobody look at or steer the choice of its words as it will run. */
function refusesSampling(input: RuleInput): boolean {
  const { sampling, assumed } = input.model;
  const effort = effectiveEffort(input);
  const isThinking = effort !== undefined && effort !== "none";
  return !assumed && (sampling === "never" || (sampling === "only-off" && isThinking));
}

function findSampling(input: RuleInput): readonly Hit[] {
  const isRefused = refusesSampling(input);
  return samplingKeys.flatMap((key): readonly Hit[] => {
    const value = input.body[key];
    if (value === undefined || value === null || !isRefused) return [];
    const message = `Unsupported parameter: '${key}' is not supported with this model.`;
    return [{ path: key, message }];
  });
}

function findRanges({ body }: RuleInput): readonly Hit[] {
  return samplingKeys.flatMap((key): readonly Hit[] => {
    const value = body[key];
    const most = mostOf[key];
    if (typeof value !== "number" || (value >= 0 && value <= most)) return [];
    const [word, sign, bound] =
      value < 0 ? ["below minimum", ">=", 0] : ["above maximum", "<=", most];
    return [
      {
        path: key,
        message: `Invalid '${key}': decimal ${word} value. Expected a value ${sign} ${bound}, but got ${value} instead.`,
        code: value < 0 ? "decimal_below_min_value" : "decimal_above_max_value",
      },
    ];
  });
}

const wantedLogprobs = "message.output_text.logprobs";

const mostLogprobs = 20;

const without = (include: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(include) ? include.filter((each: JsonValue) => each !== wantedLogprobs) : [];

function findLogprobs(input: RuleInput): readonly Hit[] {
  const { include, top_logprobs: top } = input.body;
  const asked = [
    ...(Array.isArray(include) && include.includes(wantedLogprobs) ? ["include"] : []),
    ...(typeof top === "number" && top > 0 ? ["top_logprobs"] : []),
  ];
  if (refusesSampling(input)) {
    const message = "logprobs are not supported with reasoning models.";
    return asked.map((path) => ({ path, message, code: "unsupported_parameter" }));
  }
  if (typeof top !== "number" || top <= mostLogprobs) return [];
  const message = `Invalid 'top_logprobs': integer above maximum value. Expected a value <= ${mostLogprobs}, but got ${top} instead.`;
  return [{ path: "top_logprobs", message, code: "integer_above_max_value" }];
}

function repairLogprobs(body: JsonObject): JsonObject {
  const include = without(body["include"]);
  const rest = omit(body, "include", "top_logprobs");
  return include.length === 0 ? rest : { ...rest, include };
}

const leastOutput = 16;

function findCap({ body }: RuleInput): readonly Hit[] {
  const cap = body["max_output_tokens"];
  if (typeof cap !== "number" || cap >= leastOutput) return [];
  const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastOutput}, but got ${cap} instead.`;
  return [{ path: "max_output_tokens", message, code: "integer_below_min_value" }];
}

function findRetention({ body, model }: RuleInput): readonly Hit[] {
  if (body["prompt_cache_retention"] === undefined || model.effortUpdates !== true) return [];
  const path = "prompt_cache_retention";
  const message = `Unsupported parameter: '${path}' is not supported with this model.`;
  return [{ path, message, code: "unsupported_parameter" }];
}

export const settingRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/effort-supported",
    about: ["reasoning"],
    summary:
      "The effort must be one of the words this model takes; models that do not think take none.",
    repairSummary: "Sends the nearest lower effort the model takes, or none at all.",
    find: findEffort,
    repair: repairEffort,
    preflight: true,
  }),
  makeRule({
    id: "openai/summary-supported",
    about: ["reasoning"],
    summary: "A summary is auto, concise or detailed, and concise only after gpt-5.",
    repairSummary: "Asks for auto, or for nothing where the model has no summaries.",
    find: findSummary,
    repair: (body, { model }) =>
      withReasoning(
        body,
        model.shows === "nothing"
          ? omit(reasoningOf(body), "summary")
          : { ...reasoningOf(body), summary: "auto" },
      ),
    preflight: true,
  }),
  makeRule({
    id: "openai/sampling-while-thinking",
    about: samplingKeys,
    summary:
      "Temperature and top_p are refused by reasoning models, by newer ones unless effort is none.",
    repairSummary: "Leaves temperature and top_p out.",
    find: findSampling,
    repair: (body) => omit(body, ...samplingKeys),
    preflight: true,
  }),
  makeRule({
    id: "openai/sampling-range",
    about: samplingKeys,
    summary: "Temperature lies between 0 and 2, top_p between 0 and 1.",
    repairSummary: "Moves the value to the nearest bound.",
    find: findRanges,
    repair: (body) => ({
      ...body,
      ...Object.fromEntries(
        samplingKeys.flatMap((key) => {
          const value = body[key];
          return typeof value === "number"
            ? [[key, Math.min(Math.max(value, 0), mostOf[key])]]
            : [];
        }),
      ),
    }),
    preflight: true,
  }),
  makeRule({
    id: "openai/logprobs",
    about: ["include", "top_logprobs"],
    summary:
      "Log probabilities come without thinking only, with at most 20 alternatives for each token.",
    repairSummary: "Leaves the log probabilities out.",
    find: findLogprobs,
    repair: repairLogprobs,
  }),
  makeRule({
    id: "openai/least-output-cap",
    about: ["max_output_tokens"],
    summary: "max_output_tokens is at least 16.",
    repairSummary: "Raises max_output_tokens to 16.",
    find: findCap,
    repair: (body) => ({ ...body, max_output_tokens: leastOutput }),
    preflight: true,
  }),
  makeRule({
    id: "openai/cache-retention-replaced",
    about: ["prompt_cache_retention"],
    summary: "GPT-6 and later take prompt_cache_options, not prompt_cache_retention.",
    repairSummary: "Leaves prompt_cache_retention out.",
    find: findRetention,
    repair: (body) => omit(body, "prompt_cache_retention"),
    preflight: true,
  }),
];
