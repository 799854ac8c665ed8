import { emulate } from "@mull/emulator";
import type { Fetch, JsonObject } from "mull";
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
    [
      "a file in Google's cloud",
      "/v1beta/models/claude-opus-5-5:generateContent",
      {
        contents: [
          { parts: [{ fileData: { fileUri: "gs://box/a.pdf", mimeType: "application/pdf" } }] },
        ],
      },
      "contents: Anthropic cannot read a file that another vendor keeps: gs://box/a.pdf (send the file itself, as inlineData)",
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
  ["/v1/responses", { model: "gpt-6-sol/high", input: "" }, "input"],
  ["/v1beta/models/gpt-6-sol:generateContent", {}, "contents"],
])("an empty conversation is named as %s names it", async (path, body, field) => {
  const { ask } = openGateway({ fetch: emulate() });
  const response = await ask(post(path, body));
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({
    message: `${field}: at least one message with words is needed (add one)`,
  });
});

describe("fields that say nothing are no reason to refuse", () => {
  const asked = { model: "gpt-6-sol/high", input: "Hi" };
  test.each<readonly [path: string, body: JsonObject]>([
    ["/v1/responses", { ...asked, stream: null, tools: null, reasoning: null, include: null }],
    ["/v1/responses", { ...asked, model: "claude-opus-5-5", previous_response_id: "" }],
    [
      "/v1beta/models/gpt-6-sol:generateContent",
      { contents: [{ parts: [{ text: "Hi" }] }], cachedContent: "", toolConfig: {} },
    ],
  ])("%s %j", async (path, body) => {
    const { ask, receipts } = openGateway({ fetch: emulate() });
    const response = await ask(post(path, body));
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    expect(receipts[0]?.notes).toEqual([]);
  });
});

describe("values that the client's own service could not read either are refused in its words", () => {
  const said = [{ role: "user", content: "Hi" }];
  const chat = "/v1/chat/completions";
  const google = "/v1beta/models/gpt-6-sol:generateContent";
  const questions: Readonly<Record<string, JsonObject>> = {
    "/v1/messages": { model: "gpt-6-sol", max_tokens: 4000, messages: said },
    "/v1/responses": { model: "claude-opus-5-5", input: "Hi" },
    [chat]: { model: "claude-opus-5-5", messages: said },
    [google]: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  };
  test.each([
    ["/v1/messages", { max_tokens: "many" }, "max_tokens: Input should be a valid integer"],
    ["/v1/messages", { temperature: "hot" }, "temperature: Input should be a valid number"],
    ["/v1/messages", { stop_sequences: [1] }, "stop_sequences: Input should be a valid list"],
    [
      "/v1/messages",
      { messages: [...said, 5] },
      "messages.1: Input does not match the expected shape.",
    ],
    [chat, { max_tokens: -1 }, "Invalid 'max_tokens': integer below minimum value."],
    [chat, { stop: 5 }, "Invalid type for 'stop'"],
    [chat, { tools: {} }, "Invalid type for 'tools'"],
    [chat, { messages: [5] }, "Invalid type for 'messages[0]'"],
    [chat, { messages: [{ role: "bot", content: "Hi" }] }, "Invalid value: 'bot'."],
    ["/v1/responses", { input: ["Hi"] }, "Invalid type for 'input[0]'"],
    [google, { generationConfig: { topK: "x" } }, "Invalid value at 'generation_config"],
  ])("%s %j", async (path, wrong, message) => {
    let sent = 0;
    const service = emulate();
    const fetch: Fetch = (input, init) => {
      sent += 1;
      return service(input, init);
    };
    const { ask } = openGateway({ fetch });
    const response = await ask(post(path, { ...questions[path], ...wrong }));
    expect(response.status).toBe(400);
    const { message: told } = (await errorOf(response)) as { readonly message: string };
    expect(told).toContain(message);
    expect(sent).toBe(0);
  });
});
