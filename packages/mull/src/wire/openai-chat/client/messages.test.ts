import { describe, expect, it } from "vitest";
import { isMullError } from "../../../types/error.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  Message,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import type { Model, ReplayPolicy } from "../../../types/model.ts";
import type { Quirks } from "../../../types/quirks.ts";
import { openaiChat } from "../index.ts";
import { openServer } from "../testing/models.ts";

const origin = { wire: "openai-chat", provider: "acme", model: "m" } as const;

const write = (
  messages: readonly Message[],
  row: Partial<Model> = {},
  quirks?: Quirks,
): JsonValue | undefined =>
  openaiChat.encode(
    { model: "m", messages, thinking: { type: "default" }, show: "auto", stream: false },
    { model: { ...openServer, ...row }, ...(quirks !== undefined && { quirks }) },
  ).body["messages"];

const answer = (...parts: readonly AssistantPart[]): Message => ({ role: "assistant", parts });
const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const thought = (
  text: string,
  data: JsonObject = { field: "reasoning_content" },
): ThinkingPart => ({
  type: "thinking",
  text,
  visibility: "full",
  seal: { origin, data },
});
const say = (text: string): AssistantPart => ({ type: "text", text });
const call: ToolCallPart = { type: "tool-call", id: "c1", name: "add", input: { a: 1 } };
const callBody = { id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } };

const withPolicy = (replay: ReplayPolicy, ...messages: readonly Message[]): JsonValue | undefined =>
  write(messages, { replay });

const ask = (...parts: readonly FilePart[]): readonly Message[] => [
  { role: "user", parts: [{ type: "text", text: "see" }, ...parts] },
];

describe("thinking goes back as the server wants it", () => {
  it("P-E6 required: on every answer, empty if there was none", () => {
    expect(withPolicy("required", answer(thought("hm"), say("a")), answer(say("b")))).toEqual([
      { role: "assistant", content: "a", reasoning_content: "hm" },
      { role: "assistant", content: "b", reasoning_content: "" },
    ]);
  });

  it("P-E7 tool-calls: empty on answers with calls, if prepare left none", () => {
    expect(
      withPolicy("tool-calls", answer(say("a")), answer(thought("so"), call), answer(call)),
    ).toEqual([
      { role: "assistant", content: "a" },
      { role: "assistant", content: null, reasoning_content: "so", tool_calls: [callBody] },
      { role: "assistant", content: null, reasoning_content: "", tool_calls: [callBody] },
    ]);
  });

  it("sealed: only what was sealed on this wire", () => {
    const unsealed: ThinkingPart = { type: "thinking", text: "typed", visibility: "full" };
    const foreign: ThinkingPart = {
      ...thought("x"),
      seal: { origin: { ...origin, wire: "google-generate" }, data: {} },
    };
    expect(withPolicy("sealed", answer(unsealed, foreign, thought("hm"), say("a")))).toEqual([
      { role: "assistant", content: "a", reasoning_content: "hm" },
    ]);
    expect(write([answer(unsealed, say("a"))], {}, { thinkingFields: ["reasoning"] })).toEqual([
      { role: "assistant", content: "a", reasoning: "typed" },
    ]);
  });

  it("is echoed under the name it came in, with what came beside it", () => {
    const details = [
      {
        type: "reasoning.text",
        text: "hm",
        signature: "s",
        format: "anthropic-claude-v1",
        index: 0,
        id: "r1",
      },
      { type: "reasoning.text", text: "lost", format: "anthropic-claude-v1", index: 1 },
      { type: "reasoning.encrypted", data: "e", id: "r2", index: 2 },
      "odd",
    ];
    const sealed = thought("hm", {
      field: "reasoning",
      reasoning_details: details,
      reasoning_opaque: "o",
    });
    const late = thought("", {
      field: "reasoning_details",
      reasoning_details: [{ type: "reasoning.encrypted", data: "l" }],
    });
    expect(write([answer(sealed, say("a"), late), answer(sealed, say("b"))])).toEqual([
      {
        role: "assistant",
        content: "a",
        reasoning: "hm",
        reasoning_details: [
          details[0],
          details[2],
          "odd",
          { type: "reasoning.encrypted", data: "l" },
        ],
        reasoning_opaque: "o",
      },
      {
        role: "assistant",
        content: "b",
        reasoning: "hm",
        reasoning_details: ["odd"],
        reasoning_opaque: "o",
      },
    ]);
  });

  it("keeps an empty list of details", () => {
    expect(
      write([answer(thought("hm", { field: "reasoning", reasoning_details: [] }), say("a"))]),
    ).toMatchObject([{ reasoning_details: [] }]);
  });

  it("Mistral: as one closed chunk in the content", () => {
    const chunk = { type: "thinking", thinking: [{ type: "text", text: "hm" }], closed: true };
    expect(write([answer(thought("hm", { field: "content" }), say("a"))])).toEqual([
      { role: "assistant", content: [chunk, { type: "text", text: "a" }] },
    ]);
    expect(write([answer(thought("hm", { field: "content", signature: "s" }))])).toMatchObject([
      { content: [{ ...chunk, signature: "s" }] },
    ]);
  });

  it("P-E5 inline: between its own tags", () => {
    const tagged = thought("hm", { field: "content", tags: ["<think>", "</think>"] });
    expect(write([answer(tagged, say("a"))])).toEqual([
      { role: "assistant", content: "<think>\nhm\n</think>\n\na" },
    ]);
    expect(write([answer(thought("", { field: "content", tags: [1] }), say("a"))])).toEqual([
      { role: "assistant", content: "a" },
    ]);
    expect(write([answer(thought("x", { field: "content", tags: [1] }))])).toEqual([
      { role: "assistant", content: "\nx\n\n\n" },
    ]);
  });

  it("P-F4 Google's signatures go back where they came: on the call, or on the message", () => {
    const google = { google: { thought_signature: "AV" } };
    const onCall: ToolCallPart = { ...call, seal: { origin, data: { extra_content: google } } };
    const onMessage: ToolCallPart = {
      ...call,
      seal: { origin, data: { message: { extra_content: google } } },
    };
    expect(write([answer(onCall)])).toMatchObject([
      { tool_calls: [{ ...callBody, extra_content: google }] },
    ]);
    expect(write([answer(onMessage)])).toEqual([
      { role: "assistant", content: null, tool_calls: [callBody], extra_content: google },
    ]);
    const foreign: ToolCallPart = {
      ...onCall,
      seal: { origin: { ...origin, wire: "google-generate" }, data: { thoughtSignature: "x" } },
    };
    expect(write([answer(foreign)])).toEqual([
      { role: "assistant", content: null, tool_calls: [callBody] },
    ]);
  });
});

