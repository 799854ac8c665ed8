import type { GoogleLevel, LevelValue, Model, Price, ThinkingTraits } from "../types/model.ts";
import { plain } from "./traits.ts";
import { row, vendor, type ModelRow, type Vendor } from "./vendor.ts";

const lowToHigh: readonly GoogleLevel[] = ["LOW", "MEDIUM", "HIGH"];
const minimalToHigh: readonly GoogleLevel[] = ["MINIMAL", ...lowToHigh];
const lowOrHigh: readonly GoogleLevel[] = ["LOW", "HIGH"];
const minimalOrHigh: readonly GoogleLevel[] = ["MINIMAL", "HIGH"];

const level = (levels: readonly GoogleLevel[]): ThinkingTraits => ({
  kind: "level",
  levels,
  off: "never",
});
const high: LevelValue = { kind: "level", level: "HIGH" };
/** With two steps only, `med` goes up: the dial's documents and Google's tables say so. */
const medIsHigh: Partial<Model> = { map: { med: high } };

const price = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheRead,
});

/** Before 3.5-flash-lite and 3.6 sampling counts and a conversation may end with the model's turn. */
const older: Partial<Model> = { sampling: "free", noPrefill: false };
const gemini4: Partial<Model> = { defaultThinking: "MEDIUM", generation: "4" };
const gemini3: Partial<Model> = { defaultThinking: "MEDIUM", generation: "3" };
const gemini25 = (successor: string): Partial<Model> => ({
  ...older,
  defaultThinking: "dynamic",
  generation: "2.5",
  status: "deprecated",
  endOfLife: "2026-10-16",
  successor,
});
const neverServed = (successor: string): Partial<Model> => ({
  ...older,
  ...medIsHigh,
  defaultThinking: "HIGH",
  generation: "3",
  status: "never-served",
  successor,
});
const image: Partial<Model> = { ...older, generation: "3", outputCap: 32_768 };
const retired = (id: string, successor: string): ModelRow =>
  row(id, plain, {
    ...older,
    outputCap: 8192,
    // After `gemini-`.
    generation: id.slice(7, 10),
    status: "retired",
    successor,
  });

const flashPrice = price(0.75, 3.75, 0.075);
const proPrice: Price = {
  ...price(2, 12, 0.2),
  long: { threshold: 200_000, input: 4, output: 18, cacheRead: 0.4 },
};

/** Gemini 3 and later, and those of them that were never served. */
const newRows = (): readonly ModelRow[] => [
  row("gemini-4-carbon", level(lowToHigh), gemini4),
  row("gemini-4-argon", level(lowToHigh), {
    ...gemini4,
    price: price(2, 10, 0.1),
    note: "The price doubles on 2026-12-01.",
  }),
  row("gemini-3.8-flash", level(lowToHigh), { ...gemini3, price: flashPrice }),
  row("gemini-3.7-flash", level(lowToHigh), {
    ...gemini3,
    price: flashPrice,
    status: "rerouted",
    successor: "gemini-3.8-flash",
  }),
  row("gemini-3.6-flash", level(minimalToHigh), { ...gemini3, price: flashPrice }),
  row("gemini-3.5-flash", level(minimalToHigh), {
    ...gemini3,
    ...older,
    price: price(1.5, 9, 0.15),
    status: "rerouted",
    successor: "gemini-3.6-flash",
  }),
  row("gemini-3.5-flash-lite", level(minimalToHigh), {
    ...gemini3,
    defaultThinking: "MINIMAL",
    price: price(0.3, 2.5, 0.03),
  }),
  row("gemini-3.1-pro-preview", level(lowToHigh), {
    ...gemini3,
    ...older,
    defaultThinking: "HIGH",
    price: proPrice,
    status: "preview",
  }),
  row("gemini-3.1-flash-lite", level(minimalToHigh), {
    ...gemini3,
    ...older,
    defaultThinking: "MINIMAL",
    price: price(0.25, 1.5, 0.025),
  }),
  row("gemini-3-flash-preview", level(minimalToHigh), {
    ...gemini3,
    ...older,
    defaultThinking: "HIGH",
    price: price(0.5, 3, 0.05),
    status: "preview",
    successor: "gemini-3.6-flash",
  }),
  row("gemini-3-pro-preview", level(lowOrHigh), {
    ...neverServed("gemini-3.1-pro-preview"),
    status: "retired",
    endOfLife: "2026-03-09",
  }),
  row("gemini-3-pro", level(lowOrHigh), neverServed("gemini-3.1-pro-preview")),
  row("gemini-3.0-pro", level(lowOrHigh), neverServed("gemini-3.1-pro-preview")),
  row("gemini-3-flash", level(lowOrHigh), neverServed("gemini-3.8-flash")),
  row("gemini-3.0-flash", level(lowOrHigh), neverServed("gemini-3.8-flash")),
  row("gemini-3.6-flash-lite", level(minimalToHigh), {
    ...gemini3,
    status: "never-served",
    successor: "gemini-3.5-flash-lite",
  }),
];

