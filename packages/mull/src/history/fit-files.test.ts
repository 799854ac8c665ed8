import { describe, expect, test } from "vitest";
import { compose } from "../chat/compose.ts";
import { providers, resolveModel } from "../providers/index.ts";
import type { FilePart, Message } from "../types/message.ts";

const inline: FilePart["source"] = { type: "base64", data: "aGVsbG8=" };

const sources: readonly FilePart["source"][] = [
  inline,
  { type: "url", url: "https://example.com/file" },
  { type: "id", id: "file_1" },
];

const mediaTypes = [
  "image/png",
  "image/heic",
  "image/*",
  "application/pdf",
  "text/plain",
  "text/csv",
  "audio/wav",
  "video/mp4",
  "",
];

const files: readonly FilePart[] = mediaTypes.flatMap((mediaType) =>
  sources.map((source): FilePart => ({ type: "file", mediaType, source })),
);

const refs = providers.map(({ id, models }) => `${id}:${models[0]?.id ?? "some-model"}`);

/** A file asked about, a file a tool brought, and a question that is about neither. */
const conversation = (file: FilePart): readonly Message[] => [
  { role: "user", parts: [{ type: "text", text: "What is this?" }, file] },
  { role: "assistant", parts: [{ type: "tool-call", id: "call_1", name: "look", input: {} }] },
  {
    role: "tool",
    parts: [{ type: "tool-result", callId: "call_1", name: "look", output: [file] }],
  },
  { role: "assistant", parts: [{ type: "text", text: "A file." }] },
  { role: "user", parts: [{ type: "text", text: "Thanks. And 2 + 2?" }] },
];

describe("files of a conversation that another model goes on with", () => {
  test.each(refs)("G1 no kind and no form of file ends it: %s", (ref) => {
    for (const file of files) {
      const composed = compose(resolveModel(ref), { messages: conversation(file) });
      const codes = composed.prepared.changes.map(({ code }) => code);
      expect(codes.every((code) => code === "file-omitted")).toBe(true);
    }
  });

  test.each([
    ["claude-opus-5-5", "audio/wav", 2],
    ["claude-opus-5-5", "text/plain", 0],
    ["gpt-6-sol", "video/mp4", 2],
    ["gpt-6-sol", "text/csv", 0],
    ["xai:grok-4.7", "text/plain", 2],
    ["gemini-3.8-flash", "audio/wav", 0],
    ["openai-chat:gpt-6-sol", "audio/wav", 0],
  ])("G1 %s and %s: %i are replaced by words, and the receipt says so", (ref, mediaType, count) => {
    const file: FilePart = { type: "file", mediaType, source: inline, name: "note" };
    const { prepared } = compose(resolveModel(ref), { messages: conversation(file) });
    expect(prepared.changes).toHaveLength(count);
    const words = JSON.stringify(prepared.messages).split(
      "[note: a file this model does not take]",
    );
    expect(words).toHaveLength(count + 1);
  });
});