describe("messages", () => {
  it("F-S17 what was cut is never sent, and an empty answer is left out", () => {
    const cut: AssistantPart = { type: "text", text: "half", cut: true, send: false };
    const unsent: Message = { role: "user", parts: [{ type: "text", text: "x", send: false }] };
    expect(write([answer(cut), answer(say("")), user(""), answer(), unsent])).toEqual([]);
  });

  it("F-S20 arguments that weren't JSON go back as an empty object", () => {
    const broken: ToolCallPart = { ...call, input: {}, invalid: { raw: "{", reason: "x" } };
    expect(write([answer(broken)])).toMatchObject([
      { tool_calls: [{ function: { arguments: "{}" } }] },
    ]);
  });

  it("free-text tools keep their text", () => {
    expect(write([answer({ ...call, input: "raw" })])).toMatchObject([
      { tool_calls: [{ id: "c1", type: "custom", custom: { name: "add", input: "raw" } }] },
    ]);
  });

  it("a refusal goes back as one, or as text where servers know no refusals", () => {
    const refusal: AssistantPart = { type: "text", text: "No.", refusal: true };
    expect(write([answer(refusal)])).toEqual([
      { role: "assistant", content: null, refusal: "No." },
    ]);
    expect(write([answer(refusal)], {}, {})).toEqual([{ role: "assistant", content: "No." }]);
    expect(write([answer(say("a"), refusal)], {}, {})).toEqual([
      { role: "assistant", content: "aNo." },
    ]);
    expect(write([answer(refusal, say("a"), refusal)])).toEqual([
      { role: "assistant", content: "a", refusal: "No.No." },
    ]);
  });

  it("fields and blocks of this wire are written back, others are not", () => {
    const own: AssistantPart = {
      type: "opaque",
      wire: "openai-chat",
      kind: "reference",
      data: { type: "reference", ids: [1] },
    };
    const foreign: AssistantPart = {
      type: "opaque",
      wire: "anthropic-messages",
      kind: "x",
      data: {},
    };
    const fields: AssistantPart = {
      type: "opaque",
      wire: "openai-chat",
      kind: "message-fields",
      data: { prefix: true },
    };
    const text = { type: "text", text: "a" } as const;
    expect(write([answer(text, own, foreign, fields)])).toEqual([
      { role: "assistant", content: [text, own.data], prefix: true },
    ]);
    const named = { ...fields, data: { name: "Ann" } };
    expect(write([{ role: "user", parts: [text, named] }, answer(call, call)])).toEqual([
      { role: "user", content: "a", name: "Ann" },
      { role: "assistant", content: null, tool_calls: [callBody, callBody] },
    ]);
    const cached = {
      ...text,
      extra: { wire: "openai-chat", fields: { cache_control: 1 } },
    } as const;
    expect(write([{ role: "user", parts: [cached, text, foreign] }, answer(cached, text)])).toEqual(
      [
        { role: "user", content: [{ ...text, cache_control: 1 }, text] },
        { role: "assistant", content: [{ ...text, cache_control: 1 }, text] },
      ],
    );
    expect(write([{ role: "system", parts: [text, { ...own, data: { type: "x" } }] }])).toEqual([
      { role: "system", content: [text, { type: "x" }] },
    ]);
  });

  it("F-S23 lone surrogates stay what they are", () => {
    const body = JSON.stringify(write([user("\ud800 x")]));
    expect(JSON.parse(body)).toEqual([{ role: "user", content: "\ud800 x" }]);
    expect(body).toContain("\\ud800");
  });
});

