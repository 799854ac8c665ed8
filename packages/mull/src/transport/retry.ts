import { invalidArgument, type ErrorCategory, type MullError } from "../types/error.ts";

/**
 * Limits retries while a service is down. Each retry takes a token, each success returns half of
 * one. Share one budget among the calls of a client.
 */
export interface RetryBudget {
  readonly take: () => boolean;
  readonly refill: () => void;
}

/** Makes a retry budget that starts with this many retries. */
export function createRetryBudget(capacity = 10): RetryBudget {
  if (!Number.isFinite(capacity)) throw invalidArgument("capacity", capacity, "a number");
  let tokens = capacity;
  return {
    take: () => {
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    refill: () => {
      tokens = Math.min(capacity, tokens + 0.5);
    },
  };
}

const mostPlaces = 1000;

/** Keeps one budget for each address; the oldest is forgotten first. */
export function createBudgets(): (place: string) => RetryBudget {
  const known = new Map<string, RetryBudget>();
  return (place) => {
    const budget = known.get(place) ?? createRetryBudget();
    if (known.size >= mostPlaces && !known.has(place)) known.delete(known.keys().next().value!);
    known.set(place, budget);
    return budget;
  };
}

const retryStatuses: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/** Never retried, whatever the status: a 429 may also mean that the account is empty or the request too large. */
const finalCategories: ReadonlySet<ErrorCategory> = new Set([
  "quota",
  "auth",
  "permission",
  "invalid_argument",
  "not_found",
  "context_overflow",
  "content_filter",
]);

/**
 * Whether a failure may be retried. `x-should-retry` beats the status, but not an empty account or
 * a request larger than a minute's allowance: "Request too large … on tokens per min".
 */
export function isRetryable(
  status: number,
  category: ErrorCategory,
  shouldRetry?: string,
): boolean {
  if (category === "quota" || (status === 429 && category === "invalid_argument")) return false;
  if (shouldRetry === "true" || shouldRetry === "false") return shouldRetry === "true";
  return retryStatuses.has(status) && !finalCategories.has(category);
}

const firstBackoffMs = 500;
const longestBackoffMs = 8000;

/**
 * How long to wait before retry number `retry` (from 0): what the service asks for plus at most a
 * tenth, else a random time up to a growing limit, so that clients fall out of step.
 */
export function waitBeforeRetry(error: MullError, retry: number, random: () => number): number {
  const asked = error.retryAfterMs;
  if (asked !== undefined) return asked * (1 + random() * 0.1);
  return random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
}
