import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import {
  parseLevel,
  type CacheHints,
  type ChatRequest,
  type JsonObject,
  type Level,
  type Provider,
  type WireId,
} from "mull";
import { isJsonObject } from "mull/wire";
import type { MullCallOptions } from "./settings.ts";
import type { Warn } from "./read-options.ts";

type CallDial = Pick<
  ChatRequest,
  "level" | "thinkingBudget" | "showThinking" | "cache" | "userId" | "extra"
>;

/** One option of another provider of the AI SDK: what it means here. */
type Meaning = (value: unknown) => CallDial | undefined;

/** The options that programs already pass to the vendors' own providers, by the wire of the model asked. */
const vendorOptions: Readonly<
  Record<WireId, { readonly key: string; readonly meanings: Readonly<Record<string, Meaning>> }>
> = {
  "anthropic-messages": {
    key: "anthropic",
    meanings: {
      thinking: (value) => {
        const { type, budgetTokens, display } = asObject(value);
        return {
          ...(type === "disabled" && { level: "none" as const }),
          ...(typeof budgetTokens === "number" && { thinkingBudget: budgetTokens }),
          ...(display === "omitted" && { showThinking: false }),
        };
      },
      effort: toLevel,
      cacheControl: () => ({ cache: { breakpoints: true } }),
      metadata: (value) => toUser(asObject(value)["userId"]),
      // Reasoning always goes back.
      sendReasoning: (value) => (value === true ? {} : undefined),
    },
  },
  "openai-responses": { key: "openai", meanings: openaiMeanings() },
  "openai-chat": { key: "openai", meanings: openaiMeanings() },
  "google-generate": {
    key: "google",
    meanings: {
      thinkingConfig: (value) => {
        const { thinkingBudget, thinkingLevel, includeThoughts } = asObject(value);
        return {
          ...(typeof thinkingBudget === "number" &&
            (thinkingBudget < 0 ? { level: "auto" as const } : { thinkingBudget })),
          ...toLevel(thinkingLevel),
          ...(includeThoughts === false && { showThinking: false }),
        };
      },
    },
  },
};

function openaiMeanings(): Readonly<Record<string, Meaning>> {
  return {
    reasoningEffort: toLevel,
    reasoningSummary: (value) =>
      value === "auto" || value === "detailed" || value === "concise"
        ? { showThinking: value }
        : { showThinking: value !== null },
    promptCacheKey: (value) => (typeof value === "string" ? { cache: { key: value } } : undefined),
    user: toUser,
    // Every request is whole and carries its encrypted reasoning: nothing is left at the service.
    store: (value) => (value === false ? {} : undefined),
    include: () => ({}),
  };
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

function toUser(value: unknown): CallDial | undefined {
  return typeof value === "string" ? { userId: value } : undefined;
}

function toLevel(value: unknown): CallDial | undefined {
  return typeof value === "string" ? { level: parseLevel(value) } : undefined;
}

/** Where our own options come from: `providerOptions.mull` and its names. */
const ownNames: Readonly<Record<keyof MullCallOptions, true>> = {
  level: true,
  thinkingBudget: true,
  showThinking: true,
  cache: true,
  userId: true,
  heal: true,
  extra: true,
};

/**
 * What a call says about thinking, the most special first: `providerOptions.mull`, the options of the
 * vendor's own provider, `reasoning` of AI SDK 7; the level behind the model's name is for the rest.
 */
export function readDial(
  options: LanguageModelV4CallOptions,
  { wire }: Pick<Provider, "wire">,
  warn: Warn,
): CallDial {
  const vendor = readVendorOptions(options, wire.id, warn);
  const { heal: _, ...own } = ownOptions(options, warn);
  const cache = mergeCache(vendor.cache, own.cache);
  return {
    ...readReasoning(options.reasoning),
    ...vendor,
    ...own,
    // A budget that is closer to the call than a level counts, and the other way round.
    ...(own.level !== undefined &&
      own.thinkingBudget === undefined && { thinkingBudget: undefined }),
    ...(cache !== undefined && { cache }),
  };
}

const mergeCache = (...hints: readonly (CacheHints | undefined)[]): CacheHints | undefined =>
  hints.some((hint) => hint !== undefined) ? Object.assign({}, ...hints) : undefined;

function readReasoning(word: LanguageModelV4CallOptions["reasoning"]): { readonly level?: Level } {
  return word === undefined || word === "provider-default" ? {} : { level: parseLevel(word) };
}

function readVendorOptions(
  options: LanguageModelV4CallOptions,
  wire: WireId,
  warn: Warn,
): CallDial {
  const { key, meanings } = vendorOptions[wire];
  let dial: CallDial = {};
  for (const [name, value] of Object.entries(options.providerOptions?.[key] ?? {})) {
    const meaning = Object.hasOwn(meanings, name) ? meanings[name]?.(value) : undefined;
    if (meaning === undefined) {
      warn(
        `providerOptions.${key}.${name}`,
        "Pass it under providerOptions.mull.extra, in the words of the service.",
      );
    } else {
      const cache = mergeCache(dial.cache, meaning.cache);
      dial = { ...dial, ...meaning, ...(cache !== undefined && { cache }) };
    }
  }
  return dial;
}

/** What `providerOptions.mull` says. Its values are checked where every request is. */
export function ownOptions(
  options: LanguageModelV4CallOptions,
  warn: Warn = () => undefined,
): MullCallOptions {
  const given = Object.entries(options.providerOptions?.["mull"] ?? {});
  for (const [name] of given) {
    if (!Object.hasOwn(ownNames, name))
      warn(`providerOptions.mull.${name}`, `It may be: ${Object.keys(ownNames).join(" ")}`);
  }
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(ownNames, name)));
}
