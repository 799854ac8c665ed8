import type { WireId } from "../types/message.ts";
import type { Effort, Model, ThinkingTraits } from "../types/model.ts";
import type { Quirks } from "../types/quirks.ts";
import { claudeFamily } from "./anthropic.ts";
import { geminiFamily } from "./google.ts";
import type { Family } from "./look-up.ts";
import { lookUpIn } from "./look-up.ts";
import { onWire } from "./on-wire.ts";
import { openaiFamily } from "./openai.ts";
import { vendorFamilies } from "./vendors.ts";

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

const openModel = (provider: string, id: string): Model | undefined => {
  const found = openWeights.find(([names]) => names.test(id));
  if (found === undefined) return undefined;
  const [, thinking, quirks] = found;
  return {
    id,
    provider,
    wire: "openai-chat",
    thinking,
    shows: thinking.kind === "none" ? "nothing" : "full",
    sampling: "free",
    toolChoice: "free",
    replay: "optional",
    status: "current",
    ...(quirks !== undefined && { quirks }),
  };
};

const host = (
  provider: string,
  assume: (id: string) => Model | undefined,
  wire: WireId = "openai-chat",
): Family => ({ provider, wire, models: [], assume });

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

const gatewayModel = (provider: string, id: string): Model | undefined => {
  const makers = [claudeFamily, openaiFamily, geminiFamily, ...vendorFamilies];
  let row: Model | undefined;
  for (const maker of makers) row ??= lookUpIn(maker, id);
  if (row === undefined) return openModel(provider, id);
  const { price: _price, map: _map, quirks: _quirks, ...kept } = row;
  return {
    ...kept,
    provider,
    wire: "openai-chat",
    thinking: gatewayTraits(row.thinking),
    toolChoice: row.toolChoice === "not-with-budget" ? "free" : row.toolChoice,
    replay: "sealed",
    seals: { reads: [], endpointBound: true },
    effortUpdates: false,
  };
};

/** Ollama spells every dial as an effort word. */
const ollamaModel = (id: string): Model | undefined => {
  const model = openModel("ollama", id);
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
const withBudget = (model: Model | undefined): Model | undefined =>
  model?.thinking.kind === "switch"
    ? { ...model, thinking: { ...model.thinking, budget: { min: 1, max: 1_000_000 } } }
    : model;

export const hostFamilies: readonly Family[] = [
  openaiAt("openai-chat", "openai-chat"),
  openaiAt("azure", "openai-responses"),
  openaiAt("github", "openai-chat"),
  host("openrouter", (id) => gatewayModel("openrouter", id)),
  host("together", (id) => openModel("together", id)),
  host("vllm", (id) => withBudget(openModel("vllm", id))),
  host("sglang", (id) => openModel("sglang", id)),
  host("llamacpp", (id) => withBudget(openModel("llamacpp", id))),
  host("ollama", ollamaModel),
];

/** Rules of one host, by provider id. */
export const hostFamily = (provider: string): Family =>
  hostFamilies.find((family) => family.provider === provider) ?? host(provider, () => undefined);
