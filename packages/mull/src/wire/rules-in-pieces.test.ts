import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { rulesOf } from "../history/rules.ts";
import { resolveModel } from "../providers/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Rule, RuleInput } from "../types/rule.ts";

interface Kind {
  readonly wire: WireId;
  readonly field: string;
  readonly models: readonly string[];
  readonly rest: JsonObject;
  /** Good ones and bad ones, with few ids, so that they meet. */
  readonly items: readonly JsonObject[];
}

const callOf = (id: string, name = "look"): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: "{}" },
});
const long = "x".repeat(70);

const kinds: readonly Kind[] = [
  {
    wire: "openai-chat",
    field: "messages",
    models: ["openai-chat:gpt-6-sol", "deepseek-reasoner", "kimi-k2.5", "mistral:codestral-latest"],
    rest: {},
    items: [
      { role: "user", content: "Why?" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.test/b" } }] },
      { role: "user", content: [{ type: "file", file: {} }] },
      { role: "user", content: [{ type: "thinking" }] },
      { role: "user", content: null },
      { role: "system", content: "Be kind." },
      { role: "person", content: "Why?" },
      { role: "assistant", content: "So." },
      { role: "assistant", content: "So.", reasoning_content: "Well." },
      { role: "assistant", content: [{ type: "thinking", thinking: [] }] },
      { role: "assistant", tool_calls: [callOf("a"), callOf("b")] },
      { role: "assistant", reasoning_content: "Hm.", tool_calls: [callOf("a")] },
      { role: "assistant", tool_calls: [callOf("c", "no name")] },
      { role: "assistant", tool_calls: [callOf(long)] },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: "2" },
      { role: "tool", tool_call_id: "c", content: "3" },
      { role: "tool", tool_call_id: long, content: "3" },
    ],
  },
  {
    wire: "openai-responses",
    field: "input",
    models: ["gpt-6-sol", "gpt-5.1", "o4-mini", "deepseek-v4-pro"],
    rest: { store: false },
    items: [
      { role: "user", content: "Why?" },
      { role: "user", content: [{ type: "text", text: "Why?" }] },
      { role: "person", content: "Why?" },
      { type: "message", role: "assistant", id: "msg_1", content: [] },
      { type: "message", role: "assistant", id: "msg_2", content: [] },
      { type: "message", role: "assistant", id: "wrong", content: [] },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" },
      { type: "reasoning", id: "rs_2", summary: [] },
      { type: "reasoning", id: "rs_3", encrypted_content: "gAAA", status: "completed" },
      { type: "function_call", id: "fc_1", call_id: "a", name: "look", arguments: "{}" },
      { type: "function_call", id: "fc_2", call_id: "b", name: "look", arguments: "{}" },
      { type: "function_call", call_id: long, name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "1" },
      { type: "function_call_output", call_id: "b", output: "2" },
      { type: "function_call_output", call_id: long, output: "3" },
      { type: "configuration_update", reasoning: { effort: "low" } },
      { type: "item_reference", id: "msg_3" },
    ],
  },
  {
    wire: "google-generate",
    field: "contents",
    models: ["gemini-3.5-pro", "gemini-2.5-flash", "gemini-3.6-flash"],
    rest: {},
    items: [
      { role: "user", parts: [{ text: "Why?" }] },
      { role: "user", parts: [] },
      { role: "user", parts: [{}] },
      { role: "person", parts: [{ text: "Why?" }] },
      { role: "model", parts: [{ text: "So." }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: {}, id: "a" } }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "look", args: {}, id: "a" }, thoughtSignature: "c2ln" },
          { functionCall: { name: "look", args: {}, id: "b" } },
        ],
      },
      { role: "user", parts: [{ functionResponse: { name: "look", response: {}, id: "a" } }] },
      { role: "user", parts: [{ functionResponse: { name: "look", response: {}, id: "b" } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "look", response: {}, id: "a" } },
          { functionResponse: { name: "look", response: {}, id: "b" } },
        ],
      },
    ],
  },
  {
    wire: "anthropic-messages",
    field: "messages",
    models: ["claude-opus-5-5"],
    rest: { max_tokens: 10 },
    items: [
      { role: "user", content: "Why?" },
      { role: "assistant", content: [{ type: "text", text: "So." }] },
      { role: "assistant", content: ["So."] },
    ],
  },
];

