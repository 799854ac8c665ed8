import type { JsonObject } from "../../../types/json.ts";
import { efforts, isEffort } from "../../../types/model.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asText, without } from "../../common/json-reading.ts";
import { effortIn } from "../../common/effort-in-body.ts";
import {
  cheap,
  clamp,
  nearestWord,
  withIn,
  type RuleFault,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import {
  effortNamed,
  effortRefusal,
  findSwitches,
  invalidValue,
  listValues,
  outOfRange,
  samplingRefusal,
  tooLong,
  unsupported,
  effortsOf,
} from "../../common/rules/openai-words.ts";
import { reasoningOf, withReasoning } from "./view.ts";

function findEffort({ body, model }: RuleInput): RuleFound {
  const { effort } = reasoningOf(body);
  const path = "reasoning.effort";
  const { thinking } = model;
  const severity = model.assumed ? { severity: "warning" as const } : {};
  if (effort == null) return [];
  if (!isEffort(effort)) return invalidValue(path, effort, efforts);
  if (thinking.kind === "none") return { ...unsupported(path), ...severity };
  if (thinking.kind !== "effort" || thinking.efforts.includes(effort)) return [];
  const message = `Unsupported value: '${effort}' is not supported with the '${model.id}' model. Supported values are: ${listValues(thinking.efforts)}.`;
  return { path, message, code: "unsupported_value", ...severity };
}

function repairEffort({ body, model }: RuleInput, refused?: RegExpExecArray): JsonObject {
  if (refused?.[0].startsWith("'reasoning.effort'")) return without(body, "reasoning", "include");
  const offered = effortsOf(model);
  const effort = refused
    ? effortNamed(refused, efforts)
    : nearestWord(asText(reasoningOf(body)["effort"]), offered, efforts);
  return refused && effort === undefined ? body : withReasoning(body, { effort });
}

const summaries = ["concise", "detailed", "auto"];

function findSummary({ body, model }: RuleInput): RuleFound {
  const { summary } = reasoningOf(body);
  const path = "reasoning.summary";
  if (summary == null) return [];
  if (!summaries.some((word) => word === summary)) return invalidValue(path, summary, summaries);
  if (model.shows === "nothing" && model.thinking.kind !== "none" && !model.assumed)
    return unsupported(path);
  const message = `Unsupported value: 'concise' is not supported with the '${model.id}' model. Supported values are: 'detailed'.`;
  const isRefused = summary === "concise" && /^(?:o\d|gpt-5(?:$|-))/.test(model.id);
  return isRefused && { path, message, code: "unsupported_value" };
}

const samplingKeys = ["temperature", "top_p"] as const;
const mostOf = { temperature: 2, top_p: 1 } as const;

/** Whether the model refuses sampling parameters and log probabilities at the effort it will run at. */
function refusesSampling(input: RuleInput): boolean {
  const { sampling, assumed } = input.model;
  const isThinking = (effortIn(input.body) ?? input.model.defaultThinking ?? "none") !== "none";
  return !assumed && (sampling === "never" || (sampling === "only-off" && isThinking));
}

const wantedLogprobs = "message.output_text.logprobs";
const mostLogprobs = 20;

function findLogprobs(input: RuleInput): RuleFound {
  const { include, top_logprobs: top } = input.body;
  if (refusesSampling(input)) {
    const asked = [
      ...(Array.isArray(include) && include.includes(wantedLogprobs) ? ["include"] : []),
      ...(typeof top === "number" && top > 0 ? ["top_logprobs"] : []),
    ];
    const message = "logprobs are not supported with reasoning models.";
    return asked.map((path) => ({ path, message, code: "unsupported_parameter" }));
  }
  return (
    typeof top === "number" && outOfRange("top_logprobs", "integer", top, -Infinity, mostLogprobs)
  );
}

const leastOutput = 16;

/** Settings that take one of a few words, and if the word stands. */
const words: readonly [path: string, allowed: readonly string[]][] = [
  ["service_tier", ["auto", "default", "flex", "scale", "priority"]],
  ["truncation", ["auto", "disabled"]],
  ["text.verbosity", ["low", "medium", "high"]],
];
const mostMetadata = 16;
const longestCacheKey = 64;

function wrongValues(body: JsonObject): readonly RuleFault[] {
  const { metadata, prompt_cache_key: key, text: format } = body;
  const values = { ...body, "text.verbosity": asObject(format)["verbosity"] };
  const count = Object.keys(asObject(metadata)).length;
  return [
    ...words
      .filter(([path]) => values[path as keyof typeof values] != null)
      .flatMap(([path, allowed]) => {
        const value = (values as JsonObject)[path];
        return allowed.some((known) => known === value) ? [] : invalidValue(path, value, allowed);
      }),
    ...findSwitches(body, ["stream", "store", "background", "parallel_tool_calls"]),
    ...(count > mostMetadata
      ? [
          {
            path: "metadata",
            message: `Invalid 'metadata': too many properties. Expected an object with at most ${mostMetadata} properties, but got an object with ${count} properties instead.`,
            code: "object_above_max_properties",
          },
        ]
      : []),
    ...(asText(key).length > longestCacheKey
      ? [tooLong("prompt_cache_key", longestCacheKey, asText(key).length)]
      : []),
  ];
}

/** Effort and summary. */
export const settingRules: RuleTable = {
  "openai/effort-supported": cheap({
    summary:
      "The effort is one of the words that this model takes; models that don't think take none.",
    repairSummary: "Send the nearest lower effort that the model takes, or none at all.",
    refusal: new RegExp(
      `${effortRefusal.source}|'reasoning\\.effort' is not supported with this model`,
    ),
    find: findEffort,
    repair: repairEffort,
  }),
  "openai/summary-supported": cheap({
    summary: "A summary is auto, concise or detailed; concise needs a model newer than gpt-5.",
    repairSummary: "Ask for auto, or for nothing if the model has no summaries.",
    refusal: /Supported values are: '(?:detailed|concise|auto)'|'reasoning\.summary'/,
    find: findSummary,
    repair: ({ body, model }, refused) =>
      withReasoning(body, {
        summary: refused || model.shows === "nothing" ? undefined : "auto",
      }),
  }),
  "openai/summary-verification": {
    summary: "Only verified organisations are shown summaries. Only the service can tell.",
    repairSummary: "Ask without a summary. OpenAI shows summaries to verified organisations only.",
    refusal: /must be verified to generate reasoning summaries/,
    drops: ["reasoning.summary"],
  },
  "openai/sampling-while-thinking": cheap({
    summary:
      "Reasoning models refuse `temperature` and `top_p`; newer ones take them at effort none.",
    repairSummary: "Leave `temperature` and `top_p` out.",
    refusal: samplingRefusal,
    find: (input) =>
      refusesSampling(input) &&
      samplingKeys
        .filter((key) => input.body[key] != null)
        .map((key) => ({ path: key, message: unsupported(key).message })),
    repair: ({ body }, refused) => without(body, ...(refused ? [refused[1]!] : samplingKeys)),
  }),
  "openai/sampling-range": cheap({
    summary: "`temperature` is between 0 and 2, `top_p` between 0 and 1.",
    repairSummary: "Use the nearest allowed value.",
    find: ({ body }) =>
      samplingKeys.map((key) => {
        const value = body[key];
        return typeof value === "number" && outOfRange(key, "decimal", value, 0, mostOf[key]);
      }),
    repair: ({ body }) => ({
      ...body,
      ...Object.fromEntries(
        samplingKeys.flatMap((key) => {
          const value = body[key];
          return typeof value === "number" ? [[key, clamp(value, 0, mostOf[key])]] : [];
        }),
      ),
    }),
  }),
  "openai/logprobs": {
    summary:
      "Log probabilities need thinking turned off, and have at most 20 alternatives for each token.",
    repairSummary: "Leave the log probabilities out.",
    find: findLogprobs,
    repair: ({ body }) => {
      const { include } = body;
      const kept = Array.isArray(include) ? include.filter((each) => each !== wantedLogprobs) : [];
      const rest = without(body, "include", "top_logprobs");
      return kept.length === 0 ? rest : { ...rest, include: kept };
    },
  },
  "openai/least-output-cap": cheap({
    summary: "max_output_tokens is at least 16.",
    repairSummary: "Raise `max_output_tokens` to 16.",
    find: ({ body: { max_output_tokens: cap } }) =>
      typeof cap === "number" &&
      Number.isInteger(cap) &&
      outOfRange("max_output_tokens", "integer", cap, leastOutput, Infinity),
    repair: ({ body }) => ({ ...body, max_output_tokens: leastOutput }),
  }),
  "openai/cache-retention-replaced": cheap({
    summary: "GPT-6 and later take prompt_cache_options, not prompt_cache_retention.",
    says: (path) => unsupported(path),
    find: ({ body, model }) =>
      body["prompt_cache_retention"] !== undefined &&
      model.effortUpdates === true &&
      "prompt_cache_retention",
    drops: ["prompt_cache_retention"],
  }),
  "openai/setting-values": {
    summary:
      "Tier, truncation and verbosity are known words, and switches are true or false. Metadata has at most 16 entries, a cache key at most 64 characters.",
    repairSummary: "Leave out the settings that aren't allowed.",
    find: ({ body }) => wrongValues(body),
    repair: ({ body }) => {
      const wrong = wrongValues(body).map(({ path }) => path);
      const kept = without(body, ...wrong);
      return wrong.includes("text.verbosity")
        ? withIn(kept, "text", { verbosity: undefined })
        : kept;
    },
  },
};
