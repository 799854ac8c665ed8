import { emulate } from "@mull/emulator";
import type { Fetch, JsonValue } from "mull";
import { expect, test } from "vitest";

import { openGateway, sentText } from "./testing/set-up.ts";
import { post } from "./testing/wires.ts";

const image = { type: "image_url", image_url: { url: "https://example.com/told.png" } };
const cached = { cache_control: { type: "ephemeral" } };
const found = {
  type: "search_result",
  source: "https://example.com",
  title: "Oslo",
  content: [{ type: "text", text: "told" }],
};

const claudes = (question: JsonValue, result: JsonValue): JsonValue => [
  { role: "user", content: [{ type: "text", text: "Weather?" }, question] },
  { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: [result] }] },
];

const chats = (question: JsonValue, result: JsonValue): JsonValue => {
  const call = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
  return [
    { role: "user", content: [{ type: "text", text: "Weather?" }, question] },
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "Here" }, result] },
  ];
};

const text = { type: "text", text: "No." };

test.each([
  ["/v1/messages", "gpt-6-sol", claudes(found, text)],
  ["/v1/messages", "gemini-3.8-flash", claudes(text, found)],
  ["/v1/chat/completions", "claude-opus-5-5", chats({ ...image, ...cached }, text)],
  ["/v1/chat/completions", "claude-opus-5-5", chats(text, { ...image, ...cached })],
  ["/v1/chat/completions", "gpt-6-sol", chats({ ...image, image_url: image.image_url.url }, text)],
  ["/v1/chat/completions", "gpt-6-sol", chats(text, { type: "note", note: "told" })],
])(
  "P-G1 nothing that a client of %s gives to %s to read is lost",
  async (path, model, messages) => {
    let sent = "";
    const emulator = emulate();
    const fetch: Fetch = (url, init) => {
      sent = sentText(init);
      return emulator(url, init);
    };
    const { ask } = openGateway({ fetch: Object.assign(fetch, { simulated: true }), model });
    const response = await ask(post(path, { model: "m", max_tokens: 1000, messages }));
    expect([response.status, sent]).toEqual([200, expect.stringContaining("told")]);
  },
);
