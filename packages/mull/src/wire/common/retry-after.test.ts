import { describe, expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const date = "Sun, 15 Nov 2026 10:00:00 GMT";
const wait = (headers: Record<string, string>, body = "", status = 429): number | undefined =>
  retryAfterMs({ status, headers: { date, ...headers }, body });

const retryInfo = (retryDelay: string): string =>
  JSON.stringify({
    error: {
      code: 429,
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }],
    },
  });

describe("F-R1: how long a service asks us to wait", () => {
  test.each<[string, Record<string, string>, string, number]>([
    ["whole seconds", { "retry-after": "20" }, "", 20_000],
    ["decimal seconds", { "retry-after": "1.5" }, "", 1500],
    ["an HTTP date", { "retry-after": "Sun, 15 Nov 2026 10:00:30 GMT" }, "", 30_000],
    ["milliseconds", { "retry-after-ms": "250" }, "", 250],
    ["RetryInfo in seconds", {}, retryInfo("34.4s"), 34_400],
    ["RetryInfo in milliseconds", {}, retryInfo("900ms"), 900],
    ["RetryInfo inside a quoted body", {}, JSON.stringify({ raw: retryInfo("7s") }), 7000],
    ["pretty-printed RetryInfo", {}, '{\n  "retryDelay": "3s"\n}', 3000],
    ["text in milliseconds", {}, "Rate limit reached. Please try again in 644ms.", 644],
    ["text in seconds", {}, "Please retry in 34.4s", 34_400],
    ["text in minutes and seconds", {}, "Please try again in 1m26.4s. Visit", 86_400],
    ["text in words", {}, "Please retry after 9 seconds.", 9000],
    ["a Go duration", { "x-ratelimit-reset-requests": "6m0s" }, "", 360_000],
  ])("%s", (_form, headers, body, expected) => {
    expect(wait(headers, body)).toBe(expected);
  });

  test("the first usable form wins, in the documented order", () => {
    const all = {
      "retry-after-ms": "1",
      "retry-after": "2",
      "x-ratelimit-reset-tokens": "5s",
    };
    const body = `${retryInfo("3s")} try again in 4s`;
    expect(wait(all, body)).toBe(1);
    expect(wait({ ...all, "retry-after-ms": "x" }, body)).toBe(2000);
    expect(wait({ ...all, "retry-after-ms": "x", "retry-after": "" }, body)).toBe(3000);
    expect(wait({ "x-ratelimit-reset-tokens": "5s" }, "try again in 4s")).toBe(4000);
    expect(wait({ "x-ratelimit-reset-tokens": "5s" })).toBe(5000);
  });

  test("of several buckets the empty one decides, else the longest", () => {
    const resets = { "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "2s" };
    expect(wait({ ...resets, "x-ratelimit-remaining-tokens": "0" })).toBe(2000);
    expect(wait(resets)).toBe(360_000);
  });

  test("buckets are on every answer and mean nothing on a failure that isn't a rate limit", () => {
    expect(wait({ "x-ratelimit-reset-requests": "6m0s" }, "", 500)).toBeUndefined();
  });

  test("a date is compared with the answer's own date, else with the clock", () => {
    const headers = {
      date: "Mon, 01 Jan 2001 00:00:00 GMT",
      "retry-after": "Mon, 01 Jan 2001 00:00:05 GMT",
    };
    expect(retryAfterMs({ status: 503, headers, body: "" })).toBe(5000);
    expect(retryAfterMs({ status: 503, headers: { ...headers, date }, body: "" })).toBeUndefined();
    const future = new Date(Date.now() + 30_000).toUTCString();
    const withoutDate = retryAfterMs({ status: 503, headers: { "retry-after": future }, body: "" });
    expect(withoutDate).toBeGreaterThan(0);
    expect(withoutDate).toBeLessThanOrEqual(30_000);
  });
});

describe("F-R2: unusable forms leave the ordinary backoff", () => {
  test.each([
    "-5",
    "",
    "abc",
    "Infinity",
    "NaN",
    "1e3",
    "0x10",
    "0",
    "2026-11-15T10:00:30Z",
    "20, 30",
    "6m0s",
    "Sun, 15 Nov 2026 09:59:30 GMT",
    "Sun, 99 Nov 2026 10:00:30 GMT",
    "9".repeat(400),
  ])("retry-after: %s", (value) => {
    expect(wait({ "retry-after": value })).toBeUndefined();
    expect(wait({ "retry-after-ms": value })).toBeUndefined();
  });

  test.each(["-34s", "", "s", "34", "34 parsecs", "3.4.5s", "1x", "12n", "0s"])(
    "a delay of %j in the body",
    (value) => {
      expect(wait({}, retryInfo(value))).toBeUndefined();
      expect(wait({}, `Please retry in ${value}`)).toBeUndefined();
    },
  );

  test("a reset that isn't a duration", () => {
    expect(wait({ "x-ratelimit-reset-requests": "2026-11-15T10:00:30Z" })).toBeUndefined();
    expect(wait({ "x-ratelimit-reset": "6m0s" })).toBeUndefined();
  });
});
