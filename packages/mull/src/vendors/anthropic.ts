import type { Effort, Model, Price, SealRights, ThinkingTraits } from "../types/model.ts";
import { lowToHigh, plain } from "./traits.ts";
import { row, vendor, type ModelRow, type Vendor } from "./vendor.ts";

const withMax: readonly Effort[] = [...lowToHigh, "max"];
const all: readonly Effort[] = [...lowToHigh, "xhigh", "max"];

const always: ThinkingTraits = { kind: "effort", efforts: all, off: "never" };
const switchable: ThinkingTraits = { kind: "effort", efforts: all, off: "disabled" };
const softOff: ThinkingTraits = { ...switchable, maxEffortWhenOff: "high" };
const betweenTools: ThinkingTraits = { ...softOff, off: "between_tools" };
const mixed: ThinkingTraits = {
  kind: "effort",
  efforts: withMax,
  off: "omit",
  budget: { min: 1024, max: 127_999 },
};
const budget = (max: number): ThinkingTraits => ({ kind: "budget", min: 1024, max, off: "omit" });

/** Five-minute cache writes cost a quarter more than input on every Claude. */
const price = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});

const ownOnly: SealRights = { reads: [] };
const olderClaude = ["claude-opus-4-*", "claude-sonnet-4-*", "claude-haiku-4-5*"];
const readBy51 = [
  ...olderClaude,
  "claude-fable-5",
  "claude-mythos-5",
  "claude-fable-5-1",
  "claude-mythos-5-1",
  "claude-opus-5",
  "claude-opus-5-5",
  "claude-sonnet-*",
];
const reads51: SealRights = { reads: readBy51, prefixBound: "newer-accounts" };
/** Anthropic doesn't publish which other seals 5.2 models read; the 5.1 set is assumed. */
const reads52: SealRights = {
  reads: [...readBy51, "claude-fable-5-2", "claude-mythos-5-2"],
  prefixBound: "always",
};

const autoOnly: Partial<Model> = { toolChoice: "auto-only", effortUpdates: true };
const claude46: Partial<Model> = {
  defaultThinking: "off",
  sampling: "limited",
  toolChoice: "not-with-budget",
  systemMessages: false,
  generation: "4.6",
};
const claude45: Partial<Model> = {
  ...claude46,
  outputCap: 64_000,
  window: 200_000,
  noPrefill: false,
  serviceCompacts: false,
  generation: "4.5",
};
const gone = (successor: string, generation: string, outputCap: number): Partial<Model> => ({
  ...claude45,
  outputCap,
  generation,
  status: "retired",
  successor,
});

/** Claude 5 and later. */
const newRows = (): readonly ModelRow[] => [
  row("claude-fable-5-2", always, {
    ...autoOnly,
    price: price(8, 40, 0.2),
    seals: reads52,
    generation: "5.2",
  }),
  row("claude-mythos-5-2", always, {
    ...autoOnly,
    seals: reads52,
    generation: "5.2",
    status: "gated",
  }),
  row("claude-haiku-5-5", softOff, {
    defaultThinking: "medium",
    effortUpdates: true,
    price: {
      ...price(0.1, 0.5, 0.01),
      long: { threshold: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05 },
    },
    seals: { reads: [], prefixBound: "newer-accounts", accountBound: true },
    generation: "5.5",
  }),
  row("claude-sonnet-5-5", betweenTools, {
    ...autoOnly,
    price: price(2, 10, 0.1),
    seals: {
      reads: [...olderClaude, "claude-sonnet-5", "claude-haiku-5-5"],
      prefixBound: "newer-accounts",
      accountBound: true,
    },
    generation: "5.5",
  }),
  row("claude-opus-5-5", always, {
    ...autoOnly,
    defaultThinking: "medium",
    price: price(4, 20, 0.2),
    seals: { reads: [], prefixBound: "newer-accounts" },
    generation: "5.5",
  }),
  row("claude-fable-5-1", always, {
    ...autoOnly,
    price: price(10, 50, 0.25),
    seals: reads51,
    generation: "5.1",
  }),
  row("claude-mythos-5-1", always, {
    ...autoOnly,
    price: price(10, 50, 0.25),
    seals: { ...reads51, prefixBound: "always" },
    generation: "5.1",
    status: "gated",
  }),
  row("claude-sonnet-5", switchable, { price: price(2, 10, 0.2), generation: "5" }),
  row("claude-fable-5", always, { price: price(10, 50, 1), generation: "5" }),
  row("claude-mythos-5", always, {
    price: price(10, 50, 1),
    generation: "5",
    status: "gated",
  }),
  row("claude-opus-5", softOff, {
    effortUpdates: true,
    price: price(5, 25, 0.5),
    generation: "5",
  }),
];

