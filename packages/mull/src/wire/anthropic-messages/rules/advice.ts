import { adviseOnAsking, adviseOnCap, adviseOnTags } from "../../common/rules/advice.ts";
import { asObject, asText, without } from "../../common/json-reading.ts";
import type { RuleTable } from "../../common/rules/define-rule.ts";
import {
  blocksOf,
  isThinkingOn,
  messagesOf,
  thinkingOf,
  thinkingType,
  toAdaptive,
  type ViewedBlock,
} from "./view.ts";

const textIn = ({ path, block }: ViewedBlock): { path: string; text: unknown } => ({
  path,
  text: block["text"],
});

export const adviceRules: RuleTable = {
  "anthropic/advice-budget": {
    severity: "advice",
    summary: "Thinking budgets are deprecated on Claude 4.6.",
    says: "A thinking budget is deprecated on this model; effort steers adaptive thinking.",
    repairSummary: "Ask for adaptive thinking instead of a budget.",
    when: ({ model }) => model.generation === "4.6",
    find: ({ body }) => thinkingType(body) === "enabled" && "thinking",
    repair: toAdaptive,
  },
  "anthropic/advice-tight-cap": adviseOnCap("max_tokens", "max_tokens", ({ body }) => {
    const cap = body["max_tokens"];
    const room = Number(cap) - (Number(thinkingOf(body)["budget_tokens"]) || 0);
    return isThinkingOn(body) && room > 0 ? { cap, room } : undefined;
  }),
  "anthropic/advice-effort-alone": {
    severity: "advice",
    summary: "On Opus 4.5 effort without a thinking budget shortens the answer; nothing thinks.",
    says: "Effort is set, and thinking is off: this model thinks only with a budget.",
    fix: "Set a thinking budget along with the effort.",
    when: ({ model }) => model.thinking.kind === "budget",
    find: ({ body }) =>
      asText(asObject(body["output_config"])["effort"]) !== "" &&
      thinkingType(body) !== "enabled" &&
      "output_config.effort",
  },
  "anthropic/advice-output-format": {
    severity: "advice",
    summary: "`output_format` is the old name of `output_config.format`.",
    says: "`output_format` is deprecated; the format goes into `output_config.format`.",
    repairSummary: "Move the format into `output_config`.",
    find: ({ body }) => body["output_format"] != null && "output_format",
    repair: ({ body }) => ({
      ...without(body, "output_format"),
      output_config: { format: body["output_format"], ...asObject(body["output_config"]) },
    }),
  },
  "anthropic/advice-thinking-tags": adviseOnTags("as thinking blocks", ({ body }) =>
    messagesOf(body)
      .filter(({ role }) => role === "assistant")
      .flatMap(({ blocks }) => blocks.map(textIn)),
  ),
  "anthropic/advice-asks-for-reasoning": adviseOnAsking(({ body }) =>
    isThinkingOn(body)
      ? blocksOf(body)
          .filter(({ type }) => type === "text")
          .map(textIn)
      : [],
  ),
};
