import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { quickHash } from "../world/quick-hash.ts";
import { countValue } from "../world/tokens.ts";
import { blocksOf, canonical } from "./anthropic-prefix.ts";
import { inputItems } from "./responses-state.ts";
import { listIn, objectIn, type ServiceExchange } from "./service.ts";

/** A piece of a prompt. Where it ends with a cache mark: for how many milliseconds the prompt up to it is kept. */
interface CacheStep {
  readonly value: JsonValue;
  readonly keptFor?: number;
}

export interface CacheUse {
  readonly read: number;
  readonly write: number;
  /** The part of what is written that is kept for an hour. */
  readonly hourWrite: number;
}

const unused: CacheUse = { read: 0, write: 0, hourWrite: 0 };

/** How a service keeps the beginnings of prompts. */
interface Plan {
  readonly steps: (body: JsonObject) => readonly CacheStep[];
  /** The cache is read in whole blocks of this many tokens. */
  readonly block: number;
  readonly countsWrites: boolean;
}

const minutes = 60_000;
const hour = 60 * minutes;

/** Shorter prompts are not cached. */
const fewestTokens = 1024;

const mostKept = 10_000;

const keptFor = (control: JsonValue | undefined): Pick<CacheStep, "keptFor"> => {
  if (!isJsonObject(control)) return {};
  return { keptFor: control["ttl"] === "1h" ? hour : 5 * minutes };
};

const marked = (value: JsonValue): CacheStep => ({
  value,
  ...keptFor(objectIn(value)["cache_control"]),
});

/** Tools, system, messages, as Anthropic lays them out; kept up to each block that says so. */
const anthropicSteps = (body: JsonObject): readonly CacheStep[] => {
  const steps = [
    ...listIn(body["tools"]),
    ...blocksOf(body["system"]),
    ...listIn(body["messages"]).flatMap((message) => blocksOf(objectIn(message)["content"])),
  ].map(marked);
  const last = steps.at(-1);
  return last === undefined
    ? []
    : [...steps.slice(0, -1), { ...last, ...keptFor(body["cache_control"]) }];
};

/** OpenAI caches every prompt without being asked. */
const openaiPlan = (kept: number, messages: (body: JsonObject) => readonly JsonValue[]): Plan => ({
  steps: (body) =>
    [body["instructions"] ?? "", ...listIn(body["tools"]), ...messages(body)].map((value) => ({
      value,
      keptFor: kept,
    })),
  block: 128,
  countsWrites: false,
});

const planOf = ({ wire, model }: ServiceExchange): Plan | undefined => {
  if (wire === "anthropic-messages") {
    return { steps: anthropicSteps, block: 1, countsWrites: true };
  }
  if (model.provider !== "openai") return undefined;
  // From GPT-5.6 on `prompt_cache_options.ttl` is 30 minutes if a request says nothing.
  const kept = model.cacheDiagnosis === true ? 30 * minutes : 5 * minutes;
  return openaiPlan(kept, (body) =>
    wire === "openai-chat" ? listIn(body["messages"]) : inputItems(body["input"]),
  );
};

/** What must be the same besides the text for a cached prompt to be used. */
const seedOf = ({ account, modelId, body }: ServiceExchange): string => {
  const effort = objectIn(body["output_config"])["effort"] ?? objectIn(body["reasoning"])["effort"];
  return JSON.stringify([account, modelId, body["thinking"], effort, body["reasoning_effort"]]);
};

interface Mark {
  readonly end: number;
  readonly keptFor: number;
}

/** The text between two marks is kept for as long as the second mark says. */
const useOf = (marks: readonly Mark[], read: number, countsWrites: boolean): CacheUse => {
  if (!countsWrites) return { ...unused, read };
  let end = read;
  let hourWrite = 0;
  for (const mark of marks) {
    if (mark.keptFor === hour) hourWrite += Math.max(0, mark.end - end);
    end = Math.max(end, mark.end);
  }
  return { read, write: end - read, hourWrite };
};

/** How much of a prompt was in the cache, and how much of it is written to the cache now. */
export const usePromptCache = (
  exchange: ServiceExchange,
  tokens: number,
  pageTokens: number,
): CacheUse => {
  const plan = tokens < fewestTokens ? undefined : planOf(exchange);
  const steps = plan?.steps(exchange.body) ?? [];
  const lastMark = steps.findLastIndex((step) => step.keptFor !== undefined);
  if (plan === undefined || lastMark === -1) return unused;
  const { cache, clock } = exchange.world;
  const now = clock.now();
  let key = quickHash(seedOf(exchange), 0);
  const marks: Mark[] = [];
  let length = 0;
  let read = 0;
  for (const { value, keptFor: time } of steps.slice(0, lastMark + 1)) {
    key = quickHash(canonical(value), key);
    length += countValue(value, pageTokens);
    if (length < fewestTokens) continue;
    if ((cache.get(key) ?? 0) > now) read = Math.floor(length);
    if (time === undefined) continue;
    cache.set(key, now + time);
    marks.push({ end: Math.min(Math.floor(length), tokens), keptFor: time });
  }
  for (const oldest of cache.keys()) {
    if (cache.size <= mostKept) break;
    cache.delete(oldest);
  }
  return useOf(marks, Math.min(read - (read % plan.block), tokens), plan.countsWrites);
};
