import type { HttpFailure } from "../../types/http.ts";

/**
 * How long a service asks us to wait, in whole milliseconds. The first usable form wins:
 *
 * 1. `retry-after-ms`, a strict decimal
 * 2. `retry-after`, a strict decimal of seconds or a strict HTTP date
 * 3. Google's `RetryInfo` in the body (`"retryDelay": "34.4s"`)
 * 4. a hint in the text (`try again in 644ms`, `Please retry in 34.4s`, `retry after 9 seconds`)
 * 5. `x-ratelimit-reset-*` durations (`6m0s`) of a 429
 *
 * Anything else, and every wait that is not longer than zero, is `undefined`: the ordinary backoff
 * holds. A date is compared with the answer's own `date` header, because the local clock may be wrong.
 */
export function retryAfterMs(failure: HttpFailure): number | undefined {
  const { headers, body } = failure;
  const wait =
    retryHeaderMs(headers) ??
    positive(duration(retryDelay.exec(body)?.[1])) ??
    positive(duration(textHint.exec(body)?.[1])) ??
    (failure.status === 429 ? positive(longestReset(headers)) : undefined);
  return wait === undefined ? undefined : Math.ceil(wait);
}

/** Gateways put the service's body into a string, so its quotes may be escaped. */
const retryDelay = /"retryDelay\\?"\s{0,9}:\s{0,9}\\?"([\d.hmsun]{2,32})\\?"/;
const textHint =
  /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|[smh]))+|\d+(?:\.\d+)? ?(?:milliseconds?|seconds?|minutes?|hours?))\b/i;

/** Words are shortened to these: `20 seconds` is `20s`. */
const unitMs = new Map([
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
  ["us", 1e-3],
  ["ns", 1e-6],
]);

const goDuration = /^(?:\d+(?:\.\d+)?[a-z]+)+$/;

/** `34.4s`, `6m0s`, `1h2m3.5s`, `900ms`, `20 seconds`. */
function duration(text: string | undefined): number | undefined {
  const compact = text
    ?.toLowerCase()
    .replace(/ ?(?:(m)illi(s)econds?|([hms])(?:our|inute|econd)s?)$/, "$1$2$3");
  if (compact === undefined || !goDuration.test(compact)) return undefined;
  let total = 0;
  for (const [, count, unit = ""] of compact.matchAll(/([\d.]+)([a-z]+)/g)) {
    total += Number(count) * (unitMs.get(unit) ?? NaN);
  }
  return total;
}

const resetPrefix = "x-ratelimit-reset-";

/**
 * A bucket with nothing remaining decides. Where no header says which one that is, it is the longest
 * reset, because waiting less would be refused again.
 */
function longestReset(headers: HttpFailure["headers"]): number | undefined {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const wait = name.startsWith(resetPrefix) ? duration(value) : undefined;
    if (wait === undefined) return [];
    return [
      { wait, empty: headers[`x-ratelimit-remaining-${name.slice(resetPrefix.length)}`] === "0" },
    ];
  });
  const empty = resets.filter((reset) => reset.empty);
  const deciding = empty.length > 0 ? empty : resets;
  return deciding.length === 0 ? undefined : Math.max(...deciding.map((reset) => reset.wait));
}

/** The wait that `retry-after-ms` or `retry-after` asks for, in milliseconds. */
export function retryHeaderMs(headers: HttpFailure["headers"]): number | undefined {
  const wait =
    positive(decimal(headers["retry-after-ms"])) ??
    positive(secondsOrDate(headers["retry-after"], headers["date"]));
  return wait === undefined ? undefined : Math.ceil(wait);
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;

/** `parseFloat` would read `2026-01-01` as 2026 and `6m0s` as 6. */
const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

const httpDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

const parseDate = (text: string | undefined): number | undefined =>
  text !== undefined && httpDate.test(text.trim()) ? Date.parse(text) : undefined;

function secondsOrDate(text: string | undefined, servedAt: string | undefined): number | undefined {
  const seconds = decimal(text);
  if (seconds !== undefined) return seconds * 1000;
  const until = parseDate(text);
  if (until === undefined) return undefined;
  return until - (parseDate(servedAt) ?? Date.now());
}
