import type { JsonObject } from "../../../types/json.ts";
import type { Rule } from "../../../types/rule.ts";
import { hasThinkingTags, tagsText, tightCap, tightCapText } from "../../common/advice-words.ts";
import { asObject, asObjects, asText } from "../client/parts.ts";
import { itemsIn, makeRule, omit, type PlacedItem } from "./make-rule.ts";

const textsOf = ({ content }: JsonObject): readonly string[] =>
  typeof content === "string"
    ? [content]
    : asObjects(content).map(({ text }) => asText(text) ?? "");

const isSaid = ({ type, item }: PlacedItem): boolean =>
  type === "message" && item["role"] === "assistant";

/** From gpt-5.3-codex on. */
const hasPhases = (id: string): boolean => /^gpt-(?:5\.[3-9]|[6-9])/.test(id);

export const adviceRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/advice-generate-summary",
    severity: "advice",
    summary: "`generate_summary` is the old name of `summary`.",
    repairSummary: "Renames it to summary.",
    find: ({ body }) =>
      asObject(body["reasoning"])["generate_summary"] == null
        ? []
        : [
            {
              path: "reasoning.generate_summary",
              message: "'generate_summary' is deprecated; its name is 'summary'.",
            },
          ],
    repair: (body) => {
      const reasoning = asObject(body["reasoning"]);
      return {
        ...body,
        reasoning: {
          summary: reasoning["generate_summary"],
          ...omit(reasoning, "generate_summary"),
        },
      };
    },
  }),
  makeRule({
    id: "openai/advice-tight-cap",
    severity: "advice",
    summary: "A small `max_output_tokens` may be spent on thinking alone.",
    find: ({ body, model }) => {
      const cap = body["max_output_tokens"];
      const effort = asObject(body["reasoning"])["effort"] ?? model.defaultThinking ?? "none";
      const thinks = model.thinking.kind === "effort" && effort !== "none" && !model.assumed;
      return thinks && typeof cap === "number" && cap < tightCap
        ? [{ path: "max_output_tokens", message: tightCapText(cap) }]
        : [];
    },
  }),
  makeRule({
    id: "openai/advice-phase",
    severity: "advice",
    summary: "From gpt-5.3-codex on answers go back with their phase, or quality drops.",
    find: (input) => {
      const said = itemsIn(input).filter(isSaid);
      const keeps = said.some(({ item }) => item["phase"] != null);
      return hasPhases(input.model.id) && keeps
        ? said
            .filter(({ item }) => item["phase"] == null)
            .map(({ at }) => ({
              path: `input[${at}].phase`,
              message: "This answer lost its phase; the model may take a remark for the answer.",
            }))
        : [];
    },
  }),
  makeRule({
    id: "openai/advice-thinking-tags",
    severity: "advice",
    summary: "Thinking goes back as reasoning items, not as tags in the answer's text.",
    find: (input) =>
      itemsIn(input)
        .filter((placed) => isSaid(placed) && textsOf(placed.item).some(hasThinkingTags))
        .map(({ at }) => ({ path: `input[${at}].content`, message: tagsText })),
  }),
];
