import { describe, expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { AssistantPart, FilePart, Message, Origin } from "../../../types/message.ts";
import { writeContents } from "./messages.ts";

const model = findModel("gemini-2.5-flash");
const flash3 = findModel("gemini-3.8-flash");
const origin: Origin = { wire: "google-generate", provider: "google", model: "gemini-2.5-flash" };
const claude: Origin = { wire: "anthropic-messages", provider: "anthropic", model: "claude" };
const image: FilePart = {
  type: "file",
  mediaType: "image/png",
  source: { type: "base64", data: "AA==" },
};
const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

const partsOf = (parts: readonly AssistantPart[], from?: Origin): unknown =>
  writeContents([{ role: "assistant", parts, ...(from && { origin: from }) }], { model })
    .contents[0]?.parts;

describe("contents", () => {
  test("R84 R85 R86 D10: two roles; results go out as user; neighbours are one", () => {
    const { contents } = writeContents(
      [
        user("a"),
        user("b"),
        { role: "assistant", parts: [{ type: "text", text: "c" }] },
        { role: "assistant", parts: [{ type: "tool-call", id: "x", name: "f", input: {} }] },
        {
          role: "tool",
          parts: [
            { type: "tool-result", callId: "x", name: "f", output: "ok" },
            { type: "tool-result", callId: "y", name: "g", output: "no", isError: true },
            { type: "tool-result", callId: "x", name: "f", output: "bad", isError: true },
            { type: "tool-result", callId: "z", name: "h", output: "gone", send: false },
          ],
        },
        user("d"),
        { role: "system", parts: [] },
        { role: "user", parts: [{ type: "text", text: "x", send: false }] },
      ],
      { model },
    );
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "a" }, { text: "b" }] },
      { role: "model", parts: [{ text: "c" }, { functionCall: { id: "x", name: "f", args: {} } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "x", name: "f", response: { output: "ok" } } },
          { functionResponse: { name: "g", response: { error: "no" } } },
          { functionResponse: { id: "x", name: "f", response: { error: "bad" } } },
          { text: "d" },
        ],
      },
    ]);
  });

  test("R89 D10: ids made here, of other vendors, or for Vertex are not sent", () => {
    const call = { type: "tool-call", id: "x", name: "f", input: "free text" } as const;
    const bare = [{ functionCall: { name: "f", args: { input: "free text" } } }];
    expect(partsOf([{ ...call, localId: true }])).toEqual(bare);
    expect(partsOf([call], claude)).toEqual(bare);
    const messages: Message[] = [{ role: "assistant", parts: [call] }];
    expect(writeContents(messages, { model, quirks: { vertex: true } }).contents[0]?.parts).toEqual(
      bare,
    );
  });

  test("D16: only Google's thoughts go back as thoughts, and nothing foreign is passed off", () => {
    const thought = { type: "thinking", text: "hm", visibility: "summary" } as const;
    const seal = { origin, data: { thoughtSignature: "c2ln" } };
    const foreign = { origin: claude, data: { signature: "x" } };
    expect(partsOf([thought], origin)).toEqual([{ text: "hm", thought: true }]);
    expect(partsOf([{ ...thought, text: "", seal }])).toEqual([
      { text: "", thought: true, thoughtSignature: "c2ln" },
    ]);
    expect(partsOf([thought])).toBeUndefined();
    expect(partsOf([{ ...thought, text: "" }], origin)).toBeUndefined();
    expect(partsOf([{ ...thought, seal: foreign }], claude)).toBeUndefined();
    expect(partsOf([{ ...thought, send: false }], origin)).toBeUndefined();
    expect(partsOf([{ type: "text", text: "a", seal: foreign }])).toEqual([{ text: "a" }]);
    expect(
      partsOf([
        { type: "text", text: "" },
        { type: "text", text: "x", send: false },
      ]),
    ).toBeUndefined();
  });

  test("F-S16: unmodelled blocks and fields go back to their own wire only", () => {
    const seal = { origin, data: { thoughtSignature: "c2ln" } };
    const opaque = {
      type: "opaque",
      wire: "google-generate",
      kind: "toolCall",
      data: { toolCall: { id: "1" } },
    } as const;
    const extra = {
      wire: "google-generate",
      fields: { functionCall: { later: 1 }, beside: 2 },
    } as const;
    expect(
      partsOf([
        { ...opaque, seal },
        { ...opaque, wire: "openai-chat" },
      ]),
    ).toEqual([{ toolCall: { id: "1" }, thoughtSignature: "c2ln" }]);
    expect(partsOf([{ type: "tool-call", id: "x", name: "f", input: {}, extra }])).toEqual([
      { functionCall: { later: 1, id: "x", name: "f", args: {} }, beside: 2 },
    ]);
    expect(
      partsOf([{ type: "text", text: "a", extra: { wire: "openai-chat", fields: { b: 1 } } }]),
    ).toEqual([{ text: "a" }]);
    const own = {
      wire: "google-generate",
      fields: { text: "old", thought: false, mood: "x" },
    } as const;
    expect(
      partsOf([
        { type: "text", text: "a", extra: { ...own, fields: { text: "old", mood: "x" } } },
        { type: "thinking", text: "b", visibility: "full", seal, extra: own },
      ]),
    ).toEqual([
      { text: "a", mood: "x" },
      { text: "b", thought: true, mood: "x", thoughtSignature: "c2ln" },
    ]);
  });

  test("F-S16: a result that was read as an object is written as that object", () => {
    const fields = { functionResponse: { response: { a: 1 } } };
    const extra = { wire: "google-generate", fields } as const;
    const part = { type: "tool-result", callId: "x", name: "f", output: '{"a":1}', extra } as const;
    expect(writeContents([{ role: "tool", parts: [part] }], { model }).contents[0]?.parts).toEqual([
      { functionResponse: { name: "f", response: { a: 1 } } },
    ]);
  });

  test("files: inline, by address, by id", () => {
    const byUrl: FilePart = {
      type: "file",
      mediaType: "",
      source: { type: "url", url: "gs://a" },
      extra: { wire: "google-generate", fields: { fileData: { displayName: "n" } } },
    };
    const byId: FilePart = {
      type: "file",
      mediaType: "application/pdf",
      source: { type: "id", id: "files/1" },
    };
    const message: Message = { role: "user", parts: [image, byUrl, byId] };
    expect(writeContents([message], { model }).contents[0]?.parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "AA==" } },
      { fileData: { displayName: "n", fileUri: "gs://a" } },
      { fileData: { mimeType: "application/pdf", fileUri: "files/1" } },
    ]);
  });

  test("files in results: inside from Gemini 3 on, behind the results before", () => {
    const result: Message = {
      role: "tool",
      parts: [
        {
          type: "tool-result",
          callId: "x",
          name: "f",
          output: [{ type: "text", text: "see" }, image],
        },
      ],
    };
    const inline = { inlineData: { mimeType: "image/png", data: "AA==" } };
    const functionResponse = { name: "f", response: { output: "see" } };
    expect(writeContents([result], { model }).contents[0]?.parts).toEqual([
      { functionResponse },
      inline,
    ]);
    expect(writeContents([result], { model: flash3 }).contents[0]?.parts).toEqual([
      { functionResponse: { ...functionResponse, parts: [inline] } },
    ]);
  });
});
