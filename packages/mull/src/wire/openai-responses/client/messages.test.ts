import { describe, expect, it } from "vitest";
import type { AssistantPart, FilePart, Message } from "../../../types/message.ts";
import type { Model } from "../../../types/model.ts";
import { codes, encode, gpt6, inputOf, origin, seal } from "../testing/requests.ts";

describe("answers in the history", () => {
  const thinking: AssistantPart = {
    type: "thinking",
    text: "Adding.",
    visibility: "summary",
    seal: seal({
      id: "rs_1",
      encrypted_content: "gAAA",
      summary: [{ type: "summary_text", text: "Adding." }],
    }),
  };
  const text: AssistantPart = {
    type: "text",
    text: "4",
    seal: seal({ id: "msg_1", phase: "final_answer" }),
  };
  const call: AssistantPart = {
    type: "tool-call",
    id: "call_1",
    name: "add",
    input: { a: 2 },
    seal: seal({ id: "fc_1" }),
  };

  it("go back whole and in order (P-C1, P-C2, D13)", () => {
    expect(inputOf([thinking, text, call])).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        encrypted_content: "gAAA",
        summary: [{ type: "summary_text", text: "Adding." }],
      },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        phase: "final_answer",
        content: [{ type: "output_text", text: "4" }],
      },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "add", arguments: '{"a":2}' },
    ]);
  });

  it("always carry a summary; a lone id goes where the successor has none", () => {
    const bare: AssistantPart = {
      ...thinking,
      seal: seal({ id: "rs_1", encrypted_content: "gAAA" }),
    };
    const plain: AssistantPart = { type: "text", text: "4" };
    expect(inputOf([bare, plain])).toEqual([
      { type: "reasoning", summary: [], encrypted_content: "gAAA" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "4" }] },
    ]);
    const unsealed: AssistantPart = { type: "tool-call", id: "call_1", name: "add", input: {} };
    expect(inputOf([bare, unsealed])).toMatchObject([{ id: "rs_1" }, { call_id: "call_1" }]);
  });

  it("P-C2 P-C3: a thought that cannot go back takes the ids of its answer with it", () => {
    const lost: AssistantPart = { ...thinking, seal: seal({ id: "rs_1", summary: [] }) };
    expect(inputOf([lost, text, call, { type: "text", text: "!" }])).toEqual([
      {
        type: "message",
        role: "assistant",
        phase: "final_answer",
        content: [{ type: "output_text", text: "4" }],
      },
      { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":2}' },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "!" }] },
    ]);
  });

  it("go back as plain thoughts where nothing is sealed", () => {
    const model: Model = { ...gpt6, replay: "required" };
    const content = [{ type: "reasoning_text", text: "Hm." }];
    const full: AssistantPart = { type: "thinking", text: "Hm.", visibility: "full" };
    expect(inputOf([full], { model })).toEqual([{ type: "reasoning", summary: [], content }]);
    expect(inputOf([{ ...full, seal: seal({ id: "r", content }) }], { model })).toEqual([
      { type: "reasoning", summary: [], id: "r", content },
    ]);
    expect(inputOf([{ ...full, text: "" }], { model })).toEqual([]);
    expect(inputOf([full])).toEqual([]);
  });

  it("never write what is not to be sent, nor what belongs to another wire", () => {
    const data = { type: "x" };
    expect(
      inputOf([
        { type: "text", text: "no", send: false },
        {
          type: "thinking",
          text: "Hm.",
          visibility: "full",
          seal: { origin: { ...origin, wire: "anthropic-messages" }, data: { signature: "s" } },
        },
        { type: "opaque", wire: "google-generate", kind: "x", data },
        { type: "opaque", wire: "openai-responses", kind: "x", data },
        { type: "text", text: "yes", extra: { wire: "google-generate", fields: { a: 1 } } },
      ]),
    ).toEqual([
      data,
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "yes" }] },
    ]);
  });

  it("keep the content of one message together, refusals and unknown parts too", () => {
    const id = { seal: seal({ id: "msg_1" }) };
    const unknown = { type: "output_audio" };
    expect(
      inputOf([
        {
          type: "text",
          text: "a",
          ...id,
          extra: { wire: "openai-responses", fields: { annotations: [{ x: 1 }] } },
        },
        { type: "text", text: "b", refusal: true, ...id },
        {
          type: "opaque",
          wire: "openai-responses",
          kind: "message",
          data: { type: "message", role: "assistant", id: "msg_1", content: [unknown] },
        },
      ]),
    ).toEqual([
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [
          { type: "output_text", text: "a", annotations: [{ x: 1 }] },
          { type: "refusal", refusal: "b" },
          unknown,
        ],
      },
    ]);
  });

  it("leave out files a model made, with a note", () => {
    const file: FilePart = {
      type: "file",
      mediaType: "image/png",
      source: { type: "id", id: "f" },
    };
    expect(codes(encode({ messages: [{ role: "assistant", parts: [file] }] }))).toEqual([
      "file-dropped",
    ]);
  });
});

