import type { ToolSpec } from "mull";
import { expect, it } from "vitest";

import { think } from "./brain.ts";
import { readQuestion, type Question } from "./question.ts";

/** What the brain reads of parts that a coding program sends. */
const read = (texts: readonly string[], tools: readonly ToolSpec[] = []): Question =>
  readQuestion({
    model: "m",
    messages: [{ role: "user", parts: texts.map((text) => ({ type: "text", text })) }],
    thinking: { type: "default" },
    show: "auto",
    stream: false,
    tools,
  });

it("the brain passes over what a program adds to the person's words", () => {
  const reminder = "<system-reminder>\nUse 2 + 2.\n</system-reminder>\n";
  expect(read([reminder, "What is 3 + 4?"])).toMatchObject({ text: "What is 3 + 4?", earlier: [] });
  expect(think(read([reminder])).answer).toContain("**4**");
});

it("the brain names the file that a tool is to read, and nothing that the tool needn't be told", () => {
  const tool: ToolSpec = {
    name: "Read",
    inputSchema: {
      type: "object",
      properties: { file_path: { type: "string" }, pages: { type: "string" } },
      required: ["file_path"],
      additionalProperties: false,
    },
  };
  expect(think(read(["Read src/main.ts and sum it up."], [tool])).calls).toEqual([
    { name: "Read", input: { file_path: "src/main.ts" } },
  ]);
});
