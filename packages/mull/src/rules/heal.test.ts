import { describe, expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import { rulesOf } from "../wire/rules-of.ts";
import { MullError, type ErrorCategory } from "../types/error.ts";
import type { JsonObject } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import { heal, type Healed } from "./apply-rules.ts";
import { anthropicCases } from "./testing/anthropic-cases.ts";
import type { HealCase } from "./testing/heal-case.ts";
import { googleCases } from "./testing/google-cases.ts";
import { openaiChatCases, openaiResponsesCases } from "./testing/openai-cases.ts";

const refused = (
  wire: WireId,
  model: string,
  body: JsonObject,
  text: string,
  category: ErrorCategory = "invalid_argument",
): Healed | undefined =>
  heal({ wire, model: findModel(model), body, error: new MullError(text, { category }) });

const groups = [
  ["anthropic-messages", anthropicCases],
  ["openai-responses", openaiResponsesCases],
  ["openai-chat", openaiChatCases],
  ["google-generate", googleCases],
] as const;

describe.each(groups)("%s: known refusals are repaired", (wire, cases) => {
  test.each<HealCase>(cases)("$rule: $says", ({ model, rule, says, body, becomes }) => {
    const given = structuredClone(body);
    const healed = refused(wire, model, body, says);
    expect(healed?.repair).toMatchObject({ rule, error: says });
    expect(healed?.body).toEqual(becomes);
    expect(body).toEqual(given);
  });

  test("every rule that knows the service's words has a case", () => {
    const proved = new Set(cases.map(({ rule }) => rule));
    const known = rulesOf(wire).filter(({ refusal }) => refusal !== undefined);
    expect(known.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([]);
  });

  test("what the service is known to say is what the rule says", () => {
    for (const { rule, says } of cases) {
      const { refusal } = rulesOf(wire).find(({ id }) => id === rule) ?? {};
      expect(refusal?.test(says)).toBe(true);
    }
  });
});

test("a field refused on a reasoning item is not taken from what a person said", () => {
  const said = { role: "user", content: "Hello" };
  const thought = { type: "reasoning", id: "rs_1", summary: [], content: [] };
  const healed = refused(
    "openai-responses",
    "gpt-6-sol",
    { input: [said, thought] },
    "Unknown parameter: 'input[1].content'.",
  );
  expect(healed?.body["input"]).toEqual([said, { type: "reasoning", id: "rs_1", summary: [] }]);
  const message = "Unknown parameter: 'input[0].content'.";
  expect(refused("openai-responses", "gpt-6-sol", { input: [said] }, message)).toBeUndefined();
});

describe("what is not known is left alone", () => {
  const body = { messages: [] };

  test("unknown words, and other kinds of trouble", () => {
    expect(
      refused("anthropic-messages", "claude-opus-5-5", body, "Something else"),
    ).toBeUndefined();
    const said = "This block is bound to a different conversation.";
    const thought = { role: "assistant", content: [{ type: "thinking", signature: "s" }] };
    for (const category of ["rate_limit", "server", "auth", "overloaded", "network"] as const) {
      expect(
        refused("anthropic-messages", "claude-opus-5-5", { messages: [thought] }, said, category),
      ).toBeUndefined();
    }
  });

  test("P-A15 a remedy that changes nothing is none: the same request is never sent again", () => {
    const said = "messages.1.content.0: Invalid `signature` in `thinking` block";
    expect(refused("anthropic-messages", "claude-opus-5-5", body, said)).toBeUndefined();
  });

  test("P-A15 messages in order already are not sent again", () => {
    const ordered = { messages: [{ role: "system" }, { role: "user" }, { role: "assistant" }] };
    for (const role of ["system", "user"]) {
      const said = `Unexpected role '${role}' after role 'tool'`;
      expect(refused("openai-chat", "mistral-large", ordered, said)).toBeUndefined();
    }
  });

  test("tools with a model that cannot be off stay refused on Chat Completions", () => {
    const said = "Function tools with reasoning_effort are not supported for gpt-6-astra";
    expect(refused("openai-chat", "gpt-6-astra", { tools: [] }, said)).toBeUndefined();
  });
});

/** What depends on more than a request shows: an account, a store, a seal's past, a server's template. */
const unforeseen: readonly string[] = [
  "anthropic/latest-blocks-unmodified",
  "anthropic/thinking-while-disabled",
  "openai/summary-verification",
  "openai/item-not-found",
  "openai/item-field-unknown",
  "openai-chat/user-after-tool",
];

test("P-A15 a rule that only the service can tell is broken still repairs", () => {
  const blind = groups.flatMap(([wire]) =>
    rulesOf(wire).filter(({ summary }) => summary.endsWith("Only the service can tell.")),
  );
  expect(blind.map(({ id }) => id)).toEqual(unforeseen);
  const model = findModel("gpt-6-sol");
  for (const { wire, check, repair, refusal } of blind) {
    const input = { wire, model, path: "", headers: {}, body: { input: [{ status: 1 }] } };
    expect(check(input)).toEqual([]);
    expect(repair?.(input)).toBe(input.body);
    expect(refusal).toBeDefined();
  }
});