const inPiecesOf = (wire: WireId): readonly Rule[] =>
  rulesOf(wire).filter((rule) => rule.inPieces === true);

const isRefused = (rule: Rule, kind: Kind, model: Model, items: readonly JsonObject[]): boolean => {
  const input: RuleInput = {
    wire: kind.wire,
    model,
    path: `/v1beta/models/${model.id}:streamGenerateContent`,
    headers: {},
    body: { ...kind.rest, [kind.field]: items },
  };
  return rule.check(input).length > 0;
};

/** Every id anywhere in it. */
function idsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(idsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    /(?:^|_)id$/.test(name) && typeof field === "string" ? [field] : idsIn(field),
  );
}

const answering: ReadonlySet<unknown> = new Set(["reasoning", "function_call"]);
const isAnswer = ({ role, type }: JsonObject): boolean =>
  role === "assistant" || role === "model" || answering.has(type);
const isQuestion = (item: JsonObject): boolean =>
  item["role"] === "user" && idsIn(item).length === 0;
const isResult = ({ role, type }: JsonObject): boolean =>
  role === "tool" || type === "function_call_output";
const isPlainAnswer = (item: JsonObject): boolean =>
  isAnswer(item) && !/call/i.test(JSON.stringify(item));

function mayBeCut(items: readonly JsonObject[], at: number): boolean {
  const before = items[at - 1];
  const next = items[at];
  if (before === undefined || next === undefined) return false;
  const isBetweenTurns = isQuestion(next) && isPlainAnswer(before);
  const isInLoop = isAnswer(next) && isResult(before);
  const known = new Set(idsIn(items.slice(0, at)));
  return (isBetweenTurns || isInLoop) && !idsIn(items.slice(at)).some((id) => known.has(id));
}

describe.each(kinds)("rules that look at pieces: $wire", (kind) => {
  const rules = inPiecesOf(kind.wire);
  const models = kind.models.map((id) => resolveModel(id).model);

  it("refuse in one of two pieces what they refuse in the whole", () => {
    let cuts = 0;
    const holds = (model: Model, items: readonly JsonObject[]): void => {
      for (let at = 1; at < items.length; at++) {
        if (!mayBeCut(items, at)) continue;
        cuts++;
        const pieces = [items.slice(0, at), items.slice(at)];
        const overlooked = rules.filter(
          (rule) =>
            isRefused(rule, kind, model, items) &&
            !pieces.some((piece) => isRefused(rule, kind, model, piece)),
        );
        expect(overlooked.map(({ id }) => id)).toEqual([]);
      }
    };
    const lists = fc.array(fc.constantFrom(...kind.items), { maxLength: 5 });
    const joint = [kind.items.find(isPlainAnswer)!, kind.items.find(isQuestion)!];
    const talks = fc.tuple(lists, lists).map(([left, right]) => [...left, ...joint, ...right]);
    fc.assert(fc.property(fc.constantFrom(...models), talks, holds), { numRuns: 1000 });
    expect(cuts).toBeGreaterThan(400);
  });

  it("each find something in these items, alone or in pairs", () => {
    const { items: all } = kind;
    const pairs = [[], ...all.flatMap((one) => [[one], ...all.map((other) => [one, other])])];
    const idle = rules.filter(
      (rule) => !models.some((model) => pairs.some((items) => isRefused(rule, kind, model, items))),
    );
    expect(idle.map(({ id }) => id)).toEqual([]);
  });
});
