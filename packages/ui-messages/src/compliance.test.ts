import { describe, expect, test } from "vitest";
import type { ChatMessage, ChatPart } from "./chat-message.ts";
import {
  compliancePipeline,
  ensureThinkingBlockCompliance,
  validateThinkingCompliance,
} from "./compliance.ts";
import { convertReasoningToThinking } from "./convert-reasoning.ts";
import { ensureToolMessageStructure } from "./split-tools.ts";

const text = (words: string): ChatPart => ({ type: "text", text: words });
const call = (id: string): ChatPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "searchWeb",
  input: { query: id },
});
const result = (id: string): ChatPart => ({
  type: "tool-result",
  toolCallId: id,
  toolName: "searchWeb",
  output: "found",
});
const thinking: ChatPart = { type: "thinking", thinking: "Look it up." };
const sealed: ChatPart = { type: "thinking", thinking: "Look it up.", signature: "EqQB" };
const redacted: ChatPart = { type: "redacted_thinking", data: "EmwK" };
const user = (words: string): ChatMessage => ({ role: "user", content: words });
const assistant = (...content: readonly ChatPart[]): ChatMessage => ({
  role: "assistant",
  content,
});
const tool = (...content: readonly ChatPart[]): ChatMessage => ({ role: "tool", content });
const typesOf = (message: ChatMessage | undefined): readonly string[] =>
  typeof message?.content === "string" ? [] : (message?.content ?? []).map((part) => part.type);

function logged<T>(run: (log: (line: string) => void) => T): {
  readonly value: T;
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  return { value: run((line) => lines.push(line)), lines };
}

describe("convertReasoningToThinking", () => {
  test("R236 turns reasoning parts into thinking parts with their signature", () => {
    const stored = assistant(
      { type: "reasoning", text: "Hm.", providerMetadata: { anthropic: { signature: "EqQB" } } },
      text("4"),
    );
    const [converted] = convertReasoningToThinking([stored]);
    expect(converted?.content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "EqQB" },
      text("4"),
    ]);
  });

  test("R236 reads provider options and redacted data as well", () => {
    const [converted] = convertReasoningToThinking([
      assistant(
        { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "EmwK" } } },
        { type: "reasoning", reasoning: "Old spelling" },
      ),
    ]);
    expect(converted?.content).toEqual([redacted, { type: "thinking", thinking: "Old spelling" }]);
  });

  test("R240 is pure and leaves other messages alone", () => {
    const messages = [user("hi"), assistant(text("hello"))];
    const before = structuredClone(messages);
    expect(convertReasoningToThinking(messages)).toEqual(before);
    expect(messages).toEqual(before);
  });
});

describe("ensureToolMessageStructure", () => {
  test("R239 separates tool uses and tool results into consecutive messages", () => {
    const split = ensureToolMessageStructure([
      assistant(thinking, call("a"), result("a"), text("Done.")),
    ]);
    expect(split.map((message) => [message.role, typesOf(message)])).toEqual([
      ["assistant", ["thinking", "tool-call"]],
      ["tool", ["tool-result"]],
      ["assistant", ["text"]],
    ]);
  });

  test("R393 keeps parallel calls together, also when they were stored in pairs", () => {
    const split = ensureToolMessageStructure([
      assistant(thinking, call("a"), result("a"), call("b"), result("b")),
    ]);
    expect(split.map(typesOf)).toEqual([
      ["thinking", "tool-call", "tool-call"],
      ["tool-result", "tool-result"],
    ]);
  });

  test("R239 gives Anthropic's spelling the user role", () => {
    const split = ensureToolMessageStructure([
      assistant(
        { type: "tool_use", id: "a", name: "f", input: {} },
        { type: "tool_result", tool_use_id: "a", content: "x" },
      ),
    ]);
    expect(split.map((message) => message.role)).toEqual(["assistant", "user"]);
  });
});

describe("ensureThinkingBlockCompliance", () => {
  test("R233 R234 R237 moves thinking to the front of a tool-calling message", () => {
    const [moved] = ensureThinkingBlockCompliance([
      assistant(text("Let me see."), call("a"), thinking),
    ]);
    expect(typesOf(moved)).toEqual(["thinking", "text", "tool-call"]);
  });

  test("R235 is applied to every assistant message", () => {
    const fixed = ensureThinkingBlockCompliance([
      assistant(call("a"), thinking),
      tool(result("a")),
      assistant(call("b"), redacted),
      tool(result("b")),
    ]);
    expect(fixed.map((message) => typesOf(message)[0])).toEqual([
      "thinking",
      "tool-result",
      "redacted_thinking",
      "tool-result",
    ]);
  });

  test("D19 keeps the order of an answer the service sealed", () => {
    const interleaved = assistant(text("First."), sealed, call("a"));
    expect(ensureThinkingBlockCompliance([interleaved])[0]).toBe(interleaved);
  });

  test("D19 repairs a sealed answer whose call stands before every thought", () => {
    expect(typesOf(ensureThinkingBlockCompliance([assistant(call("a"), sealed)])[0])).toEqual([
      "thinking",
      "tool-call",
    ]);
  });

  test("R238 R243 warns about tool calls without thinking", () => {
    const { lines } = logged((log) =>
      ensureThinkingBlockCompliance([user("q"), assistant(call("a")), tool(result("a"))], { log }),
    );
    expect(lines).toContain("[thinking] message 1 has tool calls without thinking");
  });

  test("R244 messages without tool calls pass with and without thinking", () => {
    const messages = [user("q"), assistant(thinking, text("4")), user("q"), assistant(text("5"))];
    expect(ensureThinkingBlockCompliance(messages)).toEqual(messages);
    expect(validateThinkingCompliance(messages)).toEqual([]);
  });
});

