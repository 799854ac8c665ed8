import { describe, expect, test } from "vitest";

import type { Outcome } from "./ask.ts";
import {
  checkCallId,
  checkError,
  checkStructure,
  checkThinking,
  checkToolCall,
  checkUsage,
} from "./checks.ts";
import { checkDeltas, checkEventOrder } from "./check-events.ts";
import { ContractFailure } from "./contract-failure.ts";
import { playScenario } from "./play-scenario.ts";
import { isContractSkipped, skipVariables, skipWarning } from "./skip.ts";

const wire = "google-generate";

const failureOf = (check: () => void): ContractFailure => {
  try {
    check();
  } catch (error) {
    if (error instanceof ContractFailure) return error;
  }
  throw new Error("the check passed");
};

const played = (name: string): Promise<Outcome> => playScenario(`google/test_contract_${name}`);

const withReply = (outcome: Outcome, change: object): Outcome => ({
  ...outcome,
  reply: { ...outcome.reply!, ...change },
});

describe("R330 a contract failure", () => {
  test("names the field, both values, and shows request and response whole", async () => {
    const outcome = await played("simple_text");
    const broken = withReply(outcome, { usage: { input: 1 } });
    const failure = failureOf(() => checkUsage(broken, wire));
    expect(failure.field).toBe("usage");
    expect(failure.message).toContain("expected: {");
    expect(failure.message).toContain("actual:   {");
    expect(failure.message).toContain("What is 2+2?");
    expect(failure.message).toContain(outcome.exchanges[0]?.response.text);
    expect(failure.message).toMatch(/--- request 1: POST https:.*:generateContent/);
    expect(failure.message).toContain("--- response 1: 200");
  });

  test("names the event whose place is wrong", async () => {
    const outcome = await played("streaming_text");
    const reversed = { ...outcome, events: outcome.events.toReversed() };
    expect(failureOf(() => checkEventOrder(reversed, wire)).field).toBe("first event");
    const lost = { ...outcome, events: outcome.events.filter(({ type }) => type !== "text") };
    expect(failureOf(() => checkDeltas(lost, wire, "text")).field).toBe("text deltas");
  });

  test("no check passes on what it should refuse", async () => {
    const text = await played("simple_text");
    const call = await played("tool_call");
    const empty = withReply(text, { message: { role: "assistant", parts: [] } });
    expect(failureOf(() => checkStructure(empty, wire)).field).toBe("text");
    expect(failureOf(() => checkThinking(text, wire)).field).toBe("thinking");
    expect(failureOf(() => checkToolCall(call, wire, [])).field).toBe("tool calls");
    expect(failureOf(() => checkCallId(text, "call_1")).field).toBe("id");
    expect(failureOf(() => checkCallId(text, "A".repeat(22))).field).toBe("version of the UUID");
    const auth = { status: 403, category: "auth", message: "key" } as const;
    expect(failureOf(() => checkError(text, auth)).field).toBe("error");
  });
});

describe("R331 R332 D21 the skip switch", () => {
  test("both names turn the suites off, nothing else does", () => {
    for (const name of skipVariables) expect(isContractSkipped({ [name]: "1" })).toBe(true);
    expect(isContractSkipped({})).toBe(false);
    expect(isContractSkipped({ MULL_SKIP_CONTRACT_VALIDATION: "0" })).toBe(false);
  });

  test("the warning cannot be overlooked", () => {
    expect(skipWarning).toContain("CONTRACT VALIDATION IS SKIPPED");
    expect(skipWarning.split("\n")[0]).toMatch(/^!{70,}$/);
  });
});
