import type { JsonObject } from "../../../types/json.ts";
import { efforts } from "../../../types/model.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asText, otherFields } from "../client/parts.ts";
import {
  defineRule,
  faultIf,
  hasBeta,
  object,
  objects,
  thinkingOf,
  thinkingType,
  without,
} from "./request-view.ts";

const useAdaptive =
  'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const notSupported = (type: string): string =>
  `"thinking.type.${type}" is not supported for this model.`;

const kindOf = ({ model }: RuleInput): string => model.thinking.kind;

const takesBudget = ({ model: { thinking } }: RuleInput): boolean =>
  thinking.kind === "budget" || (thinking.kind === "effort" && thinking.budget !== undefined);

const offOf = ({ model: { thinking } }: RuleInput): string =>
  "off" in thinking ? thinking.off : "omit";

const budgetOf = (body: JsonObject): number | undefined => {
  const { type, budget_tokens: budget } = thinkingOf(body);
  return type === "enabled" && typeof budget === "number" ? budget : undefined;
};

const effortOf = (body: JsonObject): string => asText(object(body["output_config"])["effort"]);

const withEffort = (body: JsonObject, effort: string | undefined): JsonObject => ({
  ...body,
  output_config: { ...object(body["output_config"]), effort },
});

const withoutEffort = (body: JsonObject): JsonObject => {
  const rest = without(object(body["output_config"]), "effort");
  return Object.keys(rest).length > 0
    ? { ...body, output_config: rest }
    : without(body, "output_config");
};

/** The fields each form may have. */
const formFields: ReadonlyMap<string, readonly string[]> = new Map([
  ["enabled", ["type", "budget_tokens", "display", "block_binding"]],
  ["adaptive", ["type", "display", "block_binding"]],
  ["disabled", ["type"]],
  ["between_tools", ["type"]],
]);

const strayFields = (body: JsonObject): readonly string[] => {
  const form = thinkingOf(body);
  const known = formFields.get(thinkingType(body));
  return known ? Object.keys(otherFields(form, known)) : [];
};

const displays = new Set(["summarized", "omitted"]);

const isInterleaved = (input: RuleInput): boolean =>
  hasBeta(input, "interleaved-thinking-2025-05-14") && objects(input.body["tools"]).length > 0;

const effortsOf = ({ model: { thinking } }: RuleInput): readonly string[] =>
  ("efforts" in thinking ? thinking.efforts : undefined) ?? [];

const rank = (effort: string): number => efforts.findIndex((word) => word === effort);

const isTooHighWhenOff = ({ model, body }: RuleInput): boolean => {
  const ceiling =
    "maxEffortWhenOff" in model.thinking ? model.thinking.maxEffortWhenOff : undefined;
  const isOff = ["disabled", "between_tools"].includes(thinkingType(body));
  return isOff && ceiling !== undefined && rank(effortOf(body)) > rank(ceiling);
};

