import { History, type AssistantMessage, type Message } from "mull";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  functionCall,
  geminiCall,
  geminiSays,
  gptSays,
  listAt,
  reasoning,
  results,
  thought,
  toolUse,
  user,
  words,
} from "./kit.ts";

const reload = (...messages: readonly Message[]): readonly Message[] =>
  History.parse(JSON.stringify(History.from(messages))).messages;

describe("I. storage", () => {
  test.each([
    [
      "claude-opus-5-5",
      claudeSays(thought(), { type: "redacted_thinking", data: "EmwK" }, toolUse()),
    ],
    ["gpt-6-sol", gptSays(reasoning(), functionCall())],
    ["gemini-3.8-flash", geminiSays({ text: "t", thought: true }, geminiCall("C1"))],
  ])("P-I1 P-I5 %s: the request after a reload is the same, byte for byte", (ref, body) => {
    const call = answer(ref, body);
    const live = [user("hi"), call, results(call)];
    const stored = reload(user("hi"), call, results(call));
    expect(JSON.stringify(bodyFor(ref, stored))).toBe(JSON.stringify(bodyFor(ref, live)));
  });

  test("P-I2 what people see and what models get are two marks", () => {
    const said: AssistantMessage = {
      role: "assistant",
      parts: [
        { type: "text", text: "for people", send: false },
        { type: "text", text: "for models", show: false },
      ],
    };
    const stored = reload(user("a"), said, user("b"));
    expect(stored[1]).toEqual(said);
    const sent = JSON.stringify(bodyFor("claude-opus-5-5", stored));
    expect([sent.includes("for people"), sent.includes("for models")]).toEqual([false, true]);
  });

  test("P-I3 blocks without text are kept and replayed", () => {
    const said = answer("claude-opus-5-5", claudeSays(thought(""), words("Yes.")));
    const stored = reload(user("a"), said, user("b"));
    const content = listAt(bodyFor("claude-opus-5-5", stored), "messages", 1, "content");
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    const hidden = gptSays({ ...reasoning(), summary: [] }, functionCall());
    const call = answer("gpt-6-sol", hidden);
    const items = listAt(bodyFor("gpt-6-sol", reload(user("a"), call, results(call))), "input");
    expect(items.map(({ type }) => type)).toContain("reasoning");
  });

  test("P-I4 nothing empty is left behind when thinking is taken out", () => {
    const only = answer("claude-opus-5-5", claudeSays(thought()));
    for (const ref of [
      "gpt-6-sol",
      "gemini-3.8-flash",
      "claude-sonnet-4-5",
      "openai-chat:gpt-5.1",
    ]) {
      const body = bodyFor(ref, [user("a"), only, user(""), user("b")]);
      const turns = listAt(
        body,
        "messages" in body ? "messages" : "input" in body ? "input" : "contents",
      );
      for (const turn of turns) {
        const content = turn["content"] ?? turn["parts"];
        expect(content === "" || (Array.isArray(content) && content.length === 0)).toBe(false);
      }
      expect(JSON.stringify(body)).not.toMatch(/"text":""/);
    }
  });

  test("P-I6 a seal of any length is stored and sent whole", () => {
    const long = `EqQB${"A".repeat(1_000_000)}`;
    const said = answer("claude-opus-5-5", claudeSays(thought("t", long), words("Yes.")));
    const body = bodyFor("claude-opus-5-5", reload(user("a"), said, user("b")));
    expect(JSON.stringify(body)).toContain(long);
  });
});
