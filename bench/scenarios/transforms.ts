import {
  type ChatMessage,
  convertReasoningToThinking,
  ensureThinkingBlockCompliance,
  ensureToolMessageStructure,
} from "@mull/ui-messages";
import { race } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";

/** Questions, and answers as a store keeps them: reasoning behind a call, results inside. */
const conversation = (turns: number): readonly ChatMessage[] =>
  Array.from({ length: turns }, (_, turn): readonly ChatMessage[] => [
    { role: "user", content: "And what about crypto specifically?" },
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: `c${turn}`, toolName: "searchWeb", input: {} },
        { type: "reasoning", text: "I look it up. ".repeat(40) },
        { type: "tool-result", toolCallId: `c${turn}`, toolName: "searchWeb", output: "found" },
        { type: "text", text: "Here it is. ".repeat(40) },
      ],
    },
  ]).flat();

/** A reader that looks at every part once and makes a copy of every message. */
const copyAll = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.map((message) => ({
    ...message,
    content:
      typeof message.content === "string"
        ? message.content
        : message.content.map((part) => ({ ...part })),
  }));

async function run(): Promise<ScenarioReport> {
  const rows: (readonly (string | number)[])[] = [];
  for (const turns of [100, 1000, 10_000]) {
    const messages = conversation(turns);
    const converted = convertReasoningToThinking(messages);
    const split = ensureToolMessageStructure(converted);
    const measured = await race(
      [
        { name: "copy", run: () => Promise.resolve(copyAll(messages)) },
        {
          name: "convertReasoningToThinking",
          run: () => Promise.resolve(convertReasoningToThinking(messages)),
        },
        {
          name: "ensureToolMessageStructure",
          run: () => Promise.resolve(ensureToolMessageStructure(converted)),
        },
        {
          name: "ensureThinkingBlockCompliance",
          run: () => Promise.resolve(ensureThinkingBlockCompliance(split)),
        },
      ],
      21,
      5,
    );
    rows.push([turns * 2, ...measured.map(({ cpu }) => cpu)]);
  }
  return {
    id: "transforms",
    title: "Transformations of a chat backend",
    text: "Stored conversations with tools, made fit for Claude; beside them a plain copy of the same messages.",
    tables: [
      {
        name: "CPU, ms",
        columns: [
          "messages",
          "copy",
          "convertReasoningToThinking",
          "ensureToolMessageStructure",
          "ensureThinkingBlockCompliance",
        ],
        rows,
      },
    ],
    bars: [],
    charts: [],
  };
}

export const transforms: Scenario = { id: "transforms", run };
