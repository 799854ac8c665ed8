import type { JsonObject, WireId } from "mull";
import { mirrors } from "mull/wire";
import { expect, test } from "vitest";

import { lostParts, readArguments } from "./foreign-parts.ts";

const blocks = [
  { type: "server_tool_use", id: "s", name: "web_search", input: {} },
  { type: "web_search_tool_result", tool_use_id: "s", content: [] },
  { type: "server_tool_use", id: "t", name: "web_search", input: {} },
];
const items = [
  { type: "compaction", encrypted_content: "gAAA" },
  { type: "web_search_call", id: "ws_1", status: "completed" },
  { type: "additional_tools", tools: [] },
];
const ran = { executableCode: { language: "PYTHON", code: "1" } };
const said = { role: "assistant", content: "Hi", annotations: [{ type: "url_citation" }] };

test.each<readonly [wire: WireId, body: JsonObject, lost: string | undefined]>([
  [
    "anthropic-messages",
    { messages: [{ role: "assistant", content: blocks }] },
    "server_tool_use, web_search_tool_result",
  ],
  ["openai-responses", { input: items }, "compaction, web_search_call"],
  ["google-generate", { contents: [{ role: "model", parts: [ran] }] }, "executableCode"],
  ["openai-chat", { messages: [said] }, undefined],
])("what the tools of a vendor did is left out, and told: %s", (wire, body, lost) => {
  const path = "/v1beta/models/m:generateContent";
  const { messages } = mirrors[wire].decodeRequest({ path, headers: {}, body });
  const [note] = lostParts(messages, wire);
  expect(note?.message.replace(/.*: /, "")).toBe(lost);
});

test.each([
  ["encoded twice", JSON.stringify('{"city":"Oslo"}'), { city: "Oslo" }, []],
  ["cut off", '{"city":"Os', {}, ["the arguments of 1 call are not JSON, so they were left out"]],
  ["a number", "5", {}, ["the arguments of 1 call are not JSON, so they were left out"]],
  ["as usual", '{"city":"Oslo"}', { city: "Oslo" }, []],
])("arguments of OpenAI's wires that are %s", (_how, text, input, told) => {
  const call = { type: "function_call", call_id: "c", name: "weather", arguments: text };
  const { messages } = mirrors["openai-responses"].decodeRequest({
    path: "",
    headers: {},
    body: { input: [{ role: "user", content: "Weather?" }, call] },
  });
  const read = readArguments(messages, "google-generate");
  expect(read.messages[1]?.parts).toMatchObject([{ type: "tool-call", input }]);
  expect(read.notes.map(({ message }) => message)).toEqual(told);
  // Chat Completions takes any text.
  expect(readArguments(messages, "openai-chat").notes).toEqual([]);
});
