import type { GatewayReceipt } from "@mull/gateway";
import { describe, expect, test } from "vitest";

import { receiptLine, summaryLine } from "./receipt-line.ts";

const receipt = (fields: Partial<GatewayReceipt> = {}): GatewayReceipt => ({
  id: "req_1",
  startedAt: new Date(2026, 10, 18, 12, 4, 31).getTime(),
  wire: "anthropic-messages",
  action: "generate",
  asked: "claude-opus-5-5",
  provider: "openai",
  model: "gpt-6-sol",
  level: "high",
  lane: "translate",
  stream: true,
  status: 200,
  repairs: [],
  withheld: [],
  changes: [],
  notes: [],
  seals: { opened: 0, broken: 0, carried: 0, lost: [] },
  fallbacks: [],
  usage: { input: 1345, cacheRead: 11_000, output: 600, thinking: 78 },
  cost: { total: 0.0123, input: 0.01, output: 0.0023 } as NonNullable<GatewayReceipt["cost"]>,
  totalMs: 3400,
  ...fields,
});

describe("the line of a request", () => {
  test("says who asked for what, who answered, and what it cost", () => {
    expect(receiptLine(receipt())).toBe(
      "12:04:31 200 claude-opus-5-5 → gpt-6-sol/high · 12,345 in (11,000 cached), 678 out · $0.0123 · 3.4 s",
    );
  });

  test("one name where the request went through as it was", () => {
    const passed = receipt({ asked: "gpt-6-sol", lane: "pass" });
    expect(receiptLine(passed)).toMatch(/^12:04:31 200 gpt-6-sol\/high · /);
  });

  test("P-A15 says what was repaired, kept, withheld, lost and answered by another", () => {
    const changed = receipt({
      repairs: [{ rule: "anthropic/thinking-first", detail: "" }] as never,
      withheld: [
        {
          code: "thinking-withheld",
          message: 1,
          detail: "thought of gpt-6-sol: it carries no seal",
        },
      ],
      seals: { opened: 2, broken: 1, carried: 0, lost: ["a seal"] },
      fallbacks: [{ model: "anthropic:claude-opus-5-5", error: "overloaded" }],
    });
    expect(receiptLine(changed)).toContain(
      "2 thoughts kept · 1 seal of another MULL_GATEWAY_SECRET, or damaged · 1 repaired · 1 thought withheld: it carries no seal · 1 seal lost · instead of anthropic:claude-opus-5-5",
    );
  });

  test("what no model was asked is said once, and so is a name", () => {
    const {
      usage: _usage,
      cost: _cost,
      model: _model,
      level: _level,
      ...refused
    } = receipt({ status: 404, asked: "", action: "none", lane: "none" });
    expect(receiptLine(refused)).toBe("12:04:31 404 refused · 3.4 s");
    expect(receiptLine({ ...refused, status: 200, action: "models" })).toBe(
      "12:04:31 200 models · 3.4 s",
    );
    const early = { ...refused, asked: "gpt-6-sol", model: "gpt-6-sol", action: "count" } as const;
    expect(receiptLine(early)).toBe("12:04:31 404 gpt-6-sol · count · 3.4 s");
  });

  test("nothing a client or a service says begins another line, or moves the cursor", () => {
    const forged = receipt({
      asked: "a\n12:04:32 200 forged\u001b[2J",
      error: { category: "server", message: "first\r\nsecond\u202e" },
    });
    expect(receiptLine(forged)).toContain("200 a 12:04:32 200 forged␛[2J → gpt-6-sol/high");
    expect(receiptLine(forged)).toContain("✗ first second<U+202E>");
    const { model: _model, ...unnamed } = forged;
    expect(summaryLine([unnamed])).toContain("a 12:04:32 200 forged␛[2J · 1 request");
  });

  test("a failure is its sentence", () => {
    const {
      usage: _usage,
      cost: _cost,
      ...failed
    } = receipt({
      status: 529,
      error: { category: "overloaded", message: "Overloaded" },
    });
    expect(receiptLine(failed)).toBe(
      "12:04:31 529 claude-opus-5-5 → gpt-6-sol/high · ✗ Overloaded · 3.4 s",
    );
  });
});

describe("the line of a whole run", () => {
  test("adds up requests, tokens and dollars", () => {
    expect(summaryLine([receipt(), receipt()])).toBe(
      "gpt-6-sol/high · 2 requests · 24,690 in (22,000 cached), 1,356 out · $0.0246",
    );
  });

  test("is an `at least` where a request has no price", () => {
    const { cost: _cost, ...unpriced } = receipt({ model: "own" });
    expect(summaryLine([receipt(), unpriced])).toContain("· at least $0.0123");
  });

  test("counts failures, and leaves out what asked no model", () => {
    const failed = receipt({ status: 401, error: { category: "auth", message: "no" } });
    expect(summaryLine([receipt({ action: "models" }), failed])).toContain("1 request · ");
    expect(summaryLine([failed])).toContain("· 1 failed: no");
    expect(summaryLine([receipt({ action: "none" })])).toBe("nothing was asked");
  });
});