/** Claude up to 4.8. */
const oldRows = (): readonly ModelRow[] => [
  row("claude-opus-4-8", switchable, {
    defaultThinking: "off",
    price: price(5, 25, 0.5),
    generation: "4.8",
  }),
  row("claude-opus-4-7", switchable, {
    defaultThinking: "off",
    price: price(5, 25, 0.5),
    systemMessages: false,
    generation: "4.7",
  }),
  row(
    "claude-mythos-preview",
    { ...mixed, off: "never" },
    { ...claude46, defaultThinking: "high", status: "gated" },
  ),
  row("claude-opus-4-6", mixed, { ...claude46, price: price(5, 25, 0.5) }),
  row("claude-sonnet-4-6", mixed, { ...claude46, price: price(3, 15, 0.3) }),
  row("claude-haiku-4-5", budget(32_000), { ...claude45, price: price(1, 5, 0.1) }),
  row(
    "claude-opus-4-5",
    { kind: "budget", min: 1024, max: 64_000, off: "omit", efforts: lowToHigh },
    { ...claude45, price: price(5, 25, 0.5) },
  ),
  row("claude-sonnet-4-5", budget(64_000), {
    ...claude45,
    price: price(3, 15, 0.3),
    status: "deprecated",
    endOfLife: "2026-11-30",
    successor: "claude-sonnet-5-5",
  }),
  row("claude-opus-4-1", budget(32_000), gone("claude-opus-5-5", "4.1", 32_000)),
  row("claude-opus-4", budget(32_000), gone("claude-opus-5-5", "4", 32_000)),
  row("claude-sonnet-4", budget(64_000), gone("claude-sonnet-5-5", "4", 64_000)),
  row("claude-3-7-sonnet", budget(32_000), {
    ...gone("claude-sonnet-5-5", "3.7", 64_000),
    shows: "full",
    endOfLife: "2026-02-19",
  }),
  row("claude-3-5-sonnet", plain, gone("claude-sonnet-5-5", "3.5", 8192)),
  row("claude-3-5-haiku", plain, gone("claude-haiku-5-5", "3.5", 8192)),
  row("claude-3-opus", plain, gone("claude-opus-5-5", "3", 4096)),
  row("claude-3-haiku", plain, gone("claude-haiku-5-5", "3", 4096)),
];

/** Anthropic's Messages API. */
export const anthropic: Vendor = /* @__PURE__ */ vendor({
  id: "anthropic",
  name: "Anthropic",
  aliases: ["claude"],
  wire: "anthropic-messages",
  baseUrl: "https://api.anthropic.com",
  auth: "x-api-key",
  traits: {
    defaultThinking: "high",
    shows: "summary",
    outputCap: 128_000,
    window: 1_000_000,
    sampling: "fixed",
    replay: "sealed",
    seals: ownOnly,
    files: { images: true, pdf: true },
    noPrefill: true,
    systemMessages: true,
    cacheDiagnosis: true,
    serviceCompacts: true,
  },
  rows: () => [...newRows(), ...oldRows()],
  // A Claude that isn't listed follows the newest and strictest rules: always on, steered by effort.
  assume: (id) =>
    id.startsWith("claude-")
      ? row(id, always, {
          ...autoOnly,
          seals: { reads: [], prefixBound: "always" },
          assumed: true,
        })
      : undefined,
});
