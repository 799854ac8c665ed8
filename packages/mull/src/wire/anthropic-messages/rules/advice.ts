import type { Rule, RuleInput } from "../../../types/rule.ts";
import {
  asksFix,
  asksForReasoning,
  asksText,
  hasThinkingTags,
  tagsFix,
  tagsText,
  tightCap,
  tightCapFix,
  tightCapText,
} from "../../common/advice-words.ts";
import { asText } from "../client/parts.ts";
import {
  blocksOf,
  defineRule,
  faultIf,
  isThinkingOn,
  messagesOf,
  object,
  thinkingOf,
  thinkingType,
  without,
} from "./request-view.ts";

/** What is left for the answer when the budget is spent. */
const roomOf = ({ body }: RuleInput): number => {
  const budget = thinkingOf(body)["budget_tokens"];
  return Number(body["max_tokens"]) - (typeof budget === "number" ? budget : 0);
};

export const adviceRules = (): readonly Rule[] => [
  defineRule({
    id: "anthropic/advice-budget",
    severity: "advice",
    summary: "Thinking budgets are deprecated on Claude 4.6.",
    repairSummary: "asks for adaptive thinking instead of a budget",
    find: ({ body, model }) =>
      faultIf(
        model.generation === "4.6" && thinkingType(body) === "enabled",
        "thinking",
        "A thinking budget is deprecated on this model; effort steers adaptive thinking.",
      ),
    repair: ({ body }) => ({
      ...body,
      thinking: { ...without(thinkingOf(body), "budget_tokens"), type: "adaptive" },
    }),
  }),
  defineRule({
    id: "anthropic/advice-tight-cap",
    severity: "advice",
    summary: "A small `max_tokens` may be spent on thinking alone.",
    fix: tightCapFix,
    find: (input) =>
      faultIf(
        isThinkingOn(input.body) && roomOf(input) > 0 && roomOf(input) < tightCap,
        "max_tokens",
        tightCapText(Number(input.body["max_tokens"])),
      ),
  }),
  defineRule({
    id: "anthropic/advice-effort-alone",
    severity: "advice",
    summary: "On Opus 4.5 effort without a thinking budget shortens the answer; nothing thinks.",
    fix: "Set a thinking budget beside the effort.",
    find: ({ body, model }) =>
      faultIf(
        model.thinking.kind === "budget" &&
          asText(object(body["output_config"])["effort"]) !== "" &&
          thinkingType(body) !== "enabled",
        "output_config.effort",
        "Effort is set, and thinking is off: this model thinks only with a budget.",
      ),
  }),
  defineRule({
    id: "anthropic/advice-output-format",
    severity: "advice",
    summary: "`output_format` is the old name of `output_config.format`.",
    repairSummary: "moves the format into output_config",
    find: ({ body }) =>
      faultIf(
        body["output_format"] != null,
        "output_format",
        "`output_format` is deprecated; the format goes into `output_config.format`.",
      ),
    repair: ({ body }) => ({
      ...without(body, "output_format"),
      output_config: { format: body["output_format"], ...object(body["output_config"]) },
    }),
  }),
  defineRule({
    id: "anthropic/advice-thinking-tags",
    severity: "advice",
    summary: "Thinking goes back as thinking blocks, not as tags in the answer's text.",
    fix: tagsFix,
    find: ({ body }) =>
      messagesOf(body).flatMap(({ role, blocks }) =>
        blocks
          .filter(({ block }) => role === "assistant" && hasThinkingTags(asText(block["text"])))
          .map(({ path }) => ({ path, message: tagsText })),
      ),
  }),
  defineRule({
    id: "anthropic/advice-asks-for-reasoning",
    severity: "advice",
    summary: "A model that thinks need not be asked to write its reasoning down.",
    fix: asksFix,
    find: ({ body }) =>
      isThinkingOn(body)
        ? blocksOf(body)
            .filter(({ block, type }) => type === "text" && asksForReasoning(asText(block["text"])))
            .slice(-1)
            .map(({ path }) => ({ path, message: asksText }))
        : [],
  }),
];