/** Gemini 2.5, which takes budgets, and names that stand for the newest. */
const oldRows = (): readonly ModelRow[] => [
  row(
    "gemini-2.5-pro",
    { kind: "budget", min: 128, max: 32_768, off: "never" },
    {
      ...gemini25("gemini-3.1-pro-preview"),
      price: {
        ...price(1.25, 10, 0.125),
        long: { threshold: 200_000, input: 2.5, output: 15, cacheRead: 0.25 },
      },
    },
  ),
  row(
    "gemini-2.5-flash",
    { kind: "budget", min: 0, max: 24_576, off: "budget-zero", leastOn: 128 },
    { ...gemini25("gemini-3.8-flash"), price: price(0.3, 2.5, 0.03) },
  ),
  row(
    "gemini-2.5-flash-lite",
    { kind: "budget", min: 512, max: 24_576, off: "budget-zero" },
    {
      ...gemini25("gemini-3.5-flash-lite"),
      defaultThinking: "off",
      price: price(0.1, 0.4, 0.01),
    },
  ),
  row(
    "gemini-2.5-computer-use-preview",
    { kind: "budget", min: 128, max: 32_768, off: "never" },
    {
      ...gemini25("gemini-3.8-flash"),
      outputCap: 64_000,
      window: 128_000,
      price: price(1.25, 10, 0),
      status: "preview",
    },
  ),
  row("gemini-robotics-er-2-preview", level(minimalToHigh), {
    ...older,
    window: 131_072,
    price: price(1, 5, 0.1),
    status: "preview",
  }),
  row("gemini-flash-latest", level(lowToHigh), gemini3),
  row("gemini-pro-latest", level(lowToHigh), { ...gemini3, defaultThinking: "HIGH" }),
  row("gemini-flash-lite-latest", level(minimalToHigh), {
    ...gemini3,
    defaultThinking: "MINIMAL",
  }),
];

/** Gemma, models for pictures and speech, agents, and what is shut down. */
const otherRows = (): readonly ModelRow[] => [
  ...["gemma-4-31b-it", "gemma-4-26b-a4b-it"].map((id) =>
    row(id, level(minimalOrHigh), {
      ...older,
      ...medIsHigh,
      outputCap: 32_768,
      window: 262_144,
      price: price(0, 0, 0),
      files: { images: true, pdf: false },
      generation: "gemma-4",
    }),
  ),
  row("gemini-3-pro-image", level(lowOrHigh), { ...image, ...medIsHigh }),
  row("gemini-3.1-flash-image", level(minimalOrHigh), { ...image, ...medIsHigh }),
  row("gemini-3.1-flash-lite-image", level(minimalOrHigh), { ...image, ...medIsHigh }),
  row("gemini-2.5-flash-image", plain, {
    ...gemini25("gemini-3.1-flash-image"),
    outputCap: 32_768,
  }),
  ...["deep-research-preview-04-2026", "deep-research-max-preview-04-2026"].map((id) =>
    row(id, plain, {
      window: 131_072,
      price: price(2, 12, 0.2),
      status: "preview",
      note: "An agent, served by the Interactions API only.",
    }),
  ),
  row("gemini-2.5-flash-preview-tts", plain, { ...older }),
  row("gemini-2.5-pro-preview-tts", plain, { ...older }),
  retired("gemini-2.0-flash", "gemini-3.8-flash"),
  retired("gemini-2.0-flash-lite", "gemini-3.5-flash-lite"),
  retired("gemini-1.5-pro", "gemini-3.1-pro-preview"),
  retired("gemini-1.5-flash", "gemini-3.8-flash"),
];

/** Google's Gemini API. */
export const google: Vendor = /* @__PURE__ */ vendor({
  id: "google",
  name: "Google",
  aliases: ["gemini"],
  wire: "google-generate",
  baseUrl: "https://generativelanguage.googleapis.com",
  auth: "x-goog-api-key",
  keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  traits: {
    shows: "summary",
    outputCap: 65_536,
    window: 1_048_576,
    sampling: "ignored",
    replay: "sealed",
    seals: { reads: ["gemini-*", "gemma-*"], endpointBound: true },
    files: { images: true, pdf: true },
    noPrefill: true,
  },
  rows: () => [...newRows(), ...oldRows(), ...otherRows()],
  // A Gemini that isn't listed follows the newest rules: levels without MINIMAL, signatures required.
  assume: (id) =>
    /^(?:gemini|gemma)-/.test(id)
      ? row(id, level(lowToHigh), { ...gemini4, assumed: true })
      : undefined,
});
