import { expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { Finding, RuleInput } from "../../../types/rule.ts";
import { rulesOf } from "../../../rules.ts";
import { anthropicCases } from "../../../rules/testing/anthropic-cases.ts";
import { fine, type Case } from "../testing/cases.ts";
import { contentCases } from "../testing/content-cases.ts";
import { historyCases } from "../testing/history-cases.ts";
import { settingCases } from "../testing/setting-cases.ts";

const inputOf = (it: Omit<Case, "rule" | "says">): RuleInput => ({
  wire: "anthropic-messages",
  model: findModel(it.model),
  path: "/v1/messages",
  headers: { "anthropic-version": "2023-06-01", ...it.headers },
  body: { ...fine, model: it.model, ...it.body },
  ...(it.verifySeal && { verifySeal: it.verifySeal }),
});

const findingsOf = (input: RuleInput): readonly Finding[] =>
  rulesOf("anthropic-messages").flatMap((rule) => rule.check(input));

const file = (type: string, media_type: string, data: string): JsonObject => ({
  type,
  source: { type: "base64", media_type, data },
});
const callA: JsonObject = { type: "tool_use", id: "a", name: "f", input: {} };

const cases: readonly Case[] = [...settingCases, ...contentCases, ...historyCases];

test.each(cases.map((it) => [`${it.rule} on ${it.model}: ${it.says}`, it] as const))(
  "P-J1 P-J2 §2.6: %s",
  (_, it) => {
    const input = inputOf(it);
    const before = structuredClone(input.body);
    const rule = rulesOf("anthropic-messages").find(({ id }) => id === it.rule);
    const found = rule?.check(input) ?? [];
    expect(found.length).toBeGreaterThan(0);
    expect(found.some(({ message }) => message.startsWith(it.says))).toBe(true);
    expect(findingsOf(input).map((finding) => finding.rule)).toContain(it.rule);
    const repaired = rule?.repair?.(input);
    expect(input.body).toEqual(before);
    expect(repaired && rule?.check({ ...input, body: repaired })).toEqual(repaired && []);
    expect({ ...repaired, ...it.becomes }).toEqual({ ...repaired });
  },
);

test("every rule is proven, has a stable id and says what its repair does", () => {
  const ids = rulesOf("anthropic-messages").map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // Advice has its own cases, in rules/advice.test.ts.
  const proven = new Set([...cases, ...anthropicCases].map(({ rule }) => rule));
  const unproven = rulesOf("anthropic-messages").filter(({ id }) => !proven.has(id));
  expect(unproven.filter(({ severity }) => severity !== "advice")).toEqual([]);
  for (const rule of rulesOf("anthropic-messages")) {
    expect(rule.id).toMatch(/^anthropic\/[a-z-]+$/);
    expect(rule.repair === undefined).toBe(rule.repairSummary === undefined);
  }
});

test("a refusal carries the answer the service would give", () => {
  const retired = findingsOf(inputOf({ model: "claude-3-opus-20240229", body: {} }));
  expect(retired).toMatchObject([
    {
      rule: "anthropic/model-served",
      answer: { status: 404, type: "not_found_error" },
      fix: "Ask for a current model.",
    },
  ]);
  const warned = findingsOf(
    inputOf({ model: "claude-opus-5", body: { stream: false, max_tokens: 99_000 } }),
  );
  expect(warned).toMatchObject([{ severity: "warning" }]);
  expect(warned[0]).not.toHaveProperty("answer");
});

test.each([
  ["nothing special", { model: "claude-opus-5-5", body: {} }],
  [
    "betas whose date is written either way",
    {
      model: "claude-opus-5-5",
      body: {},
      headers: { "anthropic-beta": "claude-code-20250219,fine-grained-tool-streaming-2025-05-14" },
    },
  ],
  [
    "a budget above the cap in interleaved tool use",
    {
      model: "claude-opus-4-5",
      body: {
        thinking: { type: "enabled", budget_tokens: 9000 },
        tools: [{ name: "f", input_schema: { type: "object" } }],
      },
      headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" },
    },
  ],
  [
    "a binding control alone",
    {
      model: "claude-opus-5-5",
      body: { thinking: { block_binding: { prefix_mismatch_behavior: "drop_block" } } },
      headers: { "anthropic-beta": "thinking-binding-controls-2026-08-01" },
    },
  ],
  [
    "display updates with its beta",
    {
      model: "claude-opus-5-5",
      body: { thinking: { type: "adaptive", display: "updates" } },
      headers: { "anthropic-beta": "thinking-display-updates-2026-08-18" },
    },
  ],
  [
    "fields of an unknown beta",
    {
      model: "claude-opus-5-5",
      body: { novel: 1 },
      headers: { "anthropic-beta": "novel-2027-01-01" },
    },
  ],
  [
    "betas in the body of a hosted endpoint",
    {
      model: "claude-opus-5-5",
      body: {
        anthropic_version: "bedrock-2023-05-31",
        anthropic_beta: ["novel-2026-01-01"],
        novel: 1,
      },
    },
  ],
  [
    "a paused server tool at the end",
    {
      model: "claude-opus-5",
      body: {
        messages: [
          { role: "user", content: "q" },
          {
            role: "assistant",
            content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
          },
        ],
      },
    },
  ],
  [
    "the same on a model that lets its answer be begun",
    {
      model: "claude-sonnet-4-5",
      body: {
        messages: [
          { role: "user", content: "q" },
          {
            role: "assistant",
            content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
          },
        ],
      },
    },
  ],
  [
    "forced tools in adaptive mode",
    {
      model: "claude-opus-5",
      body: {
        thinking: { type: "adaptive" },
        tool_choice: { type: "any" },
        tools: [{ name: "f", input_schema: { type: "object" } }],
      },
    },
  ],
  [
    "sampling at its defaults on a newer model",
    { model: "claude-opus-5", body: { temperature: 1, top_p: 0.99 } },
  ],
  ["no headers known", { model: "claude-opus-5", body: {}, headers: {} }],
  [
    "files that are what they say, in lines or not",
    {
      model: "claude-opus-5",
      body: {
        messages: [
          {
            role: "user",
            content: [
              file("image", "image/png", "iVBORw0KGgo="),
              file("document", "application/pdf", "JVBERi0x\nLjQK"),
            ],
          },
        ],
      },
    },
  ],
  [
    "blank text beside a call",
    {
      model: "claude-sonnet-4-5",
      body: {
        messages: [
          { role: "user", content: "q" },
          { role: "assistant", content: [{ type: "text", text: " " }, callA] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }] },
        ],
      },
    },
  ],
  [
    "thinking that led only the first step of a loop",
    {
      model: "claude-sonnet-4-5",
      body: {
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [
          { role: "user", content: "q" },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "", signature: "s" },
              { type: "tool_use", id: "a", name: "f", input: {} },
            ],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }] },
          { role: "assistant", content: [{ type: "tool_use", id: "b", name: "f", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "b", content: "2" }] },
        ],
      },
    },
  ],
  [
    "an effort update",
    {
      model: "claude-opus-5-5",
      body: {
        messages: [
          { role: "user", content: "q" },
          { role: "system", content: [], output_config: { effort: "low" } },
        ],
      },
      headers: { "anthropic-beta": "mid-conversation-output-config-2026-07-01" },
    },
  ],
  [
    "a customer's bill",
    {
      model: "claude-opus-5-5",
      body: { billing_policy: { type: "billing_policy", bill_to: "user_profile" } },
      headers: {
        "anthropic-beta": "user-profiles-billing-2026-10-01",
        "anthropic-user-profile-id": "uprof_1",
      },
    },
  ],
  [
    "an empty final assistant message on an older model",
    {
      model: "claude-sonnet-4-5",
      body: {
        messages: [
          { role: "user", content: "q" },
          { role: "assistant", content: "" },
        ],
      },
    },
  ],
] as const)("no finding: %s", (_, it) => {
  expect(findingsOf(inputOf(it))).toEqual([]);
});

