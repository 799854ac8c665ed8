import type { Effort, LevelValue, Model, Price } from "../types/model.ts";
import { effort, lowToHigh, plain, readsText } from "./traits.ts";
import { row, vendor, type ModelRow, type Vendor } from "./vendor.ts";

const minimalToHigh: readonly Effort[] = ["minimal", ...lowToHigh];
const noneToHigh: readonly Effort[] = ["none", ...lowToHigh];
const lowToXhigh: readonly Effort[] = [...lowToHigh, "xhigh"];
const noneToXhigh: readonly Effort[] = ["none", ...lowToXhigh];
const mediumToXhigh: readonly Effort[] = ["medium", "high", "xhigh"];
const lowToMax: readonly Effort[] = [...lowToXhigh, "max"];
const noneToMax: readonly Effort[] = ["none", ...lowToMax];

const effortValue = (word: Effort): LevelValue => ({ kind: "effort", effort: word });
/** The dial's documents say `none` here; the service refuses it, so the plan sends the floor. */
const documentedNone: Partial<Model> = { map: { none: effortValue("none") } };
const noneIsMedium: Partial<Model> = { map: { none: effortValue("medium") } };

/** Input read from the cache costs a tenth unless a row says otherwise. */
const price = (
  input: number,
  output: number,
  cacheRead: number = input / 10,
  cacheWrite?: number,
): Price => ({ input, output, cacheRead, ...(cacheWrite !== undefined && { cacheWrite }) });

/** Above 272k tokens of input everything read costs double and everything written half as much again. */
const stepped = (
  input: number,
  output: number,
  cacheRead: number = input / 10,
  cacheWrite?: number,
): Price => ({
  ...price(input, output, cacheRead, cacheWrite),
  long: { threshold: 272_000, input: input * 2, output: output * 1.5, cacheRead: cacheRead * 2 },
});

const generationOf = (id: string): Partial<Model> => {
  const generation = /^gpt-([\d.]+)/.exec(id)?.[1];
  return generation === undefined ? {} : { generation };
};

const reasoner =
  (shared: Partial<Model>) =>
  (id: string, efforts: readonly Effort[], fields: Partial<Model> = {}): ModelRow => {
    const hasNone = efforts.includes("none");
    return row(id, effort(efforts, hasNone ? "effort-none" : "never"), {
      sampling: hasNone ? "only-off" : "never",
      ...shared,
      ...generationOf(id),
      ...fields,
    });
  };

const oSeries = reasoner({
  defaultThinking: "medium",
  outputCap: 100_000,
  window: 200_000,
  generation: "o",
});
const gpt5Traits: Partial<Model> = { outputCap: 128_000, window: 400_000, generation: "5" };
const gpt5xTraits: Partial<Model> = { ...gpt5Traits, window: 1_050_000 };
const gpt5 = reasoner(gpt5Traits);
const gpt5x = reasoner(gpt5xTraits);
const gpt56 = reasoner({ ...gpt5xTraits, defaultThinking: "medium", cacheDiagnosis: true });
const gpt6 = reasoner({
  ...gpt5xTraits,
  defaultThinking: "medium",
  generation: "6",
  effortUpdates: true,
  cacheDiagnosis: true,
});
const ended = (endOfLife: string, successor: string): Partial<Model> => ({
  status: "retired",
  endOfLife,
  successor,
});
const ending = (endOfLife: string, successor: string): Partial<Model> => ({
  status: "deprecated",
  endOfLife,
  successor,
});

const wordy = (id: string, outputCap: number, window: number, fields: Partial<Model>): ModelRow =>
  row(id, plain, { sampling: "free", outputCap, window, ...fields });

