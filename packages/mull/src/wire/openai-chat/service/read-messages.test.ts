import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../types/json.ts";
import { openaiChat } from "../index.ts";
import { plain } from "../testing/models.ts";
import { decodeMessages } from "./read-messages.ts";

const read = (...messages: readonly JsonValue[]) => decodeMessages(messages, "m");
const one = (message: JsonValue) => read(message).messages[0];

const extra = (fields: object) => ({ extra: { wire: "openai-chat", fields } });

const kinds = (message: JsonValue) => one(message)?.parts.map((part) => part.type);

describe("messages of a request", () => {
  it("R95 the leading system prompt is lifted out", () => {
    expect(read({ role: "developer", content: "S" })).toEqual({ system: "S", messages: [] });
    expect(read({ role: "system", content: [{ type: "text", text: "S" }] }).system).toEqual([
      { type: "text", text: "S" },
    ]);
    expect(read({ role: "system", content: "" }).system).toBeUndefined();
    expect(read({ role: "system", content: [] }).system).toBeUndefined();
    expect(read({ role: "system", content: "S", name: "n" }).messages).toEqual([
      {
        role: "system",
        parts: [
          { type: "text", text: "S" },
          { type: "opaque", wire: "openai-chat", kind: "message-fields", data: { name: "n" } },
        ],
      },
    ]);
    expect(
      read({ role: "user", content: "q" }, { role: "system", content: "later" }).messages,
    ).toHaveLength(2);
  });

  it("content parts are understood, or kept", () => {
    const content = [
      { type: "text", text: "a", cache_control: 1 },
      { type: "image_url", image_url: { url: "data:image/png;base64,QQ==", detail: "low" } },
      { type: "image_url", image_url: { url: "https://x/y" } },
      { type: "image_url", image_url: "https://x/y" },
      { type: "image_url", image_url: { url: 7 } },
      { type: "input_audio", input_audio: { data: "QQ==", format: "wav" } },
      { type: "input_audio", input_audio: { data: "QQ==" } },
      { type: "file", file: { file_id: "f" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,QQ==" } },
      { type: "file", file: { file_data: "raw" } },
      { type: "file" },
      { type: "image_url", image_url: { url: "https://x/y" }, extra: 1 },
      "bare",
      { type: "file", file: { filename: "a.pdf", file_data: "raw" } },
    ];
    const opaque = (index: number, kind: string) => ({
      type: "opaque",
      wire: "openai-chat",
      kind,
      data: content[index],
    });
    expect(one({ role: "user", content })).toEqual({
      role: "user",
      parts: [
        { type: "text", text: "a", ...extra({ cache_control: 1 }) },
        {
          type: "file",
          mediaType: "image/png",
          source: { type: "base64", data: "QQ==" },
          ...extra({ detail: "low" }),
        },
        { type: "file", mediaType: "image/*", source: { type: "url", url: "https://x/y" } },
        { type: "file", mediaType: "image/*", source: { type: "url", url: "https://x/y" } },
        opaque(4, "image_url"),
        { type: "file", mediaType: "audio/wav", source: { type: "base64", data: "QQ==" } },
        opaque(6, "input_audio"),
        { type: "file", mediaType: "application/pdf", source: { type: "id", id: "f" } },
        {
          type: "file",
          mediaType: "application/pdf",
          source: { type: "base64", data: "QQ==" },
          name: "a.pdf",
        },
        opaque(9, "file"),
        opaque(10, "file"),
        {
          type: "file",
          mediaType: "image/*",
          source: { type: "url", url: "https://x/y" },
          ...extra({ image_url: {}, extra: 1 }),
        },
        { type: "opaque", wire: "openai-chat", kind: "unknown", data: { text: "bare" } },
        opaque(13, "file"),
      ],
    });
    expect(one({ role: "user", content: { odd: 1 } })).toEqual({ role: "user", parts: [] });
  });

  it("P-G1 files are files, whatever else their chunk says, and all of it returns to its place", () => {
    const beside = { cache_control: { type: "ephemeral" } };
    const content = [
      { type: "image_url", image_url: { url: "https://x/y", detail: "low" }, ...beside },
      { type: "input_audio", input_audio: { data: "QQ==", format: "wav" }, ...beside },
      { type: "file", file: { file_id: "f" }, ...beside },
      {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,QQ==", odd: 1 },
        ...beside,
      },
    ];
    const { messages } = read({ role: "user", content });
    expect(messages[0]?.parts.map(({ type }) => type)).toEqual(content.map(() => "file"));
    const request = { model: "m", messages, thinking: { type: "default" }, show: false } as const;
    const { body } = openaiChat.encode({ ...request, stream: false }, { model: plain });
    expect(body["messages"]).toEqual([{ role: "user", content }]);
    expect(read({ role: "tool", tool_call_id: "c", content }).messages[0]?.parts[0]).toMatchObject({
      output: content.map(() => ({ type: "file" })),
    });
  });

  it("results are gathered and know the name of their call", () => {
    const { messages } = read(
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", function: { name: "add", arguments: "{}" } }],
        prefix: false,
      },
      { role: "tool", tool_call_id: "c1", content: "3" },
      {
        role: "tool",
        tool_call_id: "c2",
        name: "other",
        content: [{ type: "text", text: "x" }, { type: "odd" }],
      },
      { role: "function", content: "old" },
    );
    const nameless = { function: { name: "f", arguments: "{}" } };
    expect(one({ role: "assistant", tool_calls: [nameless] })?.parts).toMatchObject([
      { id: "", localId: true },
    ]);
    expect(messages).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "tool-call", id: "c1", name: "add", input: {} },
          { type: "opaque", wire: "openai-chat", kind: "message-fields", data: { prefix: false } },
        ],
      },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "c1", name: "add", output: "3" },
          {
            type: "tool-result",
            callId: "c2",
            name: "other",
            output: [
              { type: "text", text: "x" },
              { type: "text", text: '{"type":"odd"}' },
            ],
            ...extra({ content: [{ type: "text", text: "x" }, { type: "odd" }] }),
          },
          { type: "tool-result", callId: "", name: "", output: "old" },
        ],
      },
    ]);
  });

  it("texts with fields of their own do not run together", () => {
    const content = [
      { type: "text", text: "a", cache_control: 1 },
      { type: "text", text: "b" },
      { type: "odd" },
    ];
    const call = { id: "c1", function: { name: "add", arguments: "{}" } };
    expect(kinds({ role: "assistant", content, tool_calls: [call] })).toEqual([
      "text",
      "text",
      "opaque",
      "tool-call",
    ]);
    expect(kinds({ role: "assistant", content })).toEqual(["text", "text", "opaque"]);
    expect(kinds({ role: "assistant", content: content.slice(1) })).toEqual(["text", "opaque"]);
  });

  it("a message of endless parts is refused", () => {
    const content = Array.from({ length: 10_001 }, () => ({ type: "odd" }));
    expect(() => one({ role: "assistant", content })).toThrow(/more than 10000 parts/);
  });
});
