import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failureOf } from "../../../../test/loopback.ts";
import { type ErrorCategory, MullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import type { Attempt } from "../types/plan.ts";
import { retryAfterMs } from "../wire/common/retry-after.ts";
import {
  createRetryBudget,
  isRetryable,
  type PatientResponse,
  send,
  type SendOptions,
  type SendRequest,
} from "./send.ts";

const categories = new Map<number, ErrorCategory>([
  [400, "invalid_argument"],
  [401, "auth"],
  [402, "quota"],
  [429, "rate_limit"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

const decodeError: SendRequest["decodeError"] = (failure) =>
  new MullError("refused", {
    category: categories.get(failure.status) ?? "server",
    retryAfterMs: retryAfterMs(failure),
  });

interface Run {
  readonly outcome: Promise<PatientResponse>;
  readonly waits: number[];
  readonly attempts: Attempt[];
  readonly calls: () => number;
}

/** Answers with each response in turn, the last one for ever. Waits are recorded, not made. */
function run(
  responses: readonly (() => Response)[],
  options: SendOptions & Partial<Pick<SendRequest, "decodeError" | "retryBudget">> = {},
): Run {
  let calls = 0;
  const waits: number[] = [];
  const attempts: Attempt[] = [];
  const fetch: Fetch = async () => {
    const respond = responses[Math.min(calls++, responses.length - 1)];
    return respond?.() ?? Response.error();
  };
  const outcome = send(
    {
      url: "http://stub.test",
      headers: {},
      body: "{}",
      decodeError: options.decodeError ?? decodeError,
      retryBudget: options.retryBudget,
      attempts,
    },
    {
      fetch,
      random: () => 1,
      sleep: async (ms) => {
        waits.push(ms);
      },
      ...options,
    },
  );
  return { outcome, waits, attempts, calls: () => calls };
}

const refuse =
  (status: number, headers: Record<string, string> = {}, body = "{}") =>
  (): Response =>
    new Response(body, { status, headers });

const accept = (): Response => new Response(new Uint8Array(1));

async function release(work: Promise<PatientResponse>): Promise<void> {
  (await work).lifeline.close();
}

describe("F-R1 F-R2 F-R3: the service's word on waiting", () => {
  test.each<[string, Record<string, string>, string, number]>([
    ["retry-after", { "retry-after": "2" }, "", 2000],
    ["retry-after-ms", { "retry-after-ms": "1500" }, "", 1500],
    ["RetryInfo", {}, '{"retryDelay":"34.4s"}', 34_400],
    ["a text", {}, "Please try again in 644ms.", 644],
    ["a rate limit bucket", { "x-ratelimit-reset-tokens": "12s" }, "", 12_000],
  ])("F-R1: %s is waited out with at most a tenth of jitter", async (_name, headers, body, ms) => {
    for (const random of [0, 0.5, 1]) {
      const { outcome, waits } = run([refuse(429, headers, body), accept], {
        random: () => random,
      });
      await release(outcome);
      expect(waits).toEqual([Math.round(ms * (1 + random / 10))]);
    }
  });

  test.each(["-1", "", "abc", "Infinity", "2026-11-15", "20, 30", "Sun, 06 Nov 1994 08:49:37 GMT"])(
    "F-R2: after retry-after %j the ordinary backoff holds",
    async (value) => {
      const { outcome, waits } = run([refuse(429, { "retry-after": value }), accept]);
      await release(outcome);
      expect(waits).toEqual([500]);
    },
  );

  test("F-R3: asked to wait an hour, the call fails at once and says how long", async () => {
    const { outcome, waits, calls } = run([refuse(429, { "retry-after": "3600" })]);
    expect(await failureOf(outcome)).toMatchObject({
      category: "rate_limit",
      retryAfterMs: 3_600_000,
      retryable: true,
    });
    expect([waits, calls()]).toEqual([[], 1]);
  });

  test("F-R3: the cap is an option", async () => {
    const patient = run([refuse(429, { "retry-after": "90" }), accept], { maxWaitMs: 100_000 });
    await release(patient.outcome);
    expect(patient.waits).toEqual([99_000]);
  });
});

describe("F-R5 F-R6 F-R7: what is retried", () => {
  test.each<ErrorCategory>(["quota", "invalid_argument"])(
    "F-R5: a 429 that is %s: one call",
    async (category) => {
      const { outcome, calls } = run([refuse(429)], {
        decodeError: () => new MullError("no", { category }),
      });
      expect(await failureOf(outcome)).toMatchObject({ category, retryable: false });
      expect(calls()).toBe(1);
    },
  );

  test.each<[number, string, number]>([
    [400, "true", 3],
    [500, "false", 1],
    [429, "false", 1],
    [418, "true", 3],
    [503, "maybe", 3],
  ])("F-R6: %i with x-should-retry %s makes %i calls", async (status, word, calls) => {
    const attempt = run([refuse(status, { "x-should-retry": word })]);
    expect((await failureOf(attempt.outcome)).retryable).toBe(calls > 1);
    expect(attempt.calls()).toBe(calls);
  });

  test("F-R6: an empty account beats x-should-retry", () => {
    expect(isRetryable(429, "quota", "true")).toBe(false);
  });

  test.each([408, 409, 429, 500, 502, 503, 504, 529])("F-R7: %i is retried", async (status) => {
    const { outcome, calls } = run([refuse(status), accept]);
    await release(outcome);
    expect(calls()).toBe(2);
  });

  test.each([400, 401, 402, 404, 413, 422, 501])("F-R7: %i is not", async (status) => {
    const { outcome, calls } = run([refuse(status)]);
    expect((await failureOf(outcome)).status).toBe(status);
    expect(calls()).toBe(1);
  });

  test("F-R7: 529 three times is overloaded after 3 calls, each on the list", async () => {
    const { outcome, waits, attempts } = run([refuse(529, { "request-id": "r1" })]);
    const error = await failureOf(outcome);
    expect(error).toMatchObject({ category: "overloaded", status: 529, requestId: "r1" });
    expect(waits).toEqual([500, 1000]);
    expect(attempts).toEqual([
      { status: 529, error: "overloaded" },
      { status: 529, error: "overloaded", waitedMs: 500 },
      { status: 529, error: "overloaded", waitedMs: 1000 },
    ]);
  });

  test("F-R7: the backoff doubles from 0.5 s to 8 s", async () => {
    const { outcome, waits } = run([refuse(500)], { maxAttempts: 8 });
    await failureOf(outcome);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test("F-R7: full jitter: two clients that started together fall out of step", async () => {
    const waits = await Promise.all(
      [0.11, 0.83].map(async (random) => {
        const client = run([refuse(500)], { random: () => random });
        await failureOf(client.outcome);
        return client.waits;
      }),
    );
    expect(waits).toEqual([
      [55, 110],
      [415, 830],
    ]);
  });

  test("a wait that would overstep the total limit is not begun", async () => {
    const { outcome, waits } = run([refuse(500)], { limits: { totalMs: 400 } });
    expect((await failureOf(outcome)).category).toBe("server");
    expect(waits).toEqual([]);
  });
});

describe("F-R10: the retry budget", () => {
  test("1,000 sends at once to a dead service make at most 1.5 times as many calls", async () => {
    const retryBudget = createRetryBudget();
    const sends = Array.from({ length: 1000 }, () => run([refuse(503)], { retryBudget }));
    await Promise.all(sends.map(async ({ outcome }) => failureOf(outcome)));
    const calls = sends.reduce((sum, each) => sum + each.calls(), 0);
    expect(calls).toBe(1010);
  });

  test("successes fill it again, up to its size", async () => {
    const retryBudget = createRetryBudget(1);
    expect([retryBudget.take(), retryBudget.take()]).toEqual([true, false]);
    for (let i = 0; i < 10; i++) await release(run([accept], { retryBudget }).outcome);
    expect([retryBudget.take(), retryBudget.take()]).toEqual([true, false]);
  });
});

describe("F-R12: the wall clock may jump", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([-3_600_000, 3_600_000])(
    "by %i ms: waits and limits keep their length",
    async (jump) => {
      const { outcome, calls } = run([refuse(503), accept], {
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            expect(signal.aborted).toBe(false);
            setTimeout(resolve, ms);
          }),
        limits: { totalMs: 10_000 },
      });
      await vi.advanceTimersByTimeAsync(100);
      const monotonic = performance.now();
      vi.setSystemTime(Date.now() + jump);
      expect(performance.now()).toBe(monotonic);
      await vi.advanceTimersByTimeAsync(300);
      expect(calls()).toBe(1);
      await vi.advanceTimersByTimeAsync(200);
      expect(calls()).toBe(2);
      await release(outcome);
    },
  );
});

test.each([
  ["maxAttempts", { maxAttempts: Number.NaN }],
  ["maxAttempts", { maxAttempts: 0 }],
  ["maxWaitMs", { maxWaitMs: -1 }],
])("P-A15 a %s that means nothing is refused before anything is sent", async (field, options) => {
  const { outcome, calls } = run([accept], options);
  await expect(outcome).rejects.toMatchObject({ code: "INVALID_ARG", field });
  expect(calls()).toBe(0);
});
