import type { ChatResult } from "../chat/chat.ts";
import type { ChatTarget, Composed } from "../chat/compose.ts";
import type { CacheMiss, CacheReport, Receipt } from "../types/plan.ts";
import type { CacheHints } from "../types/request.ts";

/** A request that was answered, and may have left its prompt in the service's cache. */
export interface CachedPrompt {
  readonly composed: Composed;
  /** How long the service keeps its prompt at least; `undefined` if it does not say that it keeps any. */
  readonly keptMs: number | undefined;
  /** Of the answer. */
  readonly id: string | undefined;
  /** Its whole input. */
  readonly tokens: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Shorter prompts are not kept. */
const fewestTokens = 1024;
const minute = 60_000;
/** Less than this share of what was expected is a miss: services count in blocks. */
const enough = 0.8;

function keptMs({ plan, request }: Composed, { model }: ChatTarget): number | undefined {
  if (plan.wire === "anthropic-messages") {
    const kept = request.cache?.breakpoints;
    return kept === "1h" ? 60 * minute : kept === true ? 5 * minute : undefined;
  }
  if (plan.provider !== "openai" && plan.provider !== "openai-chat") return undefined;
  // Models of `prompt_cache_options` keep a prompt for 30 minutes if no `ttl` is given.
  return (model.cacheDiagnosis === true ? 30 : 5) * minute;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** What of a request is not as it was in the one before, so that its prompt is not found. */
function whatChanged(last: Composed, next: Composed): string | undefined {
  const [before, now] = [last.request, next.request];
  if (last.plan.provider !== next.plan.provider || before.model !== now.model) return "model";
  if (!isSame(before.thinking, now.thinking)) return "level";
  if (!isSame(before.tools, now.tools)) return "tools";
  if (!isSame(before.system, now.system)) return "system";
  const isLonger = before.messages.every((message, at) => isSame(message, now.messages[at]));
  return isLonger ? undefined : "history";
}

/** What the whole library's agents know about the service's cache. `last` is the prompt before. */
export const cacheWatch = {
  /** The hints of the next request, with the answer that the service is to compare it with. */
  hints(cache: CacheHints, last: CachedPrompt | undefined, { provider }: ChatTarget): CacheHints {
    if (cache.diagnose !== true || last?.composed.plan.provider !== provider.id) return cache;
    return { ...cache, diagnose: last.id ?? true };
  },

  /** What is in the cache now. */
  prompt(
    composed: Composed,
    { id, receipt: { usage = {} } }: ChatResult,
    target: ChatTarget,
    at: number,
  ): CachedPrompt {
    const tokens = (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
    return { composed, keptMs: keptMs(composed, target), id, tokens, at };
  },

  /** How much of what could have been read was read, and why it is less. */
  report(
    last: CachedPrompt | undefined,
    next: CachedPrompt,
    { usage = {}, reported = [] }: Receipt,
  ): CacheReport | undefined {
    if (last?.keptMs === undefined || last.tokens < fewestTokens) return undefined;
    const { tokens: possible } = last;
    const read = usage.cacheRead ?? 0;
    const reason =
      whatChanged(last.composed, next.composed) ??
      (next.at - last.at > last.keptMs ? "too-old" : undefined);
    const predicted = reason === undefined ? possible : 0;
    if (read >= possible * enough) return { possible, predicted, read };
    const said = reported.find(({ type }) => type === "cache_miss")?.reason;
    const miss: CacheMiss =
      reason === undefined
        ? { by: "service", reason: said ?? "unexplained" }
        : { by: "request", reason, ...(said !== undefined && { said }) };
    return { possible, predicted, read, miss };
  },
};
