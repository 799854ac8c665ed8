import { describe, expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import type { AssistantMessage, AssistantPart, Message } from "../types/message.ts";
import { prepare, type Prepared, type PrepareTarget } from "./prepare.ts";

const model = findModel("claude-sonnet-4-5");
const origin = { wire: model.wire, provider: model.provider, model: model.id };
const target: PrepareTarget = {
  ...origin,
  model,
  modelOf: findModel,
  setting: { type: "budget", tokens: 2048 },
};
const demoted = (...messages: readonly Message[]): Prepared =>
  prepare(messages, { ...target, openLoop: "demote" });

const asked: Message = { role: "user", parts: [{ type: "text", text: "a" }] };
const thought: AssistantPart = {
  type: "thinking",
  text: "hm",
  visibility: "full",
  seal: { origin, data: { signature: "s" } },
};
const words: AssistantPart = { type: "text", text: "b" };
const call: AssistantPart = { type: "tool-call", id: "c", name: "f", input: { city: "Oslo" } };
const said = (...parts: readonly AssistantPart[]): AssistantMessage => ({
  role: "assistant",
  parts,
});
const done: Message = {
  role: "tool",
  parts: [{ type: "tool-result", callId: "c", name: "f", output: "ok" }],
};

describe("P-A1 the thought that leads an open loop", () => {
  const rows: readonly (readonly [string, readonly Message[], boolean])[] = [
    ["stands before the call", [asked, said(thought, call), done], false],
    ["is missing", [asked, said(call), done], true],
    ["stands behind words", [asked, said(words, thought, call), done], true],
    ["began the loop", [asked, said(thought, call), done, said(call), done], false],
    [
      "began another loop",
      [asked, said(thought, call), done, said(words), asked, said(call), done],
      true,
    ],
    ["leads the last step", [asked, said(call), done, said(thought, call), done], false],
    [
      "stands behind another answer, and gets a question of its own",
      [asked, said(words), said(thought, call), done],
      false,
    ],
    [
      "stands in the answer joined to this one",
      [asked, said(thought, words), said(call), done],
      false,
    ],
    ["is no matter once the turn is over", [asked, said(call), done, said(words), asked], false],
    ["is no matter without calls", [asked, said(words)], false],
    ["is no matter without answers", [asked], false],
  ];
  test.each(rows)("%s", (_, messages, isUnled) => {
    const found = prepare(messages, { ...target, openLoop: "warn" }).notes;
    expect(found.map(({ code }) => code)).toEqual(isUnled ? ["open-loop"] : []);
  });

  test("is missed by no other service", () => {
    const wire = "google-generate";
    expect(prepare([asked, said(call), done], { ...target, wire }).notes).toEqual([]);
  });
});

describe("D18 what can be done about it", () => {
  test("demote: a result of several parts keeps its words and pictures", () => {
    const parts = [
      { type: "text", text: "found it" },
      { type: "file", mediaType: "image/png", source: { type: "base64", data: "AA==" } },
    ] as const;
    const shown: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c", name: "f", output: parts }],
    };
    expect(demoted(asked, said(call), shown).messages[2]).toEqual({
      role: "user",
      parts: [{ type: "text", text: 'The tool f returned:\n"""\nfound it\n"""' }, parts[1]],
    });
    const blank: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c", name: "f", output: "\n" }],
    };
    expect(demoted(asked, said(call), blank).messages[2]?.parts).toHaveLength(1);
  });

  test("demote: calls and results of the loop become text, thinking goes", () => {
    expect(demoted(asked, said(words, thought, call), done).messages).toEqual([
      asked,
      said(words, { type: "text", text: '[called f with {"city":"Oslo"}]' }),
      {
        role: "user",
        parts: [{ type: "text", text: 'The tool f returned:\n"""\nok\n"""' }],
      },
    ]);
  });

  test("demote: the thoughts that go are told as withheld", () => {
    const { withheld, messages: sent } = demoted(asked, said(call, thought, words), done);
    expect(JSON.stringify(sent)).not.toContain("hm");
    expect(withheld).toEqual([
      {
        code: "thinking-withheld",
        message: 1,
        part: 1,
        detail: "thought of claude-sonnet-4-5: the tool loop it belongs to is sent as text",
      },
    ]);
  });

  test("synthetic: an unsigned thought leads the last answer", () => {
    const quirks = { unsignedThinking: true };
    const led = prepare([asked, said(call), done], { ...target, quirks, openLoop: "synthetic" });
    expect(led.messages[1]?.parts.map(({ type }) => type)).toEqual(["thinking", "tool-call"]);
    expect(prepare(led.messages, { ...target, quirks }).notes).toEqual([]);
  });
});

test("a policy that is none is refused in words", () => {
  expect(() =>
    prepare([asked, said(call), done], { ...target, openLoop: "keep" as never }),
  ).toThrow('openLoop: "keep" is not allowed. Allowed: disable demote warn fail synthetic');
});
