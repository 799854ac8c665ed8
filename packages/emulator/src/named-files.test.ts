import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

const claude = (...content: readonly JsonObject[]): JsonObject => ({
  model: "claude-opus-5-5",
  max_tokens: 500,
  messages: [{ role: "user", content }],
});
const source = { type: "file", file_id: "file_011CNha8iCJcU1wXNR6q4V8w" };
const gemini = (fileUri: string): JsonObject => ({
  model: "gemini-3.8-flash",
  contents: [{ role: "user", parts: [{ fileData: { fileUri, mimeType: "text/plain" } }] }],
});
const say = (content: JsonObject): JsonObject => ({
  model: "gpt-6-sol",
  input: [{ role: "user", content: [content, { type: "input_text", text: "Read it." }] }],
});

interface NamedFile {
  readonly name: string;
  readonly wire: WireName;
  readonly body: JsonObject;
  readonly status: number;
  readonly error: JsonObject;
}

const unknownClaude = { message: "File not found: file_011CNha8iCJcU1wXNR6q4V8w" };
const unknownOpenai = (param: string): JsonObject => ({
  message: "No such File object: file-abc (the mull emulator keeps no files)",
  param,
});

const named: readonly NamedFile[] = [
  {
    name: "a document of Claude",
    wire: "anthropic",
    body: claude({ type: "document", source }),
    status: 404,
    error: unknownClaude,
  },
  {
    name: "a picture for Claude",
    wire: "anthropic",
    body: claude({ type: "image", source }),
    status: 404,
    error: unknownClaude,
  },
  {
    name: "a file on Responses",
    wire: "responses",
    body: say({ type: "input_file", file_id: "file-abc" }),
    status: 400,
    error: unknownOpenai("input[0].content[0].file_id"),
  },
  {
    name: "a picture on Responses",
    wire: "responses",
    body: say({ type: "input_image", file_id: "file-abc", detail: "auto" }),
    status: 400,
    error: unknownOpenai("input[0].content[0].file_id"),
  },
  {
    name: "a file on Chat Completions",
    wire: "chat",
    body: {
      model: "gpt-5.1",
      messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-abc" } }] }],
    },
    status: 400,
    error: unknownOpenai("messages[0].content[0].file.file_id"),
  },
  {
    name: "a file of Gemini",
    wire: "google",
    body: gemini("https://generativelanguage.googleapis.com/v1beta/files/abc-123"),
    status: 403,
    error: {
      message: "You do not have permission to access the File abc-123 or it may not exist.",
      status: "PERMISSION_DENIED",
    },
  },
  {
    name: "a prompt kept by Gemini",
    wire: "google",
    body: { ...gemini("gs://bucket/a.txt"), cachedContent: "cachedContents/abc" },
    status: 403,
    error: {
      message: "CachedContent not found (or permission denied)",
      status: "PERMISSION_DENIED",
    },
  },
];

describe("P-J2 a file that nobody uploaded", () => {
  it.each(named)("is refused: $name", async ({ wire, body, status, error }) => {
    expect(await ask(emulate(), wire, body)).toMatchObject({ status, body: { error } });
  });

  it.each(named)("passes where what is elsewhere does: $name", async ({ wire, body }) => {
    expect((await ask(emulate({ foreignSeals: "accept" }), wire, body)).status).toBe(200);
  });

  it("is found in the result of a tool", async () => {
    const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
    const result = {
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: [{ type: "image", source }],
    };
    const { status, message } = await ask(emulate(), "anthropic", {
      ...claude(),
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "Read." },
        { role: "assistant", content: [call] },
        { role: "user", content: [result] },
      ],
    });
    expect([status, message]).toEqual([404, "File not found: file_011CNha8iCJcU1wXNR6q4V8w"]);
  });

  it.each([
    ["an address elsewhere", "google", gemini("https://example.com/a.txt")],
    ["a bucket", "google", gemini("gs://bucket/a.txt")],
    ["talk about one", "anthropic", claude({ type: "text", text: "file_id: file_1" })],
  ] as const)("is not %s", async (_, wire, body) => {
    expect((await ask(emulate(), wire, body)).status).toBe(200);
  });
});