describe("files", () => {
  const png: FilePart = {
    type: "file",
    mediaType: "image/png",
    source: { type: "base64", data: "QQ==" },
  };
  const pdf: FilePart = {
    type: "file",
    mediaType: "application/pdf",
    source: { type: "base64", data: "QQ==" },
    name: "a.pdf",
  };
  const url = { type: "url", url: "https://x/y" } as const;

  it("are written as content parts", () => {
    const wav: FilePart = {
      type: "file",
      mediaType: "audio/mpeg",
      source: { type: "base64", data: "QQ==" },
    };
    const id: FilePart = { ...pdf, source: { type: "id", id: "file-1" } };
    const detailed: FilePart = {
      ...png,
      source: url,
      extra: { wire: "openai-chat", fields: { detail: "low" } },
    };
    expect(write(ask(png, pdf, wav, id, detailed))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } },
          {
            type: "file",
            file: { filename: "a.pdf", file_data: "data:application/pdf;base64,QQ==" },
          },
          { type: "input_audio", input_audio: { data: "QQ==", format: "mp3" } },
          { type: "file", file: { file_id: "file-1" } },
          { type: "image_url", image_url: { url: "https://x/y", detail: "low" } },
        ],
      },
    ]);
    const linked: FilePart = { type: "file", mediaType: "application/pdf", source: url };
    expect(write(ask(linked), {}, { fileUrls: true })).toMatchObject([
      { content: [{}, { file: { filename: "file", file_data: "https://x/y" } }] },
    ]);
  });

  it("are refused by name where they cannot be read", () => {
    const refused: readonly FilePart[] = [
      { ...png, source: { type: "id", id: "f" } },
      { ...pdf, source: url },
      { ...png, mediaType: "audio/wav", source: url },
    ];
    for (const part of refused) {
      let error: unknown;
      try {
        write(ask(part));
      } catch (thrown) {
        error = thrown;
      }
      expect(isMullError(error) && [error.category, error.field]).toEqual([
        "invalid_argument",
        "messages[0].parts[1]",
      ]);
    }
  });

  it("of tool results follow in the user's name, unless the server takes them in place", () => {
    const result: Message = {
      role: "tool",
      parts: [
        {
          type: "tool-result",
          callId: "c1",
          name: "shot",
          output: [{ type: "text", text: "done" }, png],
        },
        { type: "tool-result", callId: "c2", name: "add", output: "3" },
        { type: "tool-result", callId: "c3", name: "list", output: [{ type: "text", text: "x" }] },
        { type: "tool-result", callId: "c4", name: "gone", output: "", send: false },
      ],
    };
    expect(write([result])).toEqual([
      { role: "tool", tool_call_id: "c1", content: "done" },
      { role: "tool", tool_call_id: "c2", content: "3" },
      { role: "tool", tool_call_id: "c3", content: "x" },
      {
        role: "user",
        content: [
          { type: "text", text: 'Files returned by tool "shot":' },
          { type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } },
        ],
      },
    ]);
    expect(write([result], {}, { toolImages: true })).toMatchObject([
      { content: [{ type: "text" }, { type: "image_url" }] },
      {},
      {},
    ]);
    expect(write([answer(say("a"), png)])).toEqual([{ role: "assistant", content: "a" }]);
  });
});
