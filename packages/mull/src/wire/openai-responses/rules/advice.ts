import type { JsonObject } from "../../../types/json.ts";
import { adviseOnCap, adviseOnTags } from "../../common/rules/advice.ts";
import { asObjects, asText } from "../../common/json-reading.ts";
import type { RuleTable } from "../../common/rules/define-rule.ts";
import { itemsOf, reasoningOf, withReasoning, type PlacedItem } from "./view.ts";

const textOf = ({ content }: JsonObject): string =>
  typeof content === "string"
    ? content
    : asObjects(content)
        .map((part) => asText(part["text"]))
        .join("\n");

const isSaid = ({ type, item }: PlacedItem): boolean =>
  type === "message" && item["role"] === "assistant";

const capField = "max_output_tokens";

export const adviceRules: RuleTable = {
  "openai/advice-generate-summary": {
    severity: "advice",
    summary: "`generate_summary` is the old name of `summary`.",
    says: "'generate_summary' is deprecated; its name is 'summary'.",
    repairSummary: "Rename it to `summary`.",
    find: ({ body }) =>
      reasoningOf(body)["generate_summary"] != null && "reasoning.generate_summary",
    repair: ({ body }) => {
      const { generate_summary: old, summary = old } = reasoningOf(body);
      return withReasoning(body, { summary, generate_summary: undefined });
    },
  },
  "openai/advice-tight-cap": adviseOnCap(capField, capField, ({ body, model }) => {
    const effort = reasoningOf(body)["effort"] ?? model.defaultThinking ?? "none";
    const thinks = model.thinking.kind === "effort" && effort !== "none" && !model.assumed;
    return thinks ? { cap: body[capField] } : undefined;
  }),
  "openai/advice-phase": {
    severity: "advice",
    summary: "From gpt-5.3-codex on, answers go back with their phase; otherwise quality drops.",
    says: "This answer lost its phase; the model may take a remark for the answer.",
    find: (input) => {
      const said = itemsOf(input).filter(isSaid);
      const lost = said.filter(({ item }) => item["phase"] == null);
      const hasPhases = /^gpt-(?:5\.[3-9]|[6-9])/.test(input.model.id) && lost.length < said.length;
      return hasPhases && lost.map(({ path }) => `${path}.phase`);
    },
  },
  "openai/advice-thinking-tags": adviseOnTags("as reasoning items", (input) =>
    itemsOf(input)
      .filter(isSaid)
      .map(({ path, item }) => ({ path: `${path}.content`, text: textOf(item) })),
  ),
};
