import type { HttpFailure } from "../../types/http.ts";

/** The wait that `retry-after-ms` or `retry-after` asks for, in milliseconds. */
export function retryHeaderMs(headers: HttpFailure["headers"], nowMs?: number): number | undefined {
  const wait =
    positive(decimal(headers["retry-after-ms"])) ??
    positive(secondsOrDate(headers["retry-after"], nowMs, headers["date"]));
  return wait === undefined ? undefined : Math.ceil(wait);
}

export const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;

/** `parseFloat` would read `2026-01-01` as 2026 and `6m0s` as 6. */
const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

const httpDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

const parseDate = (text: string | undefined): number | undefined =>
  text !== undefined && httpDate.test(text.trim()) ? Date.parse(text) : undefined;

function secondsOrDate(
  text: string | undefined,
  nowMs: number | undefined,
  servedAt: string | undefined,
): number | undefined {
  const seconds = decimal(text);
  if (seconds !== undefined) return seconds * 1000;
  const until = parseDate(text);
  if (until === undefined) return undefined;
  return until - (nowMs ?? parseDate(servedAt) ?? Date.now());
}
