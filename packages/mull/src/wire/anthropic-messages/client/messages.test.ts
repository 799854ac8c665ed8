import { expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Message, Origin, UserPart } from "../../../types/message.ts";
import type { Model } from "../../../types/model.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { Encoded } from "../../../types/wire.ts";
import { encode } from "./encode.ts";

const wire = "anthropic-messages" as const;
const origin: Origin = { wire, provider: "anthropic", model: "claude-opus-5-5" };
const foreign: Origin = { wire: "openai-responses", provider: "openai", model: "gpt-6" };

function write(messages: readonly Message[], row: Partial<Model> = {}, quirks?: Quirks): Encoded {
  const model = { ...findModel("claude-opus-5-5"), ...row };
  const request = {
    model: model.id,
    messages,
    thinking: { type: "default" },
    show: "auto",
    stream: true,
  } as const;
  return encode(request, { model, ...(quirks && { quirks }) });
}

const user = (...parts: readonly UserPart[]): Message => ({ role: "user", parts });
const text = (words: string): UserPart => ({ type: "text", text: words });
const model = (...parts: readonly AssistantPart[]): Message => ({ role: "assistant", parts });
const system = (words: string): Message => ({
  role: "system",
  parts: [{ type: "text", text: words }],
});
const contentOf = (messages: readonly Message[], quirks?: Quirks): unknown => {
  const [first] = write(messages, {}, quirks).body["messages"] as readonly JsonObject[];
  return first?.["content"];
};
const call = { type: "tool-call", id: "c1", name: "f", input: { a: 1 } } as const;
const answer = { type: "text", text: "done" } as const;

test("R218 P-A3 P-A7: sealed thinking goes back byte for byte and in place, empty text included", () => {
  const parts: readonly AssistantPart[] = [
    {
      type: "thinking",
      text: "one \ud83d",
      visibility: "summary",
      seal: { origin, data: { signature: "s1" } },
    },
    call,
    {
      type: "thinking",
      text: "",
      visibility: "hidden",
      seal: { origin, data: { signature: "s2" } },
    },
    {
      type: "thinking",
      text: "",
      visibility: "redacted",
      seal: { origin, data: { redacted: "r" } },
    },
    { ...call, id: "c2", extra: { wire, fields: { caller: { type: "direct" } } } },
  ];
  expect(contentOf([model(...parts)])).toEqual([
    { type: "thinking", thinking: "one \ud83d", signature: "s1" },
    { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
    { type: "thinking", thinking: "", signature: "s2" },
    { type: "redacted_thinking", data: "r" },
    { type: "tool_use", id: "c2", name: "f", input: { a: 1 }, caller: { type: "direct" } },
  ]);
});

test("P-A11 P-A14 D16: unsigned, foreign and withheld thinking is never sent", () => {
  const parts: readonly AssistantPart[] = [
    { type: "thinking", text: "unsigned", visibility: "full" },
    {
      type: "thinking",
      text: "foreign",
      visibility: "summary",
      seal: { origin: foreign, data: { id: "rs_1" } },
    },
    {
      type: "thinking",
      text: "cut",
      visibility: "summary",
      send: false,
      seal: { origin, data: { signature: "x" } },
    },
    answer,
  ];
  expect(contentOf([model(...parts)])).toEqual([answer]);
});

test("P-G5: endpoints that check no signatures get thinking back without one", () => {
  const parts: readonly AssistantPart[] = [
    { type: "thinking", text: "plain", visibility: "full" },
    { type: "thinking", text: "", visibility: "redacted" },
    answer,
  ];
  expect(contentOf([model(...parts)], { unsignedThinking: true })).toEqual([
    { type: "thinking", thinking: "plain", signature: "" },
    answer,
  ]);
});

test("thinking that nothing follows is held back", () => {
  const encoded = write([
    model(answer, {
      type: "thinking",
      text: "x",
      visibility: "summary",
      seal: { origin, data: { signature: "s" } },
    }),
  ]);
  expect(encoded.body["messages"]).toEqual([{ role: "assistant", content: [answer] }]);
  expect(encoded.notes).toMatchObject([{ code: "thinking-dropped" }]);
});

test("text behind a call goes before it, but nothing crosses a thought", () => {
  const thought = {
    type: "thinking",
    text: "t",
    visibility: "summary",
    seal: { origin, data: { signature: "s" } },
  } as const;
  const types = (
    contentOf([model(call, { ...call, id: "c2" }, answer, thought, call)]) as readonly JsonObject[]
  ).map((block) => block["type"]);
  expect(types).toEqual(["text", "tool_use", "tool_use", "thinking", "tool_use"]);
});

test("results and what the user says next are one message", () => {
  const result = { type: "tool-result", callId: "c1", name: "f", output: "42" } as const;
  const encoded = write([
    model(call),
    { role: "tool", parts: [result] },
    user(text("go on")),
    user(text("")),
  ]);
  expect(encoded.body["messages"]).toMatchObject([
    { role: "assistant" },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "42" },
        { type: "text", text: "go on" },
      ],
    },
  ]);
});

