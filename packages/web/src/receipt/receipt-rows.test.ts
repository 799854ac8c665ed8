import { planThinking } from "mull";
import { describe, expect, it } from "vitest";
import { asCurl, asTest } from "./copy-forms.ts";
import { describeEmptyStop, describeSpent } from "./describe-spent.ts";
import { listRows } from "./receipt-rows.ts";
import { isStepReceipt, warnOf, type StepReceipt } from "./step-receipt.ts";

const step = (
  level: "none" | "med",
  change: Partial<StepReceipt["receipt"]> = {},
): StepReceipt => ({
  receipt: {
    plan: planThinking({ model: "claude-opus-5-5", level }),
    sent: { max_tokens: 16_384 },
    withheld: [],
    changes: [],
    repairs: [],
    attempts: [],
    notes: [],
    ...change,
  },
  usage: { input: 1204, cacheRead: 1024, thinking: 96, thinkingSource: "reported", output: 311 },
  timing: { firstMs: 600, totalMs: 3200 },
});

const rowOf = (given: StepReceipt, name: string): readonly string[] =>
  listRows(given).flatMap((row) => (row.name === name ? [row.value] : []));

describe("the receipt", () => {
  it("says what was asked, applied, counted and how long it took", () => {
    const given = step("none");
    expect(rowOf(given, "asked")).toEqual(["none"]);
    expect(rowOf(given, "applied")).toEqual(["low"]);
    expect(rowOf(given, "tokens")).toEqual([
      "in 1,204 · cache 1,024 · thinking 96 reported · out 311",
    ]);
    expect(rowOf(given, "time")).toEqual(["first token 0.6 s · total 3.2 s"]);
    expect(rowOf(given, "repaired")).toEqual(["nothing"]);
    expect(rowOf(given, "cost")).toEqual(["not known"]);
  });

  it("says of a step that broke off what it took at least", () => {
    const cost = { total: 0.0043, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, thinking: 0 };
    const given: StepReceipt = {
      ...step("med", { unfinished: true }),
      usage: {
        input: 950,
        thinking: 120,
        thinkingSource: "estimated",
        output: 40,
        estimated: true,
      },
      cost: { ...cost, estimated: true, atLeast: true },
    };
    expect(rowOf(given, "cost")).toEqual(["broke off · at least ~$0.0043"]);
    expect(rowOf(given, "tokens")).toEqual(["in ~950 · thinking 120 estimated · out ~40"]);
    const facts = { state: "stopped", cost: 0.0043, usage: given.usage } as const;
    const turn = { facts, blocks: [], steps: [given] };
    expect(describeSpent(turn)).toBe("stopped · at least ~$0.0043");
    expect(describeEmptyStop(turn)).toBe(
      "Stopped before anything arrived; it cost at least ~$0.0043.",
    );
    const whole = { ...facts, state: "done", usage: { input: 950 } } as const;
    const unpriced = { facts: whole, blocks: [], steps: [step("med")] };
    expect(describeSpent(unpriced)).toBe("at least $0.0043");
    const unknown = { facts: {}, blocks: [], steps: [] };
    expect(describeSpent(unknown)).toBeUndefined();
    expect(describeEmptyStop(unknown)).toBe("Stopped before anything arrived.");
  });

  it("never shows an unknown count as zero", () => {
    expect(rowOf({ ...step("med"), usage: {} }, "tokens")).toEqual(["thinking not reported"]);
  });

  it("counts what was withheld for the same reason", () => {
    const change = { code: "withheld", message: 0, detail: "sealed thought of gpt-6-sol" };
    expect(rowOf(step("med", { withheld: [change, change] }), "withheld")).toEqual([
      "2 × sealed thought of gpt-6-sol",
    ]);
  });

  it("warns in the thread only where something was not as asked", () => {
    expect(warnOf([step("med")])).toBeUndefined();
    expect(warnOf([step("med"), step("none")])).toMatch(/^asked none, got low: /);
    const repairs = [{ rule: "anthropic/leading-thinking", detail: "thinking was turned off" }];
    expect(warnOf([step("med", { repairs })])).toBe("repaired: thinking was turned off");
  });

  it("knows a receipt from anything else", () => {
    expect(isStepReceipt(step("med"))).toBe(true);
    for (const other of [undefined, null, {}, { finish: {} }, { receipt: {} }, "x"]) {
      expect(isStepReceipt(other)).toBe(false);
    }
  });
});

describe("a request to take away", () => {
  const request = {
    path: "/v1/messages",
    body: { messages: [{ role: "user", content: "it's $HOME `id`" }] },
    wire: "anthropic-messages",
    model: "claude-opus-5-5",
    level: "med",
  } as const;

  it("is a command whose text no shell reads, and whose key is a variable", () => {
    const curl = asCurl(request);
    expect(curl).toContain(`it'\\''s $HOME`);
    expect(curl).toContain("$ANTHROPIC_API_KEY");
  });

  it("is a test", () => {
    expect(asTest(request)).toContain(`findModel("claude-opus-5-5")`);
  });
});
