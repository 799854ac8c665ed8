import type { JsonObject } from "../../../types/json.ts";
import { efforts } from "../../../types/model.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { otherFields } from "../client/parts.ts";
import { asObject, asObjects, asText, without } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  withIn,
  nearestWord,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import {
  faultAt,
  thinkingOf,
  thinkingType,
  isThinkingOn,
  hasBeta,
  atPath,
  notPermitted,
  bindingBeta,
  toAdaptive,
} from "./view.ts";

const useAdaptive =
  'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const unsupported = (type: string, hint = useAdaptive): RuleFound =>
  fault("thinking", `"thinking.type.${type}" is not supported for this model. ${hint}`);

const takesBudget = ({ model: { thinking } }: RuleInput): boolean =>
  thinking.kind === "budget" || (thinking.kind === "effort" && thinking.budget !== undefined);

const offOf = ({ model: { thinking } }: RuleInput): string =>
  "off" in thinking ? thinking.off : "omit";

const budgetOf = (body: JsonObject): number | undefined => {
  const { type, budget_tokens: budget } = thinkingOf(body);
  return type === "enabled" && typeof budget === "number" ? budget : undefined;
};

const capOf = (body: JsonObject): number =>
  typeof body["max_tokens"] === "number" ? body["max_tokens"] : Number.POSITIVE_INFINITY;

const effortPath = "output_config.effort";

const effortOf = (body: JsonObject): string => asText(asObject(body["output_config"])["effort"]);

const withEffort = (body: JsonObject, effort: string | undefined): JsonObject =>
  withIn(body, "output_config", { effort });

const formFields: ReadonlyMap<string, readonly string[]> = new Map([
  ["enabled", ["type", "budget_tokens", "display", "block_binding"]],
  ["adaptive", ["type", "display", "block_binding"]],
  ["disabled", ["type"]],
  ["between_tools", ["type"]],
]);

const strayFields = (body: JsonObject): readonly string[] => {
  const known = formFields.get(thinkingType(body));
  return known ? Object.keys(otherFields(thinkingOf(body), known)) : [];
};

const displays = new Set(["summarized", "omitted"]);

const isInterleaved = (input: RuleInput): boolean =>
  hasBeta(input, "interleaved-thinking-2025-05-14") && asObjects(input.body["tools"]).length > 0;

const effortsOf = ({ model: { thinking } }: RuleInput): readonly string[] =>
  ("efforts" in thinking ? thinking.efforts : undefined) ?? [];

const words = new Set(["low", "medium", "high", "xhigh", "max"]);
const rank = (effort: string): number => efforts.findIndex((word) => word === effort);

const isTooHighWhenOff = ({ model, body }: RuleInput): boolean => {
  const ceiling =
    "maxEffortWhenOff" in model.thinking ? model.thinking.maxEffortWhenOff : undefined;
  const isOff = ["disabled", "between_tools"].includes(thinkingType(body));
  return isOff && ceiling !== undefined && rank(effortOf(body)) > rank(ceiling);
};

function formFault({ body }: RuleInput): RuleFound {
  const form = thinkingOf(body);
  const type = thinkingType(body);
  // `{"block_binding": …}` without a type keeps the model's own mode.
  const isBare = form["type"] === undefined && form["block_binding"] !== undefined;
  if (body["thinking"] == null || isBare) return [];
  if (formFields.has(type)) {
    const lacksBudget = type === "enabled" && typeof form["budget_tokens"] !== "number";
    return lacksBudget && faultAt("thinking.enabled.budget_tokens", "Field required");
  }
  const tags = [...formFields.keys()].toSorted().map((tag) => `'${tag}'`);
  return faultAt(
    "thinking",
    `Input tag '${type}' found using 'type' does not match any of the expected tags: ${tags.join(", ")}`,
  );
}

