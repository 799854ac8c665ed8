import { describe, expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { AssistantMessage, Message, ToolCallPart } from "../../../types/message.ts";
import type { Model } from "../../../types/model.ts";
import type { ThinkingSetting } from "../../../types/plan.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { Encoded } from "../../../types/wire.ts";
import { googleGenerate } from "../index.ts";

const flash = findModel("gemini-3.8-flash");
const flash25 = findModel("gemini-2.5-flash");
const hello: Message = { role: "user", parts: [{ type: "text", text: "Hi" }] };
const plain: WireRequest = {
  model: "gemini-3.8-flash",
  messages: [hello],
  thinking: { type: "default" },
  show: "auto",
  stream: true,
};
const weather = { name: "weather", description: "d", inputSchema: { type: "object" } };

const encode = (
  request: Partial<WireRequest>,
  model: Model = flash,
  quirks: Quirks = {},
): Encoded => googleGenerate.encode({ ...plain, ...request }, { model, quirks });

const codes = ({ notes }: Encoded): readonly string[] => notes.map(({ code }) => code);

describe("the request", () => {
  test("R72 R74 R84 R87 R88 R90: a golden body", () => {
    const { path, headers, body, notes } = encode({
      system: "Be brief.",
      tools: [weather],
      toolChoice: "auto",
      thinking: { type: "level", level: "LOW" },
      maxOutputTokens: 8192,
    });
    expect(path).toBe("/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse");
    expect(headers).toEqual({});
    expect(notes).toEqual([]);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      tools: [
        {
          functionDeclarations: [
            { name: "weather", description: "d", parametersJsonSchema: { type: "object" } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: {
        maxOutputTokens: 8192,
        thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true },
      },
    });
  });

  test("the path names the last segment of the id, and Vertex's own parent", () => {
    const model = "models/gemini-3.8-flash";
    expect(encode({ model, stream: false }).path).toBe(
      "/v1beta/models/gemini-3.8-flash:generateContent",
    );
    expect(encode({ model }, flash, { vertex: true }).path).toBe(
      "/publishers/google/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    );
  });

  test.each<[string, Model, ThinkingSetting, unknown]>([
    [
      "R73 budget",
      flash25,
      { type: "budget", tokens: 8192 },
      { thinkingBudget: 8192, includeThoughts: true },
    ],
    ["R40 off", flash25, { type: "off", form: "budget-zero" }, { thinkingBudget: 0 }],
    ["on", flash25, { type: "on" }, { thinkingBudget: -1, includeThoughts: true }],
    [
      "R76 level",
      flash,
      { type: "level", level: "HIGH" },
      { thinkingLevel: "HIGH", includeThoughts: true },
    ],
    ["R77 auto", flash, { type: "default" }, undefined],
    ["off by omission", flash, { type: "off", form: "omit" }, undefined],
  ])("%s", (_, model, thinking, wanted) => {
    const { body, notes } = encode({ thinking }, model);
    expect(body["generationConfig"]).toEqual(wanted && { thinkingConfig: wanted });
    expect(notes).toEqual([]);
  });

  test.each<[string, Model, ThinkingSetting]>([
    ["R51 a budget on Gemini 3", flash, { type: "budget", tokens: 1 }],
    ["R52 a level on Gemini 2.5", flash25, { type: "level", level: "LOW" }],
    [
      "D7 a level on a model that does not think",
      findModel("gemini-2.0-flash"),
      { type: "level", level: "LOW" },
    ],
    ["an effort", flash, { type: "effort", effort: "high" }],
    ["on, where there is no switch", flash, { type: "on" }],
  ])("%s is dropped with a note", (_, model, thinking) => {
    const encoded = encode({ thinking }, model);
    expect(encoded.body["generationConfig"]).toBeUndefined();
    expect(codes(encoded)).toEqual(["google-thinking-dropped"]);
  });

  test("R82 D15: summaries are asked for unless they are not wanted", () => {
    const thinking: ThinkingSetting = { type: "level", level: "LOW" };
    expect(encode({ thinking, show: false }).body["generationConfig"]).toEqual({
      thinkingConfig: { thinkingLevel: "LOW" },
    });
  });

  test("sampling goes where it counts, and is dropped with a note where it does not", () => {
    const sampling = { temperature: 0.5, topP: 0.9, topK: 3 };
    expect(encode(sampling, flash25).body["generationConfig"]).toEqual(sampling);
    const dropped = encode(sampling);
    expect(dropped.body["generationConfig"]).toBeUndefined();
    expect(codes(dropped)).toEqual(["sampling-dropped"]);
  });

  test("five stop sequences at most", () => {
    const stopSequences = ["1", "2", "3", "4", "5", "6"];
    const encoded = encode({ stopSequences });
    expect(encoded.body["generationConfig"]).toEqual({ stopSequences: stopSequences.slice(0, 5) });
    expect(codes(encoded)).toEqual(["stop-sequences-dropped"]);
  });

  test("a schema for the answer, const written as a one-value enum", () => {
    const schema = {
      type: "object",
      properties: { kind: { const: "a" }, const: { type: "string" } },
      anyOf: [{ const: 1 }],
      enum: [{ const: 1 }],
    };
    expect(encode({ output: { schema } }).body["generationConfig"]).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: {
        type: "object",
        properties: { kind: { enum: ["a"] }, const: { type: "string" } },
        anyOf: [{ enum: [1] }],
        enum: [{ const: 1 }],
      },
    });
  });

  test("JSON answers beside functions: not before Gemini 3", () => {
    const schema = { type: "object" };
    const request = { output: { schema }, tools: [weather], system: "Be brief." } as const;
    const old = encode(request, flash25);
    expect(old.body["generationConfig"]).toBeUndefined();
    expect(codes(old)).toContain("schema-dropped");
    const [brief, words] = (old.body["systemInstruction"] as { parts: { text: string }[] }).parts;
    expect([brief?.text, words?.text]).toEqual([
      "Be brief.",
      expect.stringContaining('JSON Schema:\n{"type":"object"}'),
    ]);
    expect(codes(encode(request))).toEqual([]);
    expect(codes(encode({ ...request, tools: [] }, flash25))).toEqual([]);
  });

  test.each([
    ["none", { mode: "NONE" }],
    ["required", { mode: "ANY" }],
    [{ tool: "weather" }, { mode: "ANY", allowedFunctionNames: ["weather"] }],
  ] as const)("tool choice %j", (toolChoice, functionCallingConfig) => {
    expect(encode({ tools: [weather], toolChoice }).body["toolConfig"]).toEqual({
      functionCallingConfig,
    });
  });

  test("R96: a tool choice without functions is not sent", () => {
    expect(encode({ toolChoice: "required" }).body["toolConfig"]).toBeUndefined();
    expect(encode({ tools: [weather] }).body["toolConfig"]).toBeUndefined();
    expect(codes(encode({ tools: [weather], parallelToolCalls: false }))).toEqual([
      "parallel-calls-kept",
    ]);
  });

  test("strict functions are validated from Gemini 3 on", () => {
    const tools = [{ ...weather, strict: true }];
    expect(encode({ tools }).body["toolConfig"]).toEqual({
      functionCallingConfig: { mode: "VALIDATED" },
    });
    expect(encode({ tools }, flash25).body["toolConfig"]).toBeUndefined();
  });

  test("vendor tools go to their own wire only; a schema of one's own stays", () => {
    const encoded = encode({
      tools: [
        { vendor: { wire: "google-generate", fields: { googleSearch: {} } } },
        { vendor: { wire: "anthropic-messages", fields: { type: "web_search" } } },
        {
          name: "f",
          inputSchema: {},
          extra: { wire: "google-generate", fields: { parameters: { type: "OBJECT" } } },
        },
        { name: "g", inputSchema: {}, extra: { wire: "openai-chat", fields: { x: 1 } } },
      ],
    });
    expect(encoded.body["tools"]).toEqual([
      {
        functionDeclarations: [
          { name: "f", parameters: { type: "OBJECT" } },
          { name: "g", parametersJsonSchema: {} },
        ],
      },
      { googleSearch: {} },
    ]);
    expect(codes(encoded)).toEqual(["tool-dropped"]);
  });

  test("extra is merged last, into the objects that are there", () => {
    const extra = { generationConfig: { seed: 1 }, store: false, contents: [] };
    const { body } = encode({ maxOutputTokens: 5, extra });
    expect(body).toEqual({
      contents: [],
      generationConfig: { maxOutputTokens: 5, seed: 1 },
      store: false,
    });
  });

  test("R95: every system text is the instruction; Gemma reads it in the first user turn", () => {
    const messages: Message[] = [
      {
        role: "system",
        parts: [
          { type: "text", text: "B" },
          { type: "text", text: "x", send: false },
        ],
      },
      hello,
    ];
    const system = [{ type: "text", text: "A" }] as const;
    expect(encode({ system, messages }).body["systemInstruction"]).toEqual({
      parts: [{ text: "A" }, { text: "B" }],
    });
    const gemma = findModel("gemma-4-31b-it");
    const user = { role: "user", parts: [{ text: "A" }, { text: "B" }, { text: "Hi" }] };
    expect(encode({ system, messages }, gemma).body).toEqual({ contents: [user] });
    expect(encode({ system, messages: [] }, gemma).body).toEqual({
      contents: [{ role: "user", parts: [{ text: "A" }] }],
    });
  });
});

const origin = { wire: "google-generate", provider: "google", model: "gemini-3.8-flash" } as const;
const call = (fields: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: "tool-call",
  id: "c1",
  name: "weather",
  input: { city: "Oslo" },
  ...fields,
});
const result: Message = {
  role: "tool",
  parts: [{ type: "tool-result", callId: "c1", name: "weather", output: "cold" }],
};
const answer = (...parts: AssistantMessage["parts"]): AssistantMessage => ({
  role: "assistant",
  parts,
});

