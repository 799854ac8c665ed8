import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { WireRequest } from "../../../types/request.ts";
import { decodeRequest } from "./read-request.ts";

const read = (
  body: JsonObject,
  path = "/v1beta/models/gemini-3.8-flash:generateContent",
): WireRequest => decodeRequest({ path, headers: {}, body });
const origin = { wire: "google-generate", provider: "google", model: "gemini-3.8-flash" };
const messagesOf = (...contents: readonly JsonObject[]): unknown => read({ contents }).messages;

describe("reading requests", () => {
  test("R90: model and stream come from the path", () => {
    expect(
      read({}, "/v1/projects/p/publishers/google/models/a%20b:streamGenerateContent?alt=sse"),
    ).toEqual({
      model: "a b",
      stream: true,
      messages: [],
      thinking: { type: "default" },
      show: false,
    });
    expect(read({}, "/nonsense")).toMatchObject({ model: "", stream: false });
  });

  test("R84 R85 R86: roles, runs of results, and ids for calls that have none", () => {
    expect(
      messagesOf(
        { parts: { text: "a", thought: false } },
        {
          role: "model",
          parts: [
            { text: "hm", thought: true },
            { functionCall: { name: "f" } },
            { function_call: { name: "f", args: { a_b: 1 } }, thought_signature: "c2ln" },
            { functionCall: { id: "x", name: "g" } },
          ],
        },
        {
          role: "function",
          parts: [
            { functionResponse: { name: "f", response: { output: "1" } } },
            { functionResponse: { name: "f", response: { error: "2" } } },
            { text: "and" },
            {
              functionResponse: { id: "x", name: "g", response: { a_b: 1 }, scheduling: "IDLE" },
              beside: 1,
            },
            { functionResponse: { id: "y", name: "g" } },
            {
              functionResponse: {
                name: "h",
                response: { error: 3 },
                parts: [{ inlineData: { mimeType: "a/b", data: "AA==" } }],
              },
            },
            { executableCode: {} },
            { text: "b" },
          ],
        },
      ),
    ).toEqual([
      { role: "user", parts: [{ type: "text", text: "a" }] },
      {
        role: "assistant",
        parts: [
          {
            type: "thinking",
            text: "hm",
            visibility: "summary",
            extra: { wire: "google-generate", fields: { thought: true } },
          },
          { type: "tool-call", id: "call_1_1", localId: true, name: "f", input: {} },
          {
            type: "tool-call",
            id: "call_1_2",
            localId: true,
            name: "f",
            input: { a_b: 1 },
            seal: { origin, data: { thoughtSignature: "c2ln" } },
          },
          { type: "tool-call", id: "x", name: "g", input: {} },
        ],
      },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "call_1_1", name: "f", output: "1" },
          { type: "tool-result", callId: "call_1_2", name: "f", output: "2", isError: true },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "and" }] },
      {
        role: "tool",
        parts: [
          {
            type: "tool-result",
            callId: "x",
            name: "g",
            output: '{"a_b":1}',
            extra: {
              wire: "google-generate",
              fields: { beside: 1, functionResponse: { scheduling: "IDLE", response: { a_b: 1 } } },
            },
          },
          {
            type: "tool-result",
            callId: "y",
            name: "g",
            output: "{}",
            extra: {
              wire: "google-generate",
              fields: { functionResponse: { response: undefined } },
            },
          },
          {
            type: "tool-result",
            callId: "call_h",
            name: "h",
            isError: true,
            output: [
              { type: "text", text: '{"error":3}' },
              { type: "file", mediaType: "a/b", source: { type: "base64", data: "AA==" } },
            ],
            extra: {
              wire: "google-generate",
              fields: { functionResponse: { response: { error: 3 } } },
            },
          },
        ],
      },
      {
        role: "user",
        parts: [
          {
            type: "opaque",
            wire: "google-generate",
            kind: "executableCode",
            data: { executableCode: {} },
          },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("D13: a lone signature belongs to the first unsigned call, else to the last text", () => {
    const lone = { thoughtSignature: "c2ln" };
    const sealed = { seal: { origin, data: lone } };
    expect(
      messagesOf(
        {
          role: "model",
          parts: [{ text: "a" }, { functionCall: { name: "f" } }, lone, lone, lone],
        },
        { role: "model", parts: [{}] },
      ),
    ).toMatchObject([
      {
        parts: [
          { type: "text", text: "a", ...sealed },
          { type: "tool-call", ...sealed },
          { type: "text", text: "", ...sealed },
        ],
      },
      { parts: [{ type: "opaque", kind: "", data: {} }] },
    ]);
  });

  test("system texts, one or several", () => {
    expect(read({ systemInstruction: { parts: [{ text: "a" }, {}] } }).system).toBe("a");
    expect(read({ system_instruction: { parts: [{ text: "a" }, { text: "b" }] } }).system).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
  });

  test("numbers in quotes are numbers, and hints that others refuse are left out", () => {
    const parameters = {
      propertyOrdering: ["a"],
      properties: { a: { type: "ARRAY", minItems: "1", example: [] } },
    };
    const { tools } = read({ tools: [{ functionDeclarations: [{ name: "f", parameters }] }] });
    expect(tools).toEqual([
      {
        name: "f",
        inputSchema: { properties: { a: { type: "array", minItems: 1 } } },
        extra: { wire: "google-generate", fields: { parameters } },
      },
    ]);
  });

  test("R87: functions in either schema form, vendor tools verbatim", () => {
    const parameters = {
      type: "OBJECT",
      properties: {
        a: { type: "STRING", nullable: true },
        b: { type: "ARRAY", items: { type: "INTEGER" } },
        c: { anyOf: [{ type: "NUMBER" }, true], items: true },
        d: true,
      },
    };
    const numbered = { type: 6, properties: { a: { type: 1 }, b: { type: 0 } } };
    const { tools } = read({
      tools: [
        {
          functionDeclarations: [
            { name: "f", parameters },
            { name: "g", description: "d" },
            { name: "h", parameters_json_schema: { type: "object" } },
            { name: "i", parameters: numbered },
          ],
          codeExecution: null,
        },
        { googleSearch: {} },
      ],
    });
    expect(tools).toEqual([
      {
        name: "f",
        inputSchema: {
          type: "object",
          properties: {
            a: { type: ["string", "null"] },
            b: { type: "array", items: { type: "integer" } },
            c: { anyOf: [{ type: "number" }, true], items: true },
            d: true,
          },
        },
        extra: { wire: "google-generate", fields: { parameters } },
      },
      {
        name: "g",
        description: "d",
        inputSchema: { type: "object", properties: {} },
        extra: { wire: "google-generate", fields: { parameters: undefined } },
      },
      { name: "h", inputSchema: { type: "object" } },
      {
        name: "i",
        inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: 0 } } },
        extra: { wire: "google-generate", fields: { parameters: numbered } },
      },
      { vendor: { wire: "google-generate", fields: { googleSearch: {} } } },
    ]);
  });

  test.each([
    [{ mode: "auto" }, "auto", undefined],
    [{ mode: "NONE" }, "none", undefined],
    [{ mode: "ANY" }, "required", undefined],
    [{ mode: "ANY", allowedFunctionNames: ["f"] }, { tool: "f" }, undefined],
    [
      { mode: "ANY", allowedFunctionNames: ["f", "g"] },
      "required",
      { allowedFunctionNames: ["f", "g"] },
    ],
    [{ mode: "VALIDATED" }, "auto", { mode: "VALIDATED" }],
    [{ mode: "NEW" }, undefined, { mode: "NEW" }],
    [{ later: 1 }, undefined, { later: 1 }],
  ])("tool choice %j", (functionCallingConfig, toolChoice, left) => {
    const request = read({ toolConfig: { functionCallingConfig } });
    expect(request.toolChoice).toEqual(toolChoice);
    expect(request.extra).toEqual(left && { toolConfig: { functionCallingConfig: left } });
  });

  test.each([
    [
      { thinkingLevel: "low", includeThoughts: true },
      { type: "level", level: "LOW" },
      "auto",
      undefined,
    ],
    [
      { thinkingLevel: "LOW", thinkingBudget: 5 },
      { type: "level", level: "LOW" },
      false,
      { thinkingBudget: 5 },
    ],
    [{ thinkingLevel: "ULTRA" }, { type: "default" }, false, { thinkingLevel: "ULTRA" }],
    [{ thinkingBudget: 5 }, { type: "budget", tokens: 5 }, false, undefined],
    [{ thinkingBudget: -1 }, { type: "on" }, false, undefined],
    [
      { thinkingBudget: 0, includeThoughts: true },
      { type: "off", form: "budget-zero" },
      "auto",
      { includeThoughts: true },
    ],
    [{ includeThoughts: true }, { type: "default" }, "auto", { includeThoughts: true }],
  ])("thinking %j", (thinkingConfig, thinking, show, left) => {
    const request = read({ generationConfig: { thinkingConfig } });
    expect(request).toMatchObject({ thinking, show });
    expect(request.extra).toEqual(left && { generationConfig: { thinkingConfig: left } });
  });

  test("sampling, caps and formats have their places; the rest is extra", () => {
    const fields = { maxOutputTokens: 5, temperature: 0, topP: 1, topK: 2, stopSequences: ["a"] };
    const schema = { type: "object" };
    const json = { responseMimeType: "application/json", responseJsonSchema: schema };
    expect(read({ generationConfig: { ...fields, ...json, seed: 1 }, store: false })).toMatchObject(
      {
        ...fields,
        output: { schema },
        extra: { generationConfig: { seed: 1 }, store: false },
      },
    );
    const openApi = { responseMimeType: "application/json", responseSchema: { type: "OBJECT" } };
    expect(read({ generationConfig: openApi }).extra).toEqual({ generationConfig: openApi });
  });

  test("F-S11: names of Object's own are data", () => {
    const body: JsonObject = JSON.parse('{"__proto__":{"polluted":true},"contents":[]}');
    expect(Object.keys(read(body).extra ?? {})).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
  });
});