/** The forms of `thinking`, and which model takes which. */
export const thinkingRules: RuleTable = {
  "anthropic/thinking-form": cheap({
    summary: "`thinking` has one of four forms: enabled, adaptive, disabled, between_tools.",
    find: formFault,
  }),
  "anthropic/thinking-fields": cheap({
    summary: "A form of `thinking` has only its own fields; the effort isn't one of them.",
    says: notPermitted,
    repairSummary: "Remove the fields that this form doesn't take.",
    find: ({ body }) => strayFields(body).map((name) => `thinking.${thinkingType(body)}.${name}`),
    repair: ({ body }) => ({ ...body, thinking: without(thinkingOf(body), ...strayFields(body)) }),
  }),
  "anthropic/thinking-unsupported": cheap({
    summary: "Models that don't think take no `thinking`.",
    when: ({ model }) => model.thinking.kind === "none",
    find: ({ body }) =>
      isThinkingOn(body) &&
      fault("thinking", `'${asText(body["model"])}' does not support thinking.`),
    drops: ["thinking"],
  }),
  "anthropic/budget-unsupported": cheap({
    summary: "Claude 4.7 and later take no thinking budget.",
    repairSummary: "Ask for adaptive thinking instead of a budget.",
    refusal: /thinking\.type\.enabled" is not supported/,
    when: ({ model }) => model.thinking.kind === "effort",
    find: (input) =>
      thinkingType(input.body) === "enabled" && !takesBudget(input) && unsupported("enabled"),
    repair: toAdaptive,
  }),
  "anthropic/adaptive-unsupported": cheap({
    summary: "Claude up to 4.5 takes a budget, not adaptive thinking.",
    says: "adaptive thinking is not supported on this model",
    repairSummary: "Leave `thinking` out.",
    refusal: /adaptive thinking is not supported/,
    when: ({ model }) => model.thinking.kind === "budget",
    find: ({ body }) => thinkingType(body) === "adaptive" && "thinking",
    repair: ({ body }, refused) => {
      const rest = without(body, "thinking");
      return refused ? withEffort(rest, undefined) : rest;
    },
  }),
  "anthropic/disabled-unsupported": cheap({
    summary: "Thinking can't be disabled on models that always think, or on Sonnet 5.5.",
    repairSummary: "Leave `thinking` out, or turn it off in the model's own form.",
    refusal: /thinking\.type\.disabled" is not supported/,
    find: (input) =>
      thinkingType(input.body) === "disabled" &&
      ["never", "between_tools"].includes(offOf(input)) &&
      unsupported(
        "disabled",
        takesBudget(input)
          ? 'Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.'
          : useAdaptive,
      ),
    repair: (input, refused) => {
      if (offOf(input) === "between_tools")
        return { ...input.body, thinking: { type: "between_tools" } };
      const rest = without(input.body, "thinking");
      return refused ? withEffort(rest, "low") : rest;
    },
  }),
  "anthropic/between-tools-unsupported": cheap({
    summary: "Only Sonnet 5.5 takes `between_tools`.",
    find: (input) =>
      thinkingType(input.body) === "between_tools" &&
      offOf(input) !== "between_tools" &&
      unsupported("between_tools"),
    drops: ["thinking"],
  }),
  "anthropic/budget-minimum": cheap({
    summary: "A thinking budget is at least 1,024 tokens.",
    says: atPath("Input should be greater than or equal to 1024"),
    repairSummary: "Raise the budget to 1,024.",
    find: ({ body }) => (budgetOf(body) ?? 1024) < 1024 && "thinking.enabled.budget_tokens",
    repair: ({ body }) => withIn(body, "thinking", { budget_tokens: 1024 }),
  }),
  "anthropic/budget-below-cap": cheap({
    summary: "`max_tokens` is greater than the budget, except in interleaved tool use.",
    says: "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
    repairSummary: "Lower the budget below `max_tokens`, or leave thinking out if it can't fit.",
    when: (input) => !isInterleaved(input),
    find: ({ body }) => (budgetOf(body) ?? -1) >= capOf(body) && "max_tokens",
    repair: ({ body }) => {
      const budget_tokens = capOf(body) - 1;
      return budget_tokens < 1024
        ? without(body, "thinking")
        : withIn(body, "thinking", { budget_tokens });
    },
  }),
  "anthropic/display": cheap({
    summary: "`display` is summarized or omitted; `updates` needs its beta.",
    says: atPath("Input should be 'summarized' or 'omitted'"),
    repairSummary: "Ask for `summarized`.",
    find: (input) => {
      const { display } = thinkingOf(input.body);
      if (display == null || displays.has(asText(display))) return [];
      const isUpdates = hasBeta(input, "thinking-display-updates-2026-08-18");
      return (
        !(isUpdates && display === "updates") && `thinking.${thinkingType(input.body)}.display`
      );
    },
    repair: ({ body }) => withIn(body, "thinking", { display: "summarized" }),
  }),
  "anthropic/binding-controls": cheap({
    summary: "`block_binding` needs its beta, and Claude 4.6 doesn't take it at all.",
    says: notPermitted,
    refusal: /block_binding: Extra inputs are not permitted/,
    when: (input) => !hasBeta(input, bindingBeta) || input.model.generation === "4.6",
    find: ({ body }) =>
      thinkingOf(body)["block_binding"] != null &&
      `thinking.${thinkingType(body) || "adaptive"}.block_binding`,
    drops: ["thinking.block_binding"],
  }),
  "anthropic/effort-value": cheap({
    summary: "Effort is low, medium, high, xhigh or max.",
    says: atPath("Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"),
    repairSummary: "Leave the effort out.",
    find: ({ body }) =>
      asObject(body["output_config"])["effort"] != null && !words.has(effortOf(body)) && effortPath,
    repair: ({ body }) => withEffort(body, undefined),
  }),
  "anthropic/effort-unsupported": cheap({
    summary: "Haiku 4.5, Sonnet 4.5 and older take no effort.",
    says: "This model does not support the effort parameter.",
    refusal: /does not support the effort parameter/,
    repairSummary: "Leave the effort out.",
    when: (input) => effortsOf(input).length === 0,
    find: ({ body }) => effortOf(body) !== "" && effortPath,
    repair: ({ body }) => withEffort(body, undefined),
  }),
  "anthropic/effort-level": cheap({
    summary: "Opus 4.5 and Claude 4.6 lack some effort levels.",
    repairSummary: "Use the next lower effort that the model takes.",
    refusal: /does not support effort level '([^']+)'\. Supported levels: ([^.]+)/,
    find: (input) => {
      const effort = effortOf(input.body);
      const taken = effortsOf(input);
      const list = [...taken].toSorted().join(", ");
      const message = `This model does not support effort level '${effort}'. Supported levels: ${list}.`;
      const isLacking = words.has(effort) && taken.length > 0 && !taken.includes(effort);
      return isLacking && fault(effortPath, message);
    },
    repair: (input, refused) => {
      const [, effort = effortOf(input.body), levels] = refused ?? [];
      const taken = levels?.split(/,\s*/) ?? effortsOf(input);
      return withEffort(input.body, nearestWord(effort, taken, efforts));
    },
  }),
  "anthropic/effort-while-disabled": cheap({
    summary: "Opus 5, Haiku 5.5 and Sonnet 5.5 take at most effort high while thinking is off.",
    repairSummary: "Lower the effort to high.",
    refusal: /is not supported when thinking is disabled/,
    find: (input) => {
      const message = `output_config.effort '${effortOf(input.body)}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`;
      return isTooHighWhenOff(input) && fault(effortPath, message);
    },
    repair: ({ body }) => withEffort(body, "high"),
  }),
};
