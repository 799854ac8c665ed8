import type { ThinkingTraits } from "../types/model.ts";
import type { Quirks } from "../types/quirks.ts";
import { alwaysOn, effort, lowToHigh, onOff, plain } from "./traits.ts";
import { row, type ModelRow } from "./vendor.ts";

/** Open models by name, first match wins: how they think wherever they are served. */
const openModels: readonly (readonly [RegExp, ThinkingTraits, Quirks?])[] = [
  [/^gpt-oss/, effort(lowToHigh, "never"), { knob: "reasoning_effort" }],
  [/^(?:qwen3.*thinking|qwq|qvq|deepseek-r1|magistral|kimi-k2-thinking|minimax-m2)/, alwaysOn],
  [/^qwen(?:-|[12]|3.*(?:instruct|coder))/, plain],
  [/^(?:qwen3|glm-(?:4\.[5-9]|5)|kimi-k2\.|minimax-m|smollm3)/, onOff],
  [/^(?:deepseek-v(?:3\.[12]|4)|granite)/, onOff, { templateKey: "thinking" }],
];

/** The row of an open model. */
export const openModel = (id: string): ModelRow | undefined => {
  const [, thinking, quirks] = openModels.find(([names]) => names.test(id)) ?? [];
  return thinking && row(id, thinking, quirks && { quirks });
};

/** The row of an open model on servers with a thinking budget. */
export const budgetedModel = (id: string): ModelRow | undefined => {
  const model = openModel(id);
  return model?.thinking.kind === "switch"
    ? { ...model, thinking: { ...model.thinking, budget: { min: 1, max: 1_000_000 } } }
    : model;
};
