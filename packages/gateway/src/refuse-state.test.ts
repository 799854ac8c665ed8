import { emulate } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, test } from "vitest";

import { errorOf, openGateway, sentText } from "./testing/set-up.ts";
import { post } from "./testing/wires.ts";

const googleFile = "https://generativelanguage.googleapis.com/v1beta/files/abc";
const googleQuestion = {
  contents: [
    { role: "user", parts: [{ fileData: { fileUri: googleFile, mimeType: "image/png" } }] },
  ],
};

const fileFromTool = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "t1",
        content: [
          { type: "text", text: "Look" },
          { type: "image", source: { type: "file", file_id: "file_2" } },
        ],
      },
    ],
  },
];

describe("what the client's own vendor keeps", () => {
  test.each([
    [
      "a cached beginning",
      "/v1beta/models/gpt-6-sol:generateContent",
      { cachedContent: "cachedContents/1", contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
      "cachedContent: it is not stored here (send what is cached in systemInstruction and contents)",
    ],
    [
      "a stored prompt",
      "/v1/responses",
      { model: "claude-opus-5-5", prompt: { id: "pmpt_1" }, input: "Hello" },
      "prompt: it is not stored here (write the words of the prompt into instructions)",
    ],
    [
      "a file at OpenAI",
      "/v1/responses",
      {
        model: "claude-opus-5-5",
        input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }],
      },
      "input: Anthropic cannot read a file that another vendor keeps: file-1 (send the file itself, in file_data or image_url)",
    ],
    [
      "a file at Anthropic, in the result of a tool",
      "/v1/messages",
      { model: "gpt-6-sol", max_tokens: 4000, messages: fileFromTool },
      "messages: OpenAI cannot read a file that another vendor keeps: file_2 (send the file itself, as base64, or by its url)",
    ],
    [
      "a file at Google",
      "/v1beta/models/gpt-6-sol:generateContent",
      googleQuestion,
      `contents: OpenAI cannot read a file that another vendor keeps: ${googleFile} (send the file itself, as inlineData)`,
    ],
  ])("%s is refused where another vendor answers", async (_name, path, body, message) => {
    const { ask } = openGateway({ fetch: emulate() });
    const response = await ask(post(path, body));
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ message });
  });

  test("goes through to another level of that vendor's model", async () => {
    const sent: string[] = [];
    const fetch: Fetch = (_url, init) => {
      sent.push(sentText(init));
      return Promise.resolve(Response.json({ error: { message: "enough" } }, { status: 400 }));
    };
    const { ask } = openGateway({ fetch, model: "gemini-3.8-flash/high" });
    await ask(post("/v1beta/models/gemini-3.8-flash:generateContent", googleQuestion));
    expect(sent.join("")).toContain(googleFile);
  });
});

test.each([
  ["/v1/messages", { model: "gpt-6-sol", max_tokens: 4000, messages: [] }, "messages"],
  ["/v1/responses", { model: "claude-opus-5-5", input: [] }, "input"],
  ["/v1beta/models/gpt-6-sol:generateContent", {}, "contents"],
])("an empty conversation is named as %s names it", async (path, body, field) => {
  const { ask } = openGateway({ fetch: emulate() });
  const response = await ask(post(path, body));
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({
    message: `${field}: at least one message is needed (add one)`,
  });
});