describe("D18 strategies for an open loop without thinking", () => {
  const open = [
    user("q"),
    assistant(sealed, text("earlier")),
    user("and?"),
    assistant(call("a")),
    tool(result("a")),
  ];

  test("disable turns thinking off and leaves its blocks out", () => {
    const done = compliancePipeline(open);
    expect(done.thinking).toBe("off");
    expect(done.messages.flatMap(typesOf)).not.toContain("thinking");
  });

  test("fail throws with the service's two marker phrases (R250)", () => {
    expect(() => compliancePipeline(open, { strategy: "fail" })).toThrow(
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    );
  });

  test("warn sends it as it is and says so", () => {
    const { value, lines } = logged((log) => compliancePipeline(open, { strategy: "warn", log }));
    expect(value.thinking).toBe("on");
    expect(value.messages).toEqual(open);
    expect(lines.some((line) => line.includes("may refuse"))).toBe(true);
  });

  test("demote makes words of the loop and keeps thinking on", () => {
    const done = compliancePipeline(open, { strategy: "demote" });
    expect(done.thinking).toBe("on");
    expect(done.findings).toEqual([]);
    expect(done.messages.slice(-2).map((message) => message.role)).toEqual(["assistant", "user"]);
  });

  test("R391 synthetic is refused where signatures are checked", () => {
    expect(() => compliancePipeline(open, { strategy: "synthetic" })).toThrow(/checks them/);
    const done = compliancePipeline(open, { strategy: "synthetic", signaturesUnchecked: true });
    expect(done.findings).toEqual([]);
  });

  test("a finished turn is no open loop", () => {
    const done = compliancePipeline([...open, assistant(text("Answer.")), user("next")]);
    expect(done.thinking).toBe("on");
    expect(done.findings).toHaveLength(1);
  });
});

describe("the pipeline", () => {
  const stored = [
    user("okay - what's going on in the markets today?"),
    assistant(
      call("a"),
      { type: "reasoning", text: "Search.", signature: "EqQB" },
      result("a"),
      text("Mixed."),
    ),
    user("And what about crypto specifically?"),
  ];

  test("R241 runs convert, split, comply in that order and logs each stage (R243)", () => {
    const { value, lines } = logged((log) => compliancePipeline(stored, { log }));
    expect(value.messages.map(typesOf)).toEqual([
      [],
      ["thinking", "tool-call"],
      ["tool-result"],
      ["text"],
      [],
    ]);
    const stages = lines
      .filter((line) => line.includes("started"))
      .map((line) => line.replace(/:.*/, ""));
    expect(stages).toEqual([
      "[thinking] conversion started",
      "[thinking] tool structure started",
      "[thinking] compliance started",
    ]);
    expect(lines).toContain("[thinking] message 1 reordered: thinking first");
  });

  // Each stage alone must matter: without it the result is refused.
  const withoutStage: readonly (readonly [
    string,
    (messages: readonly ChatMessage[]) => readonly ChatMessage[],
  ])[] = [
    ["convert", (messages) => ensureThinkingBlockCompliance(ensureToolMessageStructure(messages))],
    ["split", (messages) => ensureThinkingBlockCompliance(convertReasoningToThinking(messages))],
    ["comply", (messages) => ensureToolMessageStructure(convertReasoningToThinking(messages))],
  ];
  test.each(withoutStage)("R267 leaving out %s is noticed", (_, run) => {
    const messages = run(stored);
    const isBroken =
      validateThinkingCompliance(messages).length > 0 ||
      messages.some(
        (message) => message.role === "assistant" && typesOf(message).includes("tool-result"),
      );
    expect(isBroken).toBe(true);
    expect(compliancePipeline(stored).findings).toEqual([]);
  });

  test("R394 is linear in a long history", () => {
    const long = Array.from({ length: 2000 }, () => stored).flat();
    expect(compliancePipeline(long).messages).toHaveLength(stored.length * 2000 + 2 * 2000);
  });
});
