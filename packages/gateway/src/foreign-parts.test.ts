import type { JsonObject, JsonValue, Part, WireId } from "mull";
import { mirrors } from "mull/wire";
import { describe, expect, test } from "vitest";

import { readForeignParts } from "./foreign-parts.ts";

/** What another vendor is told of a conversation, and what it isn't. */
function tell(wire: WireId, body: JsonObject) {
  const path = "/v1beta/models/m:generateContent";
  const { messages } = mirrors[wire].decodeRequest({ path, headers: {}, body });
  const read = readForeignParts(messages, wire);
  const said = read.messages.flatMap(({ parts }) =>
    parts.flatMap((part): readonly (Part | string)[] =>
      part.type === "tool-result" ? [part.output].flat() : [part],
    ),
  );
  return { said, lost: read.notes.map(({ message }) => message.replace(/.*: /, "")) };
}

const search = {
  type: "search_result",
  source: "kb://ports",
  title: "Ports",
  content: [{ type: "text", text: "The port is 7113." }],
};
const found = { type: "text", text: "Ports\nkb://ports\nThe port is 7113." };
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
const result = (content: JsonValue): JsonObject => ({
  messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] }],
});

describe("what only Claude reads", () => {
  test("search results of a tool arrive as text, between what every model reads", () => {
    const text = { type: "text", text: "Here:" };
    const { said, lost } = tell("anthropic-messages", result([text, search, image]));
    expect(said).toMatchObject([text, found, { type: "file", mediaType: "image/png" }]);
    expect(lost).toEqual([]);
  });

  test("tools that a search found are named", () => {
    const reference = { type: "tool_reference", tool_name: "calendar" };
    const { said } = tell("anthropic-messages", result([reference]));
    expect(said).toEqual([{ type: "text", text: "The tool calendar is available." }]);
  });

  test("search results and documents in pieces beside a question arrive as text", () => {
    const pieces = { type: "content", content: [{ type: "text", text: "A piece." }] };
    const content = [search, { type: "document", source: pieces }];
    const { said } = tell("anthropic-messages", { messages: [{ role: "user", content }] });
    expect(said).toEqual([found, { type: "text", text: "A piece." }]);
  });

  test("what its own tools did is left out, and told", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "web_search_tool_result", tool_use_id: "s", content: [] },
      { type: "server_tool_use", id: "t", name: "web_search", input: {} },
    ];
    const { lost } = tell("anthropic-messages", { messages: [{ role: "assistant", content }] });
    expect(lost).toEqual(["server_tool_use, web_search_tool_result"]);
    expect(tell("anthropic-messages", result([{ type: "odd" }])).lost).toEqual(["odd"]);
  });
});

describe("what only one of the others reads", () => {
  test("OpenAI: what its tools did, and its summary of the conversation", () => {
    const input = [
      { type: "compaction", encrypted_content: "gAAA" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { type: "additional_tools", tools: [] },
    ];
    expect(tell("openai-responses", { input }).lost).toEqual(["compaction, web_search_call"]);
  });

  test("Google: code that it ran", () => {
    const parts = [{ executableCode: { language: "PYTHON", code: "1" } }];
    const { lost } = tell("google-generate", { contents: [{ role: "model", parts }] });
    expect(lost).toEqual(["executableCode"]);
  });
});

test("a text of Chat Completions without a block around it is read", () => {
  const messages = [{ role: "user", content: ["What is this?"] }];
  const { said } = tell("openai-chat", { messages });
  expect(said).toEqual([{ type: "text", text: "What is this?" }]);
});
