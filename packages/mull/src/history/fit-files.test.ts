import { describe, expect, test } from "vitest";
import { compose } from "../chat/compose.ts";
import { providers, resolveModel } from "../providers/index.ts";
import type { JsonObject } from "../types/json.ts";
import type { FilePart, Message, OpaquePart, Origin } from "../types/message.ts";

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
  test.each(refs)("P-G1 no kind and no form of file ends it: %s", (ref) => {
    for (const file of files) {
      const composed = compose(resolveModel(ref), { messages: conversation(file) });
      const codes = composed.prepared.changes.map(({ code }) => code);
      expect(codes.every((code) => /^file-(?:omitted|quoted)$/.test(code))).toBe(true);
    }
  });

  test.each([
    ["claude-opus-5-5", "audio/wav", 2],
    ["claude-opus-5-5", "text/plain", 0],
    ["gpt-6-sol", "video/mp4", 2],
    ["gpt-6-sol", "text/csv", 0],
    ["gemini-3.8-flash", "audio/wav", 0],
    ["openai-chat:gpt-6-sol", "audio/wav", 0],
  ])(
    "P-G1 %s and %s: %i are replaced by words, and the receipt says so",
    (ref, mediaType, count) => {
      const file: FilePart = { type: "file", mediaType, source: inline, name: "note" };
      const { prepared } = compose(resolveModel(ref), { messages: conversation(file) });
      expect(prepared.changes).toHaveLength(count);
      const words = JSON.stringify(prepared.messages).split(
        "[note: a file this model does not take]",
      );
      expect(words).toHaveLength(count + 1);
    },
  );

  test.each([
    ["xai:grok-4.7", "text/plain"],
    ["claude-opus-5-5", "text/csv"],
    ["claude-opus-5-5", "application/json"],
  ])(
    "P-G1 nothing said is lost: %s gets the text of a %s file as quoted text",
    (ref, mediaType) => {
      const file: FilePart = { type: "file", mediaType, source: inline, name: "note" };
      const { prepared } = compose(resolveModel(ref), { messages: conversation(file) });
      expect(prepared.changes.map(({ code }) => code)).toEqual(["file-quoted", "file-quoted"]);
      const words = JSON.stringify(prepared.messages).split(
        'The file note:\\n\\"\\"\\"\\nhello\\n\\"\\"\\"',
      );
      expect(words).toHaveLength(3);
    },
  );

  test.each([
    ["bytes that are not text", { type: "base64", data: "/w==" }],
    ["what is not base64", { type: "base64", data: "no base64!" }],
    ["an address", { type: "url", url: "https://example.com/file" }],
  ] satisfies readonly (readonly [string, FilePart["source"]])[])(
    "P-G1 a text file is omitted where its text is not at hand: %s",
    (_what, source) => {
      const file: FilePart = { type: "file", mediaType: "text/csv", source };
      const { prepared } = compose(resolveModel("claude-opus-5-5"), {
        messages: conversation(file),
      });
      expect(prepared.changes.map(({ code }) => code)).toEqual(["file-omitted", "file-omitted"]);
    },
  );

  const claude: Origin = {
    wire: "anthropic-messages",
    provider: "anthropic",
    endpoint: "https://api.anthropic.com",
    model: "claude-opus-5-5",
  };
  const openai: Origin = {
    wire: "openai-responses",
    provider: "openai",
    endpoint: "https://api.openai.com",
    model: "gpt-6-sol",
  };
  const gemini: Origin = { wire: "google-generate", provider: "google", model: "gemini-3.8-flash" };
  const kept: FilePart["source"] = { type: "id", id: "file_1" };
  const uri = "https://generativelanguage.googleapis.com/v1beta/files/1";

  test.each([
    ["claude-sonnet-5", claude, kept, 0],
    ["gpt-6-sol", claude, kept, 2],
    ["gemini-3.8-flash", claude, kept, 2],
    ["claude-opus-5-5", openai, kept, 2],
    ["openai-chat:gpt-6-sol", openai, kept, 0],
    ["claude-opus-5-5", gemini, { type: "url", url: uri }, 2],
    ["claude-opus-5-5", gemini, { type: "url", url: "gs://bucket/file" }, 2],
    ["gemini-3.8-flash", gemini, { type: "url", url: uri }, 0],
    ["gpt-6-sol", claude, { type: "url", url: "https://example.com/file" }, 0],
    ["gpt-6-sol", undefined, kept, 0],
  ] satisfies readonly (readonly [string, Origin | undefined, FilePart["source"], number])[])(
    "P-G1 %s is not sent what lies in the store of another service (%j, %j): %i",
    (ref, origin, source, count) => {
      const file: FilePart = { type: "file", mediaType: "application/pdf", source };
      const messages = conversation(file).map((message) =>
        message.role === "assistant" && origin !== undefined ? { ...message, origin } : message,
      );
      const { provider, model } = resolveModel(ref);
      const context = { endpoint: new URL(provider.baseUrl).origin };
      const { prepared } = compose({ provider, model }, { messages }, context);
      expect(prepared.changes.map(({ detail }) => detail)).toEqual(
        Array.from({ length: count }, () => expect.stringContaining(`only ${origin?.provider} `)),
      );
    },
  );

  test("P-G1 an id in a question nobody has answered is meant for the model that is asked", () => {
    const file: FilePart = { type: "file", mediaType: "application/pdf", source: kept };
    const asked: Message = { role: "user", parts: [file] };
    const said: Message = { role: "assistant", parts: [{ type: "text", text: "Hi" }] };
    const messages: readonly Message[] = [asked, { ...said, origin: claude }, asked];
    const { prepared } = compose(resolveModel("gpt-6-sol"), { messages });
    expect(prepared.changes.map(({ message }) => message)).toEqual([0]);
  });

  test("P-G1 the id that a tool gave goes to who called it, in mid loop too", () => {
    const file: FilePart = { type: "file", mediaType: "application/pdf", source: kept };
    const messages = conversation(file)
      .slice(0, 3)
      .map((message) => (message.role === "assistant" ? { ...message, origin: claude } : message));
    const changesFor = (ref: string): number =>
      compose(resolveModel(ref), { messages }).prepared.changes.length;
    expect([changesFor("claude-opus-5-5"), changesFor("gpt-6-sol")]).toEqual([0, 2]);
  });

  test.each<[kind: string, data: JsonObject, sent: readonly string[], code: string | undefined]>([
    [
      "search_result",
      { title: "Oslo", content: [{ type: "text", text: "4 degrees" }] },
      ["Hi", expect.stringContaining('"text":"4 degrees"')],
      "file-quoted",
    ],
    [
      "video_url",
      { url: "x" },
      ["Hi", "[video_url: a file this model does not take]"],
      "file-omitted",
    ],
    ["additional_tools", { tools: [{ name: "look" }] }, ["Hi"], undefined],
  ])(
    "P-G1 a block of another wire is told of if a person gave it to read: %s",
    (kind, data, sent, code) => {
      const block: OpaquePart = { type: "opaque", wire: "anthropic-messages", kind, data };
      const messages: readonly Message[] = [
        { role: "user", parts: [{ type: "text", text: "Hi" }, block] },
      ];
      const { prepared } = compose(resolveModel("gpt-6-sol"), { messages });
      expect(prepared.messages[0]?.parts.map((part) => "text" in part && part.text)).toEqual(sent);
      expect(prepared.changes.map((change) => change.code)).toEqual(code ? [code] : []);
      const own = compose(resolveModel("claude-opus-5-5"), { messages });
      expect([own.prepared.messages[0], own.prepared.changes]).toEqual([messages[0], []]);
    },
  );

  test("P-G1 a file that is never to be sent again is not quoted either", () => {
    const file: FilePart = { type: "file", mediaType: "text/plain", source: inline, send: false };
    const { prepared } = compose(resolveModel("deepseek-v4-pro"), { messages: conversation(file) });
    expect(prepared.messages[0]?.parts).toEqual([{ type: "text", text: "What is this?" }]);
    expect(prepared.changes).toEqual([]);
  });
});