export const thinkingRules = (): readonly Rule[] => [
  defineRule({
    id: "anthropic/thinking-form",
    about: ["thinking"],
    summary: "`thinking` is one of four forms: enabled, adaptive, disabled, between_tools.",
    preflight: true,
    find: ({ body }) => {
      const { thinking } = body;
      if (thinking == null) return [];
      const form = thinkingOf(body);
      const type = thinkingType(body);
      // A binding control alone keeps the model's own mode.
      if (form["type"] === undefined && form["block_binding"] !== undefined) return [];
      if (!formFields.has(type)) {
        const tags = [...formFields.keys()].toSorted().map((tag) => `'${tag}'`);
        return [
          {
            path: "thinking",
            message: `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: ${tags.join(", ")}`,
          },
        ];
      }
      return faultIf(
        type === "enabled" && typeof form["budget_tokens"] !== "number",
        "thinking.enabled.budget_tokens",
        "thinking.enabled.budget_tokens: Field required",
      );
    },
  }),
  defineRule({
    id: "anthropic/thinking-fields",
    about: ["thinking"],
    summary: "A form of `thinking` takes no field of another form; effort is not part of it.",
    repairSummary: "removes the fields the form does not take",
    preflight: true,
    find: ({ body }) =>
      strayFields(body).map((name) => {
        const path = `thinking.${thinkingType(body)}.${name}`;
        return { path, message: `${path}: Extra inputs are not permitted` };
      }),
    repair: ({ body }) => ({
      ...body,
      thinking: without(thinkingOf(body), ...strayFields(body)),
    }),
  }),
  defineRule({
    id: "anthropic/thinking-unsupported",
    about: ["thinking"],
    summary: "Models that do not think take no thinking.",
    repairSummary: "leaves `thinking` out",
    preflight: true,
    find: (input) =>
      faultIf(
        kindOf(input) === "none" && ["enabled", "adaptive"].includes(thinkingType(input.body)),
        "thinking",
        `'${asText(input.body["model"])}' does not support thinking.`,
      ),
    repair: ({ body }) => without(body, "thinking"),
  }),
  defineRule({
    id: "anthropic/budget-unsupported",
    about: ["thinking"],
    summary: "Claude 4.7 and later take no thinking budget.",
    repairSummary: "asks for adaptive thinking instead of a budget",
    preflight: true,
    find: (input) =>
      faultIf(
        kindOf(input) === "effort" && thinkingType(input.body) === "enabled" && !takesBudget(input),
        "thinking",
        `${notSupported("enabled")} ${useAdaptive}`,
      ),
    repair: ({ body }) => ({
      ...body,
      thinking: { ...without(thinkingOf(body), "budget_tokens"), type: "adaptive" },
    }),
  }),
  defineRule({
    id: "anthropic/adaptive-unsupported",
    about: ["thinking"],
    summary: "Claude up to 4.5 takes a budget, not adaptive thinking.",
    repairSummary: "leaves `thinking` out",
    preflight: true,
    find: (input) =>
      faultIf(
        kindOf(input) === "budget" && thinkingType(input.body) === "adaptive",
        "thinking",
        "adaptive thinking is not supported on this model",
      ),
    repair: ({ body }) => without(body, "thinking"),
  }),
  defineRule({
    id: "anthropic/disabled-unsupported",
    about: ["thinking"],
    summary: "Thinking cannot be disabled on models that always think, nor on Sonnet 5.5.",
    repairSummary: "leaves `thinking` out, or uses the model's own form of off",
    preflight: true,
    find: (input) =>
      faultIf(
        thinkingType(input.body) === "disabled" &&
          ["never", "between_tools"].includes(offOf(input)),
        "thinking",
        `${notSupported("disabled")} ${
          takesBudget(input)
            ? 'Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.'
            : useAdaptive
        }`,
      ),
    repair: (input) =>
      offOf(input) === "between_tools"
        ? { ...input.body, thinking: { type: "between_tools" } }
        : without(input.body, "thinking"),
  }),
  defineRule({
    id: "anthropic/between-tools-unsupported",
    about: ["thinking"],
    summary: "Only Sonnet 5.5 takes `between_tools`.",
    repairSummary: "leaves `thinking` out",
    preflight: true,
    find: (input) =>
      faultIf(
        thinkingType(input.body) === "between_tools" && offOf(input) !== "between_tools",
        "thinking",
        `${notSupported("between_tools")} ${useAdaptive}`,
      ),
    repair: ({ body }) => without(body, "thinking"),
  }),
  defineRule({
    id: "anthropic/budget-minimum",
    about: ["thinking"],
    summary: "A thinking budget is at least 1,024 tokens.",
    repairSummary: "raises the budget to 1,024",
    preflight: true,
    find: ({ body }) =>
      faultIf(
        (budgetOf(body) ?? 1024) < 1024,
        "thinking.enabled.budget_tokens",
        "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
      ),
    repair: ({ body }) => ({ ...body, thinking: { ...thinkingOf(body), budget_tokens: 1024 } }),
  }),
  defineRule({
    id: "anthropic/budget-below-cap",
    about: ["thinking"],
    summary: "`max_tokens` is greater than the budget, except in interleaved tool use.",
    repairSummary: "lowers the budget below max_tokens, or leaves thinking out where it cannot fit",
    preflight: true,
    find: (input) =>
      faultIf(
        !isInterleaved(input) && (budgetOf(input.body) ?? -1) >= capOf(input.body),
        "max_tokens",
        "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
      ),
    repair: ({ body }) => {
      const budget_tokens = capOf(body) - 1;
      return budget_tokens < 1024
        ? without(body, "thinking")
        : { ...body, thinking: { ...thinkingOf(body), budget_tokens } };
    },
  }),
  defineRule({
    id: "anthropic/display",
    about: ["thinking"],
    summary: "`display` is summarized or omitted; `updates` needs its beta.",
    repairSummary: "asks for summarized",
    preflight: true,
    find: (input) => {
      const { display } = thinkingOf(input.body);
      const isKnown =
        display == null ||
        displays.has(asText(display)) ||
        (display === "updates" && hasBeta(input, "thinking-display-updates-2026-08-18"));
      const path = `thinking.${thinkingType(input.body)}.display`;
      return faultIf(!isKnown, path, `${path}: Input should be 'summarized' or 'omitted'`);
    },
    repair: ({ body }) => ({ ...body, thinking: { ...thinkingOf(body), display: "summarized" } }),
  }),
  defineRule({
    id: "anthropic/binding-controls",
    about: ["thinking"],
    summary: "`block_binding` needs its beta, and Claude 4.6 does not take it at all.",
    repairSummary: "removes block_binding",
    preflight: true,
    find: (input) => {
      const isRefused =
        !hasBeta(input, "thinking-binding-controls-2026-08-01") || input.model.generation === "4.6";
      const path = `thinking.${thinkingType(input.body) || "adaptive"}.block_binding`;
      return faultIf(
        thinkingOf(input.body)["block_binding"] != null && isRefused,
        path,
        `${path}: Extra inputs are not permitted`,
      );
    },
    repair: ({ body }) => {
      const thinking = without(thinkingOf(body), "block_binding");
      return Object.keys(thinking).length > 0 ? { ...body, thinking } : without(body, "thinking");
    },
  }),
  defineRule({
    id: "anthropic/effort-value",
    about: ["output_config"],
    summary: "Effort is low, medium, high, xhigh or max.",
    repairSummary: "leaves effort out",
    preflight: true,
    find: ({ body }) =>
      faultIf(
        object(body["output_config"])["effort"] != null && !words.has(effortOf(body)),
        "output_config.effort",
        "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
      ),
    repair: ({ body }) => withoutEffort(body),
  }),
  defineRule({
    id: "anthropic/effort-unsupported",
    about: ["output_config"],
    summary: "Haiku 4.5, Sonnet 4.5 and older take no effort.",
    repairSummary: "leaves effort out",
    preflight: true,
    find: (input) =>
      faultIf(
        effortOf(input.body) !== "" && effortsOf(input).length === 0,
        "output_config.effort",
        "This model does not support the effort parameter.",
      ),
    repair: ({ body }) => withoutEffort(body),
  }),
  defineRule({
    id: "anthropic/effort-level",
    about: ["output_config"],
    summary: "Opus 4.5 and Claude 4.6 lack some effort levels.",
    repairSummary: "moves the effort to the next lower level the model takes",
    preflight: true,
    find: (input) => {
      const effort = effortOf(input.body);
      const taken = effortsOf(input);
      return faultIf(
        words.has(effort) && taken.length > 0 && !taken.includes(effort),
        "output_config.effort",
        `This model does not support effort level '${effort}'. Supported levels: ${[...taken].toSorted().join(", ")}.`,
      );
    },
    repair: (input) => {
      const asked = rank(effortOf(input.body));
      const [least, ...more] = effortsOf(input);
      const nearest = more.findLast((word) => rank(word) < asked) ?? least;
      return withEffort(input.body, nearest);
    },
  }),
  defineRule({
    id: "anthropic/effort-while-disabled",
    about: ["output_config"],
    summary: "Opus 5, Haiku 5.5 and Sonnet 5.5 take at most effort high while thinking is off.",
    repairSummary: "lowers effort to high",
    preflight: true,
    find: (input) =>
      faultIf(
        isTooHighWhenOff(input),
        "output_config.effort",
        `output_config.effort '${effortOf(input.body)}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`,
      ),
    repair: ({ body }) => withEffort(body, "high"),
  }),
];

const words = new Set(["low", "medium", "high", "xhigh", "max"]);

const capOf = (body: JsonObject): number =>
  typeof body["max_tokens"] === "number" ? body["max_tokens"] : Number.POSITIVE_INFINITY;