/** GPT-5.4 and later, with steps in the price. */
const newRows = (): readonly ModelRow[] => [
  gpt6("gpt-6-astra", lowToMax, { price: stepped(10, 50, 1, 12.5) }),
  gpt6("gpt-6-sol", noneToMax, { price: stepped(2, 10, 0.2, 2.5) }),
  gpt6("gpt-6-luna", noneToMax, { price: stepped(0.1, 0.5, 0.01, 0.125) }),
  gpt6("gpt-6.1-sol", lowToMax, { price: stepped(2, 10, 0.1, 2.5) }),
  gpt6("gpt-6.1-terra", noneToMax, { price: stepped(1, 5, 0.05, 1.25) }),
  gpt5x("gpt-5.4", noneToXhigh, { defaultThinking: "none", price: stepped(2.5, 15) }),
  gpt5x("gpt-5.4-pro", mediumToXhigh, { price: stepped(30, 180, 30) }),
  gpt5x("gpt-5.5", noneToXhigh, { defaultThinking: "medium", price: stepped(5, 30, 0.5) }),
  gpt5x("gpt-5.5-pro", mediumToXhigh, { price: stepped(30, 180, 30) }),
  gpt56("gpt-5.6", noneToMax, { price: stepped(4, 20, undefined, 5) }),
  gpt56("gpt-5.6-sol", noneToMax, { price: stepped(4, 20, undefined, 5) }),
  gpt56("gpt-5.6-terra", noneToMax, { price: stepped(2, 12, undefined, 2.5) }),
  gpt56("gpt-5.6-luna", noneToMax, { price: stepped(0.2, 1.2, undefined, 0.25) }),
  gpt5x("gpt-daybreak-blue-latest", noneToMax, { price: stepped(4, 20) }),
  gpt5x("gpt-daybreak-red-latest", noneToMax, { window: 400_000, price: stepped(12.5, 75) }),
];

/** The other models of GPT-5. */
const gpt5Rows = (): readonly ModelRow[] => [
  gpt5("gpt-5", minimalToHigh, {
    ...documentedNone,
    ...ending("2026-12-11", "gpt-6-sol"),
    defaultThinking: "medium",
    price: price(1.25, 10),
  }),
  gpt5("gpt-5-mini", minimalToHigh, {
    ...documentedNone,
    ...ending("2026-12-11", "gpt-6-luna"),
    defaultThinking: "medium",
    price: price(0.25, 2),
  }),
  gpt5("gpt-5-nano", minimalToHigh, {
    ...documentedNone,
    ...ending("2026-12-11", "gpt-6-luna"),
    defaultThinking: "medium",
    price: price(0.05, 0.4),
  }),
  gpt5("gpt-5-pro", ["high"], { defaultThinking: "high", price: price(15, 120, 15) }),
  gpt5("gpt-5-codex", lowToHigh, { price: price(1.25, 10) }),
  gpt5("gpt-5.1", noneToHigh, {
    ...ending("2027-04-01", "gpt-6-sol"),
    defaultThinking: "none",
    price: price(1.25, 10, 0.125),
  }),
  gpt5("gpt-5.1-codex", lowToHigh, {
    ...ended("2026-07-23", "gpt-5.3-codex"),
    price: price(1.25, 10),
  }),
  gpt5("gpt-5.1-codex-mini", lowToHigh, { price: price(0.25, 2) }),
  gpt5("gpt-5.1-codex-max", lowToXhigh, { price: price(1.25, 10) }),
  gpt5("gpt-5.2", noneToXhigh, { defaultThinking: "none", price: price(1.75, 14, 0.175) }),
  gpt5("gpt-5.2-codex", lowToXhigh, { price: price(1.75, 14) }),
  gpt5("gpt-5.2-pro", mediumToXhigh, { price: price(21, 168, 21) }),
  gpt5("gpt-5.3-codex", noneToXhigh, { defaultThinking: "none", price: price(1.75, 14) }),
  gpt5("gpt-5.3-codex-spark", lowToXhigh, {
    shows: "nothing",
    outputCap: 32_000,
    window: 128_000,
    price: price(1.75, 14),
  }),
  gpt5("gpt-5.4-mini", noneToXhigh, { defaultThinking: "none", price: price(0.75, 4.5) }),
  gpt5("gpt-5.4-nano", noneToXhigh, {
    ...ending("2027-04-01", "gpt-6-luna"),
    defaultThinking: "none",
    price: price(0.2, 1.25),
  }),
  gpt5("gpt-5.6-cyber", lowToMax, { price: stepped(12.5, 75) }),
  gpt5("chat-latest", ["medium"], { defaultThinking: "medium", price: price(5, 30) }),
];