test("a failed result has text and no files; free-text input becomes an object", () => {
  const image = {
    type: "file",
    mediaType: "image/png",
    source: { type: "base64", data: "AA==" },
  } as const;
  const results: Message = {
    role: "tool",
    parts: [
      { type: "tool-result", callId: "c1", name: "f", output: "", isError: true },
      { type: "tool-result", callId: "c2", name: "f", output: [image, answer], isError: true },
      { type: "tool-result", callId: "c3", name: "f", output: [image] },
    ],
  };
  expect(contentOf([results])).toEqual([
    { type: "tool_result", tool_use_id: "c1", content: "The tool failed.", is_error: true },
    { type: "tool_result", tool_use_id: "c2", content: [answer], is_error: true },
    {
      type: "tool_result",
      tool_use_id: "c3",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      ],
    },
  ]);
  expect(contentOf([model({ ...call, input: "free" })])).toMatchObject([
    { input: { input: "free" } },
  ]);
});

const file = (
  mediaType: string,
  source: Extract<UserPart, { type: "file" }>["source"],
): UserPart => ({ type: "file", mediaType, source, name: "n" });

test("files in every form the service takes", () => {
  const encoded = write([
    user(
      file("image/*", { type: "url", url: "https://x.test/a" }),
      file("application/pdf", { type: "id", id: "file_1" }),
      file("text/plain", { type: "base64", data: "aMOpIQ==" }),
    ),
  ]);
  expect(encoded.body["messages"]).toMatchObject([
    {
      content: [
        { type: "image", source: { type: "url", url: "https://x.test/a" } },
        { type: "document", source: { type: "file", file_id: "file_1" }, title: "n" },
        {
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "hé!" },
          title: "n",
        },
      ],
    },
  ]);
  expect(encoded.headers["anthropic-beta"]).toBe("files-api-2025-04-14");
});

test("files the wire does not take are refused by name", () => {
  const pdf: UserPart = {
    type: "file",
    mediaType: "application/pdf",
    source: { type: "base64", data: "" },
  };
  expect(() => write([user({ ...pdf, mediaType: "audio/wav" })])).toThrow(
    /^messages\.0\.parts\.0: claude.*audio\/wav given as base64/,
  );
  const encoded = write([model(pdf, answer)]);
  expect(encoded.notes).toMatchObject([{ code: "file-dropped" }]);
});

test("R95: system messages are lifted out, or stand inline where the model takes them", () => {
  const messages = [
    system("a"),
    user(text("q")),
    system("b"),
    model(answer),
    system("c"),
    user(text("r")),
  ];
  const inline = write(messages).body;
  expect(inline["system"]).toMatchObject([{ text: "a" }, { text: "c" }]);
  expect(inline["messages"]).toMatchObject([
    { role: "user" },
    { role: "system" },
    { role: "assistant" },
    { role: "user" },
  ]);
  const lifted = write(messages, { systemMessages: false }).body;
  expect(lifted["system"]).toMatchObject([{ text: "a" }, { text: "b" }, { text: "c" }]);
  const behindTool = write([
    { role: "tool", parts: [{ type: "tool-result", callId: "c", name: "f", output: "" }] },
    system("d"),
  ]);
  expect(behindTool.body["messages"]).toMatchObject([{ role: "user" }, { role: "system" }]);
});

test("P-B12: a change of effort goes into the conversation where the model takes it", () => {
  const update: Message = {
    role: "system",
    parts: [{ type: "opaque", wire, kind: "effort-update", data: { effort: "low" } }],
  };
  const encoded = write([user(text("q")), update, user(text("r"))]);
  expect(encoded.body["messages"]).toMatchObject([
    { role: "user" },
    { role: "system", content: [], output_config: { effort: "low" } },
    { role: "user" },
  ]);
  expect(encoded.headers["anthropic-beta"]).toBe("mid-conversation-output-config-2026-07-01");
  expect(write([user(text("q")), update], { effortUpdates: false }).body["messages"]).toHaveLength(
    1,
  );
});

test("opaque blocks and extra fields go back to their own wire only", () => {
  const mine: AssistantPart = {
    type: "opaque",
    wire,
    kind: "compaction",
    data: { type: "compaction", content: "c" },
  };
  const other: AssistantPart = {
    type: "opaque",
    wire: "google-generate",
    kind: "executableCode",
    data: {},
  };
  const labelled: AssistantPart = {
    ...answer,
    extra: { wire: "google-generate", fields: { x: 1 } },
  };
  expect(contentOf([model(mine, other, labelled)])).toEqual([
    { type: "compaction", content: "c" },
    answer,
  ]);
});