describe("other messages", () => {
  it("answer each kind of call in its own way", () => {
    const extra = { wire: "openai-responses", fields: { caller: { type: "program" } } } as const;
    const picture: FilePart = {
      type: "file",
      mediaType: "image/png",
      source: { type: "url", url: "https://x/y.png" },
    };
    const messages: readonly Message[] = [
      { role: "assistant", parts: [{ type: "tool-call", id: "c1", name: "sh", input: "ls" }] },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "c1", name: "sh", output: "a" },
          { type: "tool-result", callId: "c1", name: "sh", output: "late", send: false },
          {
            type: "tool-result",
            callId: "c2",
            name: "f",
            output: [
              { type: "text", text: "b" },
              { type: "text", text: "c" },
            ],
            extra,
          },
          {
            type: "tool-result",
            callId: "c3",
            name: "f",
            output: [{ type: "text", text: "b" }, picture],
          },
        ],
      },
    ];
    expect(encode({ messages }).body["input"]).toEqual([
      { type: "custom_tool_call", call_id: "c1", name: "sh", input: "ls" },
      { type: "custom_tool_call_output", call_id: "c1", output: "a" },
      { type: "function_call_output", call_id: "c2", output: "b\nc", caller: { type: "program" } },
      {
        type: "function_call_output",
        call_id: "c3",
        output: [
          { type: "input_text", text: "b" },
          { type: "input_image", image_url: "https://x/y.png" },
        ],
      },
    ]);
  });

  it("carry system texts, files and items of this wire", () => {
    const pdf = { type: "file", mediaType: "application/pdf" } as const;
    const opaque = { type: "opaque", wire: "openai-responses" } as const;
    const messages: readonly Message[] = [
      { role: "system", parts: [{ type: "text", text: "S" }] },
      {
        role: "user",
        parts: [
          { type: "file", mediaType: "image/png", source: { type: "base64", data: "AA==" } },
          { ...pdf, source: { type: "base64", data: "AA==" }, name: "a.pdf" },
          { ...pdf, source: { type: "base64", data: "AA==" } },
          { ...pdf, source: { type: "url", url: "https://x/a.pdf" } },
          { ...pdf, source: { type: "id", id: "file_1" } },
          { ...opaque, kind: "input_audio", data: { type: "input_audio" } },
          { ...opaque, kind: "configuration_update", data: { type: "configuration_update" } },
          { type: "opaque", wire: "openai-chat", kind: "x", data: {} },
        ],
      },
    ];
    expect(encode({ messages }, { quirks: { systemRole: "developer" } }).body["input"]).toEqual([
      { role: "developer", content: [{ type: "input_text", text: "S" }] },
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "data:image/png;base64,AA==" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
          {
            type: "input_file",
            filename: "file.pdf",
            file_data: "data:application/pdf;base64,AA==",
          },
          { type: "input_file", file_url: "https://x/a.pdf" },
          { type: "input_file", file_id: "file_1" },
          { type: "input_audio" },
        ],
      },
      { type: "configuration_update" },
    ]);
  });

  it("write a change of effort as the service's own item, and only where it is taken", () => {
    const data = { effort: "low" };
    const update: Message = {
      role: "system",
      parts: [{ type: "opaque", wire: "openai-responses", kind: "effort-update", data }],
    };
    const messages: readonly Message[] = [
      { role: "user", parts: [{ type: "text", text: "Hi" }] },
      update,
    ];
    const asked = { role: "user", content: [{ type: "input_text", text: "Hi" }] };
    expect(encode({ messages }).body["input"]).toEqual([
      asked,
      { type: "configuration_update", reasoning: { effort: "low" } },
    ]);
    const model: Model = { ...gpt6, effortUpdates: false };
    expect(encode({ messages }, { model }).body["input"]).toEqual([asked]);
  });

  it("refuse sound", () => {
    const source = { type: "id", id: "f" } as const;
    const file: FilePart = { type: "file", mediaType: "audio/wav", source };
    expect(() => encode({ messages: [{ role: "user", parts: [file] }] })).toThrow(
      "messages: gpt-6-sol takes no audio/wav given as id",
    );
  });
});
