import { describe, expect, test } from "vitest";
import type { ChatMessage } from "./chat-message.ts";
import { ensureThinkingBlockCompliance } from "./compliance.ts";
import { convertReasoningToThinking } from "./convert-reasoning.ts";
import { ensureToolMessageStructure } from "./split-tools.ts";

/** Questions, and answers as a store keeps them: reasoning behind a call, results inside. */
const conversation = (turns: number): readonly ChatMessage[] =>
  Array.from({ length: turns }, (_, turn): readonly ChatMessage[] => [
    { role: "user", content: "And now?" },
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: `c${turn}`, toolName: "searchWeb", input: {} },
        { type: "reasoning", text: "Look it up." },
        { type: "tool-result", toolCallId: `c${turn}`, toolName: "searchWeb", output: "found" },
        { type: "text", text: "Here it is." },
      ],
    },
  ]).flat();

/** Counts what is read of messages and parts: no clock, so no noise. */
function readsOf(run: (messages: readonly ChatMessage[]) => unknown, turns: number): number {
  let reads = 0;
  const watch = <T extends object>(value: T): T =>
    new Proxy(value, {
      get: (target, key, receiver) => {
        reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  const watched = conversation(turns).map((message) =>
    watch({
      ...message,
      content: typeof message.content === "string" ? message.content : message.content.map(watch),
    }),
  );
  run(watched);
  return reads;
}

const transforms: readonly (readonly [string, (messages: readonly ChatMessage[]) => unknown])[] = [
  ["convertReasoningToThinking", (messages) => convertReasoningToThinking(messages)],
  ["ensureToolMessageStructure", (messages) => ensureToolMessageStructure(messages)],
  ["ensureThinkingBlockCompliance", (messages) => ensureThinkingBlockCompliance(messages)],
];

describe("R395 the work of the transformations grows with the conversation, not faster", () => {
  test.each(transforms)("%s: ten times the turns, ten times the reads", (_, run) => {
    expect(readsOf(run, 10_000) / readsOf(run, 1000)).toBeLessThan(10.5);
  });
});
