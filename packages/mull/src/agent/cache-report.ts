import type { Composed } from "../chat/compose.ts";
import type { CacheMiss, CacheReport, Receipt } from "../types/plan.ts";

/** A request that was answered, and may have left its prompt in the service's cache. */
export interface CachedPrompt {
  readonly composed: Composed;
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

/** How long a prompt is kept at least; `undefined` where the service does not say that it keeps any. */
function keptMs({ plan, request }: Composed): number | undefined {
  if (plan.wire === "anthropic-messages") {
    const kept = request.cache?.breakpoints;
    return kept === "1h" ? 60 * minute : kept === true ? 5 * minute : undefined;
  }
  return plan.provider === "openai" || plan.provider === "openai-chat" ? 5 * minute : undefined;
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

/** Compares what could have been read from the cache with what was, and says why it is less. */
export function reportCache(
  last: CachedPrompt | undefined,
  next: CachedPrompt,
  receipt: Receipt,
): CacheReport | undefined {
  const kept = last && keptMs(last.composed);
  if (last === undefined || kept === undefined || last.tokens < fewestTokens) return undefined;
  const { usage = {}, reported = [] } = receipt;
  const { tokens: possible } = last;
  const read = usage.cacheRead ?? 0;
  const changed = whatChanged(last.composed, next.composed);
  const reason = changed ?? (next.at - last.at > kept ? "too-old" : undefined);
  const predicted = reason === undefined ? possible : 0;
  if (read >= possible * enough) return { possible, predicted, read };
  const said = reported.find(({ type }) => type === "cache_miss")?.reason ?? "unexplained";
  const miss: CacheMiss =
    reason === undefined ? { by: "service", reason: said } : { by: "request", reason };
  return { possible, predicted, read, miss };
}

/** The prompt that a request leaves behind. */
export const cachedPrompt = (
  composed: Composed,
  { usage = {} }: Receipt,
  at: number,
): CachedPrompt => ({
  composed,
  tokens: (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0),
  at,
});
