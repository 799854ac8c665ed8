import { isMullError, type ErrorCategory } from "../types/error.ts";
import type { Finish } from "../types/event.ts";
import type { FallbackReason } from "../types/plan.ts";

/** How asking a model ended, for the decision whether the next one is asked. */
export interface AskedModel {
  /** What was thrown. */
  readonly error?: unknown;
  /** How the answer ended, if there is one. */
  readonly finish?: Finish | undefined;
  /** A reader has seen a part of the answer: another answer after it would read like nonsense. */
  readonly hasShownText?: boolean | undefined;
}

/** Failures that another model may not have. A wrong request, key or address fails again, and you must see it. */
const reasons: Readonly<Record<ErrorCategory, FallbackReason | undefined>> = {
  overloaded: "outage",
  server: "outage",
  network: "outage",
  timeout: "outage",
  protocol: "outage",
  rate_limit: "rate-limit",
  quota: "quota",
  content_filter: "refusal",
  auth: undefined,
  permission: undefined,
  invalid_argument: undefined,
  not_found: undefined,
  context_overflow: undefined,
  aborted: undefined,
  unknown: undefined,
};

/** The caller's own limits and the caller's own `fetch`: another model would meet the same. */
const own: ReadonlySet<string | undefined> = new Set([
  "signal",
  "totalMs",
  "budget",
  "no_response",
  "body_used",
  "event_too_large",
  "response_too_large",
]);

/**
 * Why the next model may be asked after this one: an outage, a rate limit, an empty account or a
 * refusal. `undefined`: what happened stands, also because a part of the answer was shown.
 */
export function whyNextModel({
  error,
  finish,
  hasShownText,
}: AskedModel): FallbackReason | undefined {
  if (hasShownText === true) return undefined;
  if (error === undefined) {
    return finish?.reason === "refusal" || finish?.reason === "content-filter"
      ? "refusal"
      : undefined;
  }
  return isMullError(error) && !own.has(error.code) ? reasons[error.category] : undefined;
}
