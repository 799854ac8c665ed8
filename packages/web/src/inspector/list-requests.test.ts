import type { Level, Receipt, ThinkingPlan } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { explainRequest, keyOf, listRequests } from "./list-requests.ts";
import type { Inspection } from "./read-inspection.ts";
import { stub } from "../../../../test/stubs.ts";

const sent = { thinking: { type: "adaptive" }, max_tokens: 100 };

const receipt = (model: string, asked: Level = "med"): Receipt =>
  stub<Receipt>({ plan: stub<ThinkingPlan>({ model, asked }), sent, repairs: [] });

const answer = (id: string, ...models: readonly string[]): UIMessage => ({
  id,
  role: "assistant",
  metadata: { model: "anthropic:claude-opus-5-5", level: "med" },
  parts: models.flatMap((model) => [
    { type: "step-start" as const },
    { type: "data-receipt" as const, id: model, data: { receipt: receipt(model), usage: {} } },
  ]),
});

const question = (id: string): UIMessage => ({ id, role: "user", parts: [] });

const offered = ["anthropic:claude-opus-5-5", "openai:gpt-6-sol"].map((ref) => ({
  ref,
  isSimulated: true,
}));

const messages = [
  question("q1"),
  answer("a1", "claude-opus-5-5"),
  question("q2"),
  answer("a2", "claude-opus-5-5", "gpt-6-sol"),
];

const inspection = (change: Partial<Inspection> = {}): Inspection =>
  stub<Inspection>({
    history: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    withheld: [],
    changes: [],
    plan: stub<ThinkingPlan>({ model: "claude-opus-5-5", asked: "med" }),
    body: sent,
    ...change,
  });

describe("requests of a conversation", () => {
  it("R197: lists the next one first, then those there were, step by step", () => {
    const listed = listRequests(messages, offered);
    expect(listed.map(({ name }) => name)).toEqual([
      "the next message",
      "answer 2, step 2 of 2 · gpt-6-sol",
      "answer 2, step 1 of 2 · claude-opus-5-5",
      "answer 1 · claude-opus-5-5",
    ]);
    expect(listed.map(({ asOf }) => keyOf(asOf))).toEqual(["", "a2 2", "a2 1", "a1 1"]);
    expect(listed[1]?.choice).toEqual({ model: "openai:gpt-6-sol", level: "med" });
    expect(listed[3]?.later).toBe(3);
  });

  it("R197: lists an answer that has no receipt, without knowing whom it came from", () => {
    const bare: UIMessage = { id: "a", role: "assistant", parts: [{ type: "text", text: "x" }] };
    expect(listRequests([question("q"), bare], offered).at(-1)).toEqual({
      asOf: { answerId: "a", step: 1 },
      name: "answer 1",
      later: 1,
    });
  });

  it("R197: says what is left out, what changes and what was sent then", () => {
    const listed = listRequests(messages, offered);
    const next = listed.at(0)!;
    const first = listed.at(3)!;
    expect(explainRequest(next, inspection())).toEqual([
      "Everything so far and your draft, 1 message.",
      "Nothing is withheld or changed.",
    ]);
    expect(explainRequest(next, inspection(), { behind: 1000 }).at(0)).toBe(
      "Everything so far and the first 1,000 characters of your draft, 1 message.",
    );
    expect(explainRequest(next, inspection(), { files: 2 }).at(0)).toBe(
      "Everything so far and your draft without 2 files, 1 message.",
    );
    expect(explainRequest(first, inspection())).toEqual([
      "What came before answer 1, 1 message. Left out: the answer itself and 2 messages after it.",
      "Nothing is withheld or changed.",
      "The receipt shows thinking and room.",
    ]);
    const gone = [{ code: "seal", message: 0, part: 0, detail: "sealed by another" }];
    const other = inspection({
      withheld: gone,
      plan: { model: "gpt-6-sol", asked: "high" } as Inspection["plan"],
    });
    expect(explainRequest(first, other).slice(1)).toEqual([
      "On the way to this model: 1 part withheld, as the list says.",
      "It was sent to claude-opus-5-5 at med.",
    ]);
    expect(explainRequest(first, inspection({ body: { max_tokens: 5 } })).at(-1)).toBe(
      `Then ${JSON.stringify(sent)} was sent.`,
    );
  });
});
