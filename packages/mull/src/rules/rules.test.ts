import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vendors } from "../vendors/index.ts";
import type { JsonObject, JsonValue } from "../types/json.ts";
import type { Rule } from "../types/rule.ts";
import { wireIds } from "../types/message.ts";
import { rulesOf } from "../wire/rules-of.ts";

const anyOf = (...values: readonly JsonValue[]): fc.Arbitrary<JsonValue> =>
  fc.constantFrom(...values);

const loose = { name: "a b", strict: true, parameters: { type: "object" } };
const tool = { type: "function", ...loose, function: loose, input_schema: { oneOf: [] } };
const declared = { functionDeclarations: [{ name: "1 x" }], googleSearch: {} };
const config: JsonObject = {
  temperature: 9,
  topP: -1,
  frequencyPenalty: 1,
  candidateCount: 2,
  responseLogprobs: true,
  odd: 1,
  responseMimeType: "application/json",
  thinkingConfig: { thinkingLevel: "ODD", thinkingBudget: 7 },
};
const shownWhileOff = { thinkingConfig: { thinkingBudget: 0, includeThoughts: true } };

/** Values that a rule would refuse in one place or another, under every name that rules look at. */
const fields: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  model: anyOf("some-model", ""),
  messages: anyOf([{ role: "user", content: "Hi." }], []),
  input: anyOf("Hi.", [{ role: "user", content: "Hi." }]),
  contents: anyOf([{ role: "user", parts: [{ text: "Hi." }] }], []),
  stream: anyOf(true, "yes"),
  temperature: anyOf(0.3, 7, "warm"),
  top_p: anyOf(0.2, 7),
  top_k: anyOf(4),
  max_tokens: anyOf(0, 900, 9_000_000),
  max_completion_tokens: anyOf(0.5, 900),
  max_output_tokens: anyOf(3, 900),
  n: anyOf(2, 200),
  stop: anyOf(["x"], ["a", "b", "c", "d", "e"]),
  stream_options: anyOf({ include_usage: true }),
  stop_sequences: anyOf([" "], ["x"]),
  logit_bias: anyOf({ a: 1 }),
  presence_penalty: anyOf(1),
  thinking: anyOf(
    { type: "enabled", budget_tokens: 5, effort: "odd" },
    { type: "adaptive", display: "odd", block_binding: {} },
    { type: "disabled" },
    { type: "between_tools" },
    { type: "odd" },
  ),
  output_config: anyOf({ effort: "max" }, { effort: "odd" }),
  reasoning: anyOf({ effort: "odd", summary: "odd", max_tokens: 4 }, { effort: "none" }),
  reasoning_effort: anyOf("max", "none", 3),
  reasoning_format: anyOf("raw"),
  response_format: anyOf({ type: "json_object" }, { type: "odd" }),
  text: anyOf({ format: { type: "json_schema" } }, { format: { type: "json_object" } }),
  tools: anyOf([tool, tool], [declared], []),
  tool_choice: anyOf("required", { type: "tool", name: "y" }, { type: "function", name: "y" }),
  toolConfig: anyOf({ functionCallingConfig: { mode: "ANY" } }),
  generationConfig: anyOf(config, shownWhileOff, { responseMimeType: "image/png" }),
  systemInstruction: anyOf("Be brief."),
  generation_config: anyOf(config, { temperature: "hot" }),
  prompt_cache_retention: anyOf("24h"),
  include: anyOf(["message.output_text.logprobs"]),
  top_logprobs: anyOf(2, 30),
  service_tier: anyOf("odd"),
  store: anyOf("odd"),
  parallel_tool_calls: anyOf(true),
};

const body: fc.Arbitrary<JsonObject> = fc.record(fields, { requiredKeys: [] });
const rows = vendors.flatMap(({ models }) => models);
/** Gateways serve the same models. */
const models = [...rows, ...rows.map((row) => ({ ...row, provider: "openrouter" }))];

const without = (whole: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));

const paths = ["/x", "/publishers/google/models/m:generateContent"];

const findingsOf = (rule: Rule, model: (typeof models)[number], given: JsonObject): number =>
  paths.flatMap((path) => rule.check({ wire: rule.wire, model, path, headers: {}, body: given }))
    .length;

describe("a rule that names its fields", () => {
  const narrow = wireIds.flatMap(rulesOf).filter((rule) => rule.about !== undefined);

  test.each(narrow.map((rule) => [rule.id, rule] as const))(
    "%s finds nothing in a body that has none of them, and something in one that has",
    (_id, rule) => {
      let found = 0;
      fc.assert(
        fc.property(body, fc.constantFrom(...models), (whole, model) => {
          found += findingsOf(rule, model, whole);
          expect(findingsOf(rule, model, without(whole, rule.about ?? []))).toBe(0);
        }),
        { numRuns: 2000, seed: 7 },
      );
      expect(found).toBeGreaterThan(0);
    },
  );
});