const sign = (request: Partial<WireRequest>, model = flash): unknown =>
  JSON.stringify(encode(request, model).body).match(/"thoughtSignature":"[^"]*"/g);

describe("M the skip value", () => {
  test("P-F3: the first call of each step of the current turn gets it, where there is no signature", () => {
    const encoded = encode({
      messages: [
        hello,
        answer(call()),
        result,
        answer({ type: "text", text: "Cold." }),
        hello,
        answer(call(), call()),
        result,
        answer(call()),
        result,
      ],
    });
    expect(codes(encoded)).toEqual(["google-skip-signature"]);
    expect(JSON.stringify(encoded.body).match(/skip_thought_signature_validator/g)).toHaveLength(2);
    expect(encoded.notes[0]?.message).toContain("2 tool calls");
    expect(encode({ messages: [hello, answer(call()), result] }).notes[0]?.message).toContain(
      "1 tool call ",
    );
  });

  test("R204 P-F1: a signature goes back on its part, byte for byte", () => {
    const seal = { origin, data: { thoughtSignature: "a+/=" } };
    const messages = [hello, answer({ type: "text", text: "", seal }, call({ seal })), result];
    expect(sign({ messages })).toEqual(['"thoughtSignature":"a+/="', '"thoughtSignature":"a+/="']);
  });

  test("R203: nothing is added before Gemini 3, nor on image models", () => {
    const messages = [hello, answer(call()), result];
    expect(sign({ messages }, flash25)).toBeNull();
    expect(sign({ messages }, findModel("gemini-3-pro-image"))).toBeNull();
    expect(sign({ messages }, findModel("gemma-4-31b-it"))).toBeNull();
    expect(sign({ messages }, findModel("gemini-robotics-er-2-preview"))).not.toBeNull();
  });
});