test("the header is not missed where no headers are known, nor the version where the body has it", () => {
  const input = inputOf({ model: "claude-opus-5", body: {} });
  expect(findingsOf({ ...input, headers: {} })).toEqual([]);
  expect(findingsOf({ ...input, headers: { accept: "x" } })).toMatchObject([
    { message: "anthropic-version: header is required" },
  ]);
});

test("bytes in a block nobody knows are not judged", () => {
  const content = [file("audio", "audio/wav", "UklGRg==")];
  const rule = rulesOf("anthropic-messages").find(({ id }) => id === "anthropic/file");
  const body = { messages: [{ role: "user", content }] };
  expect(rule?.check(inputOf({ model: "claude-opus-5", body }))).toEqual([]);
});

test("an effort below all a model takes moves up to its least", () => {
  const input = inputOf({ model: "claude-opus-5", body: { output_config: { effort: "low" } } });
  const thinking = { kind: "effort", efforts: ["medium", "high"], off: "never" } as const;
  const rule = rulesOf("anthropic-messages").find(({ id }) => id === "anthropic/effort-level");
  const repaired = rule?.repair?.({ ...input, model: { ...input.model, thinking } });
  expect(repaired).toMatchObject({ output_config: { effort: "medium" } });
});

test("vendors that only imitate the wire are not held to Claude's seals", () => {
  const input = inputOf({
    model: "claude-opus-5",
    body: {
      messages: [
        { role: "user", content: "q" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "t", signature: "" },
            { type: "text", text: "a" },
          ],
        },
        { role: "user", content: "r" },
      ],
    },
  });
  const { seals: _, ...model } = input.model;
  expect(findingsOf({ ...input, model })).toEqual([]);
});
