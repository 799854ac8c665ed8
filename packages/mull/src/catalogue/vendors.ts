import type { Effort, Model, ThinkingTraits } from "../types/model.ts";
import { type Family, once, openTraits } from "./look-up.ts";

const plain: ThinkingTraits = { kind: "none" };
const onOff: ThinkingTraits = { kind: "switch", off: "switch" };
const alwaysOn: ThinkingTraits = { kind: "switch", off: "never" };
const effort = (efforts: readonly Effort[], off: "switch" | "effort-none" | "never") =>
  ({ kind: "effort", efforts, off }) satisfies ThinkingTraits;

/** Pictures and documents are refused, so words take their place before they are sent. */
const readsText: Partial<Model> = { files: { images: false, pdf: false } };

type Row = readonly [id: string, thinking: ThinkingTraits, fields?: Partial<Model>];

/** Rows of a vendor on openai-chat, unless its traits say otherwise. */
const family = (
  provider: string,
  names: RegExp,
  newest: ThinkingTraits,
  shared: Partial<Model>,
  rows: readonly Row[],
): Family => {
  const model = ([id, thinking, fields]: Row): Model => ({
    id,
    provider,
    wire: "openai-chat",
    thinking,
    shows: thinking.kind === "none" ? "nothing" : "full",
    ...openTraits,
    ...shared,
    ...fields,
  });
  return {
    provider,
    wire: shared.wire ?? "openai-chat",
    models: once(() => rows.map(model)),
    assume: (id) => (names.test(id) ? model([id, newest, { assumed: true }]) : undefined),
  };
};

const lowHighMax: readonly Effort[] = ["low", "high", "max"];
const lowToHigh: readonly Effort[] = ["low", "medium", "high"];

/** Leaving the knob out means on; `medium` is mapped differently by everybody, so it is not offered. */
export const deepseekFamily: Family = family(
  "deepseek",
  /^deepseek-/,
  effort(lowHighMax, "switch"),
  {
    defaultThinking: "high",
    replay: "required",
    sampling: "ignored",
    toolChoice: "not-thinking",
  },
  [
    ["deepseek-v4-pro", effort(["high", "max"], "switch"), readsText],
    ["deepseek-v4-flash", effort(lowHighMax, "switch")],
    ["deepseek-flash", effort(lowHighMax, "switch")],
    [
      "deepseek-v3.2",
      onOff,
      { ...readsText, defaultThinking: "off", replay: "loop", sampling: "free" },
    ],
    ["deepseek-r1", alwaysOn, { ...readsText, defaultThinking: "on", replay: "forbidden" }],
    [
      "deepseek-reasoner",
      alwaysOn,
      {
        ...readsText,
        defaultThinking: "on",
        replay: "forbidden",
        status: "retired",
        endOfLife: "2026-07-24",
        successor: "deepseek-v4-flash",
      },
    ],
    [
      "deepseek-chat",
      plain,
      {
        ...readsText,
        defaultThinking: "off",
        sampling: "free",
        replay: "optional",
        status: "retired",
        endOfLife: "2026-07-24",
        successor: "deepseek-v4-flash",
      },
    ],
  ],
);

export const xaiFamily: Family = family(
  "xai",
  /^grok-/,
  effort(lowToHigh, "never"),
  {
    wire: "openai-responses",
    shows: "summary",
    replay: "sealed",
    seals: { reads: [], accountBound: true, endpointBound: true },
    files: { images: true, pdf: false },
  },
  [
    ["grok-4.7", effort(lowToHigh, "never")],
    ["grok-4.6", effort([...lowToHigh, "xhigh"], "never")],
    ["grok-4.5", effort(lowToHigh, "never")],
    ["grok-4.3", effort(["none", ...lowToHigh], "effort-none")],
    ["grok-4.20-reasoning", alwaysOn],
    ["grok-4.20-non-reasoning", plain, { shows: "nothing" }],
    ["grok-4-fast-non-reasoning", plain, { shows: "nothing" }],
    ["grok-4-1-fast-non-reasoning", plain, { shows: "nothing" }],
    ["grok-4.1-fast", alwaysOn],
    ["grok-4-fast", alwaysOn],
    ["grok-4", alwaysOn],
    ["grok-code-fast", alwaysOn, readsText],
    ["grok-code-fast-1", alwaysOn, readsText],
    ["grok-3-mini", effort(["low", "high"], "never"), readsText],
    ["grok-3", plain, { ...readsText, shows: "nothing" }],
  ],
);

const noneOrHigh = effort(["none", "high"], "effort-none");

