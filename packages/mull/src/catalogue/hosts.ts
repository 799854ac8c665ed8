import type { WireId } from "../types/message.ts";
import type { Effort, Model, ThinkingTraits } from "../types/model.ts";
import type { Quirks } from "../types/quirks.ts";
import type { Family } from "./look-up.ts";
import { lookUpIn, openTraits } from "./look-up.ts";
import { makers } from "./makers.ts";
import { onWire } from "./on-wire.ts";
import { openaiFamily } from "./openai.ts";

const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
const always: ThinkingTraits = { kind: "switch", off: "never" };
const hybrid: ThinkingTraits = { kind: "switch", off: "switch" };
const plain: ThinkingTraits = { kind: "none" };

/** Open models by name, first match wins: how they think wherever they are served. */
const openWeights: readonly (readonly [RegExp, ThinkingTraits, Quirks?])[] = [
  [/^gpt-oss/, { kind: "effort", efforts: lowToHigh, off: "never" }, { knob: "reasoning_effort" }],
  [/^(?:qwen3.*thinking|qwq|qvq|deepseek-r1|magistral|kimi-k2-thinking|minimax-m2)/, always],
  [/^qwen(?:-|[12]|3.*(?:instruct|coder))/, plain],
  [/^(?:qwen3|glm-(?:4\.[5-9]|5)|kimi-k2\.|minimax-m|smollm3)/, hybrid],
  [/^(?:deepseek-v(?:3\.[12]|4)|granite)/, hybrid, { templateKey: "thinking" }],
];

/** How a host takes a model that is served under its own name. */
type Hosting = (id: string, provider: string) => Model | undefined;

const openModel: Hosting = (id, provider) => {
  const found = openWeights.find(([names]) => names.test(id));
  if (found === undefined) return undefined;
  const [, thinking, quirks] = found;
  return {
    id,
    provider,
    wire: "openai-chat",
    thinking,
    shows: thinking.kind === "none" ? "nothing" : "full",
    ...openTraits,
    ...(quirks !== undefined && { quirks }),
  };
};

const host = (provider: string, take: Hosting, wire: WireId = "openai-chat"): Family => ({
  provider,
  wire,
  models: () => [],
  assume: (id) => take(id, provider),
});

/** OpenAI's models under another roof. */
const openaiAt = (provider: string, wire: WireId): Family =>
  host(
    provider,
    (id) => {
      const row = lookUpIn(openaiFamily, id);
      return row && { ...onWire(row, wire), provider };
    },
    wire,
  );

/** A gateway has one set of words for everybody's models. */
const gatewayEfforts: readonly Effort[] = ["minimal", ...lowToHigh, "xhigh"];

const gatewayTraits = (thinking: ThinkingTraits): ThinkingTraits => {
  if (thinking.kind === "none") return thinking;
  const range =
    thinking.kind === "budget" ? thinking : "budget" in thinking ? thinking.budget : undefined;
  const budget = range && { budget: { min: range.min, max: range.max } };
  return thinking.off === "never"
    ? { kind: "effort", efforts: gatewayEfforts, off: "never", ...budget }
    : { kind: "effort", efforts: ["none", ...gatewayEfforts], off: "effort-none", ...budget };
};

const gatewayModel: Hosting = (id, provider) => {
  let row: Model | undefined;
  for (const maker of makers) row ??= lookUpIn(maker, id);
  if (row === undefined) return openModel(id, provider);
  const { price: _price, map: _map, quirks: _quirks, ...kept } = row;
  return {
    ...kept,
    provider,
    wire: "openai-chat",
    thinking: gatewayTraits(row.thinking),
    // Claude has its limit everywhere; the others' are their own servers'.
    toolChoice:
      row.provider === "anthropic" && row.toolChoice === "auto-only" ? "auto-only" : "free",
    replay: "sealed",
    seals: { reads: [], endpointBound: true },
    effortUpdates: false,
  };
};

/** Ollama spells every dial as an effort word. */
const ollamaModel: Hosting = (id, provider) => {
  const model = openModel(id, provider);
  if (model?.thinking.kind !== "switch") return model;
  const { quirks: _quirks, ...kept } = model;
  return model.thinking.off === "never"
    ? { ...kept, thinking: { kind: "effort", efforts: lowToHigh, off: "never" } }
    : {
        ...kept,
        thinking: { kind: "effort", efforts: ["none", ...lowToHigh], off: "effort-none" },
      };
};

/** Servers with a field for the number take it from any model that can be switched. */
const budgetedModel: Hosting = (id, provider) => {
  const model = openModel(id, provider);
  return model?.thinking.kind === "switch"
    ? { ...model, thinking: { ...model.thinking, budget: { min: 1, max: 1_000_000 } } }
    : model;
};

export const hostFamilies: readonly Family[] = [
  openaiAt("openai-chat", "openai-chat"),
  openaiAt("azure", "openai-responses"),
  openaiAt("github", "openai-chat"),
  host("openrouter", gatewayModel),
  host("together", openModel),
  host("vllm", budgetedModel),
  host("sglang", openModel),
  host("llamacpp", budgetedModel),
  host("ollama", ollamaModel),
];

/** Rules of one host, by provider id. */
export const hostFamily = (provider: string): Family =>
  hostFamilies.find((family) => family.provider === provider) ?? host(provider, () => undefined);