/** The o-series, and models that do not think. */
const oldRows = (): readonly ModelRow[] => [
  oSeries("o1-pro", lowToHigh, { price: price(150, 600, 150) }),
  oSeries("o1", lowToHigh, {
    ...noneIsMedium,
    ...ended("2026-10-23", "gpt-6-sol"),
    price: price(15, 60, 7.5),
  }),
  oSeries("o3-mini", lowToHigh, {
    ...noneIsMedium,
    ...ended("2026-10-23", "gpt-6-luna"),
    price: price(1.1, 4.4, 0.55),
    ...readsText,
  }),
  oSeries("o4-mini", lowToHigh, {
    ...documentedNone,
    ...ended("2026-10-23", "gpt-6-luna"),
    price: price(1.1, 4.4, 0.275),
  }),
  oSeries("o3", lowToHigh, {
    ...documentedNone,
    ...ending("2026-12-11", "gpt-6-sol"),
    price: price(2, 8, 0.5),
  }),
  oSeries("o3-pro", lowToHigh, { price: price(20, 80, 20) }),
  oSeries("o3-deep-research", ["medium"], {}),
  oSeries("o4-mini-deep-research", ["medium"], {}),
  oSeries("computer-use-preview", ["medium"], { status: "preview" }),
  wordy("gpt-4o", 16_384, 128_000, {
    ...ending("2027-01-14", "gpt-6-sol"),
    price: price(2.5, 10, 1.25),
  }),
  wordy("gpt-4o-mini", 16_384, 128_000, ending("2027-01-14", "gpt-6-luna")),
  wordy("gpt-4.1", 32_768, 1_050_000, {
    ...ending("2027-01-14", "gpt-6-sol"),
    price: price(2, 8, 0.5),
  }),
  wordy("gpt-4.1-mini", 32_768, 1_050_000, ending("2027-01-14", "gpt-6-luna")),
  wordy("gpt-4.1-nano", 32_768, 1_050_000, ended("2026-10-23", "gpt-6-luna")),
  wordy("gpt-4-turbo", 4096, 128_000, ended("2026-10-23", "gpt-6-sol")),
  wordy("gpt-4", 8192, 8192, ended("2026-10-23", "gpt-6-sol")),
  wordy("gpt-3.5-turbo", 4096, 16_385, ended("2026-10-23", "gpt-6-luna")),
  wordy("gpt-5-chat-latest", 16_384, 128_000, ended("2026-07-23", "chat-latest")),
  wordy("gpt-5.1-chat-latest", 16_384, 128_000, { status: "retired", successor: "chat-latest" }),
  wordy("gpt-5.2-chat-latest", 16_384, 128_000, {
    status: "retired",
    successor: "chat-latest",
    price: price(1.75, 14),
  }),
  wordy("gpt-5.3-chat-latest", 16_384, 128_000, { status: "retired", successor: "chat-latest" }),
];

/** OpenAI on the Responses API. */
export const openai: Vendor = /* @__PURE__ */ vendor({
  id: "openai",
  name: "OpenAI",
  aliases: ["openai-responses"],
  wire: "openai-responses",
  baseUrl: "https://api.openai.com/v1",
  auth: "bearer",
  traits: {
    shows: "summary",
    sampling: "never",
    replay: "sealed",
    seals: { reads: [], accountBound: true, endpointBound: true },
    files: { images: true, pdf: true },
    systemMessages: true,
    serviceCompacts: true,
  },
  rows: () => [...newRows(), ...gpt5Rows(), ...oldRows()],
  // Newer does not mean that it can be switched off: gpt-6-sol can, gpt-6.1-sol cannot.
  assume: (id) => {
    const assumed = { assumed: true } as const;
    if (/^o\d/.test(id)) return oSeries(id, lowToHigh, assumed);
    if (!id.startsWith("gpt-") || id.startsWith("gpt-oss")) return undefined;
    const major = Number(/^gpt-(\d+)/.exec(id)?.[1] ?? 6);
    if (major < 5) return wordy(id, 4096, 8192, assumed);
    return major === 5 ? gpt5x(id, lowToHigh, assumed) : gpt6(id, lowToMax, assumed);
  },
});