export const mistralFamily: Family = family(
  "mistral",
  /^(?:mistral|ministral|magistral|codestral|devstral|pixtral)/,
  noneOrHigh,
  { defaultThinking: "none", files: { images: true, pdf: true }, systemMessages: false },
  [
    ["mistral-large-4", effort(lowToHigh, "never"), { defaultThinking: "medium" }],
    ["mistral-large", noneOrHigh],
    ["mistral-medium", noneOrHigh],
    ["mistral-small", noneOrHigh],
    ["glm-5.3", effort(lowHighMax, "never"), { ...readsText, defaultThinking: "max" }],
    ["magistral-medium", alwaysOn, { defaultThinking: "on", quirks: { knob: "prompt_mode" } }],
    ["magistral-small", alwaysOn, { defaultThinking: "on", quirks: { knob: "prompt_mode" } }],
    ["ministral-3b", plain],
    ["ministral-8b", plain],
    ["codestral", plain, readsText],
    ["pixtral", plain],
  ],
);

const withBudget: ThinkingTraits = { ...onOff, budget: { min: 1, max: 1_000_000 } };

export const qwenFamily: Family = family(
  "qwen",
  /^(?:qwen|qwq|qvq)/,
  withBudget,
  { replay: "loop", toolChoice: "not-thinking" },
  [
    ["qwen3.8", effort(["low", "medium", "xhigh"], "switch"), { defaultThinking: "on" }],
    ["qwen3.7", withBudget],
    ["qwen3.6", withBudget],
    ["qwen3.5", withBudget],
    ["qwen3-coder", plain, readsText],
    ["qwen3", withBudget],
    ["qwen-max", withBudget, { defaultThinking: "off" }],
    ["qwen-plus", withBudget, { defaultThinking: "off" }],
    ["qwen-flash", withBudget, { defaultThinking: "off" }],
    ["qwen-turbo", withBudget, { defaultThinking: "off" }],
    ["qwq", alwaysOn],
    ["qvq", alwaysOn],
  ],
);

export const zaiFamily: Family = family(
  "zai",
  /^glm-/,
  effort(lowHighMax, "never"),
  { defaultThinking: "on", replay: "tool-calls", toolChoice: "auto-only" },
  [
    ["glm-5.3", effort(lowHighMax, "never"), readsText],
    ["glm-5.3-flash", effort(lowHighMax, "never")],
    ["glm-5.3-flashx", effort(lowHighMax, "never")],
    ["glm-5.2", effort(["high", "max"], "switch"), readsText],
    ["glm-5.1", onOff, readsText],
    ["glm-5", onOff, readsText],
    ["glm-4.7", onOff, readsText],
    ["glm-4.6", onOff, readsText],
    ["glm-4.5", onOff, readsText],
  ],
);

/** K3 has its own word for the dial and no `thinking` field. */
export const moonshotFamily: Family = family(
  "moonshot",
  /^(?:kimi|moonshot)-/,
  effort(lowHighMax, "never"),
  {
    defaultThinking: "on",
    sampling: "never",
    replay: "required",
    toolChoice: "not-named",
    quirks: { knob: "reasoning_effort" },
  },
  [
    ["kimi-k3", effort(lowHighMax, "never"), { defaultThinking: "max" }],
    ["kimi-k2.7", alwaysOn, { toolChoice: "not-thinking", quirks: { knob: "none" } }],
    ["kimi-k2.6", onOff, { toolChoice: "not-thinking", quirks: { knob: "thinking-type" } }],
    ["kimi-k2.5", onOff, { toolChoice: "not-thinking", quirks: { knob: "thinking-type" } }],
    [
      "kimi-k2-thinking",
      alwaysOn,
      { ...readsText, toolChoice: "not-thinking", quirks: { knob: "none" } },
    ],
    [
      "kimi-k2",
      plain,
      { ...readsText, defaultThinking: "off", sampling: "free", replay: "optional" },
    ],
  ],
);

/** M2 takes `disabled` and thinks anyway. */
export const minimaxFamily: Family = family(
  "minimax",
  /^minimax-/,
  onOff,
  { defaultThinking: "on", replay: "required" },
  [
    ["minimax-m3", onOff],
    ["minimax-m2.7", alwaysOn, readsText],
    ["minimax-m2.5", alwaysOn, readsText],
    ["minimax-m2.1", alwaysOn, readsText],
    ["minimax-m2", alwaysOn, readsText],
  ],
);

/** Open models under Groq's names. Qwen 3.6 knows `none` and `default` only. */
export const groqFamily: Family = family("groq", /^(?:llama|gpt-oss)/, plain, { shows: "full" }, [
  ["gpt-oss-120b", effort(lowToHigh, "never"), { ...readsText, defaultThinking: "medium" }],
  ["gpt-oss-20b", effort(lowToHigh, "never"), { ...readsText, defaultThinking: "medium" }],
  ["qwen3.8", effort(["none", ...lowToHigh], "effort-none")],
  ["qwen3.6", { kind: "switch", off: "effort-none" }],
  ["deepseek-r1", alwaysOn, { ...readsText, quirks: { knob: "none" } }],
]);

export const vendorFamilies: readonly Family[] = [
  deepseekFamily,
  xaiFamily,
  zaiFamily,
  qwenFamily,
  moonshotFamily,
  minimaxFamily,
  mistralFamily,
  groqFamily,
];
