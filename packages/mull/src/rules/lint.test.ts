import { describe, expect, test } from "vitest";
import type { JsonValue, MutableJsonObject } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import { lint, repair } from "./lint.ts";

interface Case {
  readonly wire: WireId;
  readonly model: string;
  /** The field with the conversation, and its beginning. */
  readonly field: string;
  readonly question: JsonValue;
  /** A result that answers nothing, and the rule that says so. */
  readonly orphan: JsonValue;
  readonly rule: string;
}

const cases: readonly Case[] = [
  {
    wire: "anthropic-messages",
    model: "claude-opus-5-5",
    field: "messages",
    question: { role: "user", content: "Hi" },
    orphan: { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }] },
    rule: "anthropic/tool-result-orphan",
  },
  {
    wire: "openai-responses",
    model: "gpt-5.5",
    field: "input",
    question: { role: "user", content: "Hi" },
    orphan: { type: "function_call_output", call_id: "a", output: "1" },
    rule: "openai/output-called",
  },
  {
    wire: "openai-chat",
    model: "deepseek-v4-pro",
    field: "messages",
    question: { role: "user", content: "Hi" },
    orphan: { role: "tool", tool_call_id: "a", content: "1" },
    rule: "openai-chat/orphan-result",
  },
  {
    wire: "google-generate",
    model: "gemini-3.5-pro",
    field: "contents",
    question: { role: "user", parts: [{ text: "Hi" }] },
    orphan: { role: "user", parts: [{ functionResponse: { name: "f", response: { n: 1 } } }] },
    rule: "google/function-response-order",
  },
];

describe.each(cases)("P-A15 lint on $wire", ({ wire, model, field, question, orphan, rule }) => {
  const bodyOf = (...list: readonly JsonValue[]): MutableJsonObject => ({
    ...(wire !== "google-generate" && { model }),
    ...(wire === "anthropic-messages" && { max_tokens: 100 }),
    [field]: list,
  });
  const rulesBroken = (body: MutableJsonObject): readonly string[] =>
    lint({ wire, body, model }).findings.map((finding) => finding.rule);

  test("looks at the body as it is now, also when it was changed in place", () => {
    const body = bodyOf(question);
    expect(rulesBroken(body)).not.toContain(rule);
    (body[field] as JsonValue[]).push(orphan);
    expect(rulesBroken(body)).toContain(rule);
  });

  test("reads past what isn't an object", () => {
    expect(rulesBroken(bodyOf(question, "stray", null, orphan))).toContain(rule);
  });

  test("repairs a request that has only results without a call to one that has their words", () => {
    const { ok, body } = repair({ wire, body: bodyOf(orphan, orphan), model });
    expect(ok).toBe(true);
    expect(body[field]).not.toEqual([]);
    expect(JSON.stringify(body[field])).toContain("1");
  });

  test("a request without a message is refused", () => {
    expect(lint({ wire, body: bodyOf(), model }).ok).toBe(false);
  });
});

test("P-A15 lint takes one message with more faults than a call takes arguments", () => {
  const content = Array.from({ length: 200_000 }, () => 1);
  const { findings } = lint({
    wire: "openai-chat",
    body: { model: "gpt-5", messages: [{ role: "user", content }] },
  });
  expect(findings.length).toBeGreaterThanOrEqual(200_000);
});

describe("P-A15 lint reads headers in every form a program has them in", () => {
  const odd = "interleaved-thinking-2024-01-01";
  test.each([
    ["by name", { "Anthropic-Beta": odd }],
    ["as a Headers", new Headers({ "anthropic-beta": odd })],
    ["as a Map", new Map([["Anthropic-Beta", odd]])],
    ["as pairs", [["anthropic-beta", odd]] as const],
  ])("%s", (_form, headers) => {
    const { findings } = lint({
      wire: "anthropic-messages",
      body: {
        model: "claude-opus-5-5",
        max_tokens: 100,
        messages: [{ role: "user", content: "Hi" }],
      },
      headers,
    });
    expect(findings.map(({ rule }) => rule)).toContain("anthropic/beta-name");
  });
});
