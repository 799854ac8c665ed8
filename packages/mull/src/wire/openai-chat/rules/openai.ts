import type { JsonObject } from "../../../types/json.ts";
import { efforts, type Model } from "../../../types/model.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { without } from "../../common/json-reading.ts";
import {
  cheap,
  nearestWord,
  type RuleDraft,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import {
  effortNamed,
  effortRefusal,
  listValues,
  samplingRefusal,
  show,
  unsupported,
  effortsOf,
} from "../../common/rules/openai-words.ts";
import { refusesEffortWithTools, refusesStop } from "../client/thinking.ts";
import { isOpenai, isOpenaiReasoner, toolsOf } from "./view.ts";

/** Chat Completions takes no `max`. */
const chatEffortsOf = (model: Model): readonly string[] =>
  effortsOf(model).filter((effort) => effort !== "max");

/** The nearest lower effort, else the lowest; `none` only if the model offers nothing else. */
function nearestEffort(effort: string, offered: readonly string[]): string | undefined {
  const thinking = offered.filter((known) => known !== "none");
  return nearestWord(effort, thinking.length > 0 ? thinking : offered, efforts);
}

const samplingFields = [
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
];
/** What some models take at effort none. The others are never taken. */
const takenWhileOff: ReadonlySet<string> = new Set([
  "temperature",
  "top_p",
  "logprobs",
  "top_logprobs",
]);

const mayBeOff = ({ body, model }: RuleInput): boolean =>
  (body["reasoning_effort"] ?? model.defaultThinking) === "none";

function refusedSampling(input: RuleInput): readonly string[] {
  const { body, model } = input;
  if (!isOpenaiReasoner(model) || model.sampling === "free") return [];
  const isOff = model.sampling === "only-off" && mayBeOff(input);
  const isDefault = (name: string): boolean =>
    name === "temperature" || name === "top_p"
      ? body[name] === 1
      : body[name] === false || body[name] === 0;
  return samplingFields.filter(
    (name) => body[name] != null && !isDefault(name) && !(isOff && takenWhileOff.has(name)),
  );
}

function hasEffortWithTools(input: RuleInput): boolean {
  const { model, body } = input;
  if (!isOpenaiReasoner(model) || !refusesEffortWithTools(model.id) || toolsOf(input).length === 0)
    return false;
  // Up to 5.5 leaving the effort out is taken; later models think by themselves and refuse.
  const effort = body["reasoning_effort"];
  return effort != null ? effort !== "none" : !/^gpt-5\.[2-5]/.test(model.id);
}

const refused = (name: string, on: (model: Model) => boolean, draft: RuleDraft): RuleDraft =>
  cheap({
    drops: [name],
    says: (path) => unsupported(path),
    ...draft,
    when: ({ model }) => isOpenai(model) && on(model),
    find: ({ body }) => body[name] != null && name,
  });

export const openaiRules: RuleTable = {
  "openai-chat/max-tokens": cheap({
    summary: "OpenAI's reasoning models take `max_completion_tokens`, not `max_tokens`.",
    says: (path) => unsupported(path, " Use 'max_completion_tokens' instead."),
    repairSummary: "Rename `max_tokens` to `max_completion_tokens`.",
    when: ({ model }) => isOpenaiReasoner(model),
    find: ({ body }) => body["max_tokens"] != null && "max_tokens",
    repair: ({ body }) => ({
      max_completion_tokens: body["max_tokens"],
      ...without(body, "max_tokens"),
    }),
  }),
  "openai-chat/effort-on-plain-model": refused(
    "reasoning_effort",
    ({ thinking, assumed }) => thinking.kind === "none" && !assumed,
    {
      summary: "Models that don't reason refuse `reasoning_effort`.",
      refusal:
        /Unrecognized request argument supplied: reasoning_effort|'reasoning_effort' is not supported/,
    },
  ),
  "openai-chat/effort-value": cheap({
    summary: "Every reasoning model has its own list of efforts; Chat Completions has no `max`.",
    fix: "Use one of the efforts listed.",
    repairSummary: "Use the nearest lower effort of the model.",
    refusal: effortRefusal,
    when: ({ model }) => isOpenaiReasoner(model),
    find: ({ body, model }) => {
      const effort = body["reasoning_effort"];
      const offered = chatEffortsOf(model);
      const message = `Unsupported value: 'reasoning_effort' does not support '${show(effort)}' with this model. Supported values are: ${listValues(offered)}.`;
      const isTaken = effort == null || offered.some((known) => known === effort);
      return !isTaken && { path: "reasoning_effort", message, code: "unsupported_value" };
    },
    repair: ({ body, model }, refusal) => {
      const effort = refusal
        ? effortNamed(refusal, efforts)
        : nearestEffort(show(body["reasoning_effort"]), chatEffortsOf(model));
      return effort === undefined ? body : { ...body, reasoning_effort: effort };
    },
  }),
  "openai-chat/sampling": cheap({
    summary:
      "Reasoning models take no sampling parameters; from gpt-5.1 on, some do at effort none.",
    fix: "Leave the parameter out, or set `reasoning_effort` to none if the model has it.",
    repairSummary: "Leave the parameters out.",
    refusal: samplingRefusal,
    find: (input) =>
      refusedSampling(input).map((name) => {
        if (name !== "temperature") return unsupported(name);
        const message = `Unsupported value: 'temperature' does not support ${show(input.body[name])} with this model. Only the default (1) value is supported.`;
        return { path: name, message, code: "unsupported_value" };
      }),
    repair: (input, refusal) =>
      without(input.body, ...(refusal ? [refusal[1]!] : refusedSampling(input))),
  }),
  "openai-chat/top-logprobs": cheap({
    summary: "`top_logprobs` needs `logprobs`.",
    says: "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
    fix: "Set `logprobs` to true.",
    when: ({ model }) => isOpenai(model),
    find: ({ body }) => body["top_logprobs"] != null && body["logprobs"] !== true && "top_logprobs",
    drops: ["top_logprobs"],
  }),
  "openai-chat/stop": refused("stop", ({ id }) => refusesStop(id), {
    summary: "The o-series takes no `stop`, except o3-mini.",
  }),
  "openai-chat/effort-with-tools": cheap({
    summary: "From gpt-5.2 on, Chat Completions takes function tools only at effort none.",
    says: (path, { body }) =>
      `Function tools with ${path} are not supported for ${show(body["model"])} in /v1/chat/completions. To use function tools, use /v1/responses or set ${path} to 'none'.`,
    fix: "Use the Responses API, or set `reasoning_effort` to none.",
    repairSummary: "Set the effort to none.",
    refusal: /Function tools with reasoning_effort are not supported/,
    find: (input) => hasEffortWithTools(input) && "reasoning_effort",
    // Models that cannot be off take no tools here at all: that is for the user to settle.
    repair: ({ body, model: { thinking } }): JsonObject =>
      thinking.kind === "effort" && !thinking.efforts.includes("none")
        ? body
        : { ...body, reasoning_effort: "none" },
  }),
  "openai-chat/cache-retention": refused(
    "prompt_cache_retention",
    ({ id }) => /^gpt-([6-9]|\d\d)/.test(id),
    {
      summary: "From GPT-6 on, `prompt_cache_options` replaces `prompt_cache_retention`.",
      fix: "Use `prompt_cache_options`.",
    },
  ),
};
