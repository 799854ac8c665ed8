import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { WireRequest } from "../../../types/request.ts";
import { codes, encode } from "../testing/requests.ts";

describe("request bodies", () => {
  it("are stateless and complete (D16, R67, R68, R78, R95)", () => {
    const encoded = encode({
      system: "Be terse.",
      thinking: { type: "effort", effort: "medium" },
      maxOutputTokens: 25_000,
      cache: { key: "k" },
      userId: "u",
      extra: { service_tier: "flex" },
    });
    expect(encoded).toEqual({
      path: "/responses",
      headers: {},
      notes: [],
      body: {
        model: "gpt-6-sol",
        instructions: "Be terse.",
        input: [{ role: "user", content: [{ type: "input_text", text: "2+2?" }] }],
        stream: true,
        store: false,
        reasoning: { effort: "medium", summary: "auto" },
        include: ["reasoning.encrypted_content"],
        max_output_tokens: 25_000,
        prompt_cache_key: "k",
        user: "u",
        service_tier: "flex",
      },
    });
    expect(JSON.parse(JSON.stringify(encoded.body))).toEqual(encoded.body);
  });

  it("merge `extra` last, behind what a vendor always wants", () => {
    const quirks = { omitStore: true, body: { a: 1, b: 1 } };
    const { body } = encode({ extra: { b: 2, model: "other" }, stream: false }, { quirks });
    expect(body).toMatchObject({ a: 1, b: 2, model: "other" });
    expect("store" in body || "stream" in body).toBe(false);
  });

  it("join a system prompt of several parts, without what is never sent", () => {
    const system = [
      { type: "text", text: "One." },
      { type: "text", text: "hidden", send: false },
      { type: "text", text: "Two." },
    ] as const;
    expect(encode({ system }).body["instructions"]).toBe("One.\n\nTwo.");
  });
});

const reasoning = (fields: Partial<WireRequest>, id = "gpt-6-sol"): unknown =>
  encode(fields, { model: findModel(id) }).body["reasoning"];
const format = (schema: JsonObject): unknown => encode({ output: { schema } }).body["text"];

describe("thinking", () => {
  it("says nothing by default (D1, R63, R77)", () => {
    expect(encode().body).not.toHaveProperty("reasoning");
    expect(reasoning({ thinking: { type: "on" }, show: false })).toBeUndefined();
    expect(reasoning({ thinking: { type: "off", form: "omit" } })).toBeUndefined();
    expect(reasoning({ show: "detailed" })).toEqual({ summary: "detailed" });
  });

  it("R71: MED on gpt-5-mini is medium; R81: summaries are auto", () => {
    const thinking = { type: "effort", effort: "medium" } as const;
    expect(reasoning({ thinking }, "gpt-5-mini")).toEqual({ effort: "medium", summary: "auto" });
    expect(reasoning({ thinking, show: false })).toEqual({ effort: "medium" });
  });

  it("asks for no summary when it is off, and for the floor where it cannot be", () => {
    expect(reasoning({ thinking: { type: "off", form: "effort-none" } })).toEqual({
      effort: "none",
    });
    const floor = { type: "off", form: "never", effort: "minimal" } as const;
    expect(reasoning({ thinking: floor }, "gpt-5")).toEqual({ effort: "minimal", summary: "auto" });
  });

  it("asks for the style of summary that the plan names", () => {
    const ask = { thinking: { type: "effort", effort: "low" }, show: "concise" } as const;
    expect(reasoning(ask, "gpt-5.1")).toEqual({ effort: "low", summary: "concise" });
  });

  it("leaves out, with a note, what this API has no words for (D7)", () => {
    expect(codes(encode({ thinking: { type: "budget", tokens: 9 }, show: false }))).toEqual([
      "thinking-dropped",
    ]);
    expect(codes(encode({ thinking: { type: "level", level: "LOW" } }))).toEqual([
      "thinking-dropped",
    ]);
  });
});

describe("settings", () => {
  it("drop what the API has no field for, with notes", () => {
    const encoded = encode({
      topK: 4,
      stopSequences: ["x"],
      temperature: 0.5,
      maxOutputTokens: 400,
      cache: { key: "k".repeat(70) },
    });
    expect(codes(encoded)).toEqual([
      "sampling-dropped",
      "stop-dropped",
      "sampling-dropped",
      "cache-key-cut",
    ]);
    expect(encoded.body).toMatchObject({
      max_output_tokens: 400,
      prompt_cache_key: "k".repeat(64),
    });
    expect(encoded.body).not.toHaveProperty("temperature");
  });

  it("R443: the service is asked to shorten the conversation", () => {
    const context_management = [{ type: "compaction", compact_threshold: 60_000 }];
    expect(encode({ serviceCompactsAt: 60_000 }).body).toMatchObject({ context_management });
  });

  it("R469: the reason for a missed cache is asked for where the model can tell it", () => {
    const cache = { diagnose: "resp_1" };
    const options = { comparison_response_id: "resp_1" };
    expect(encode({ cache }).body).toMatchObject({ prompt_cache_options: options });
    for (const body of [
      encode({ cache: { diagnose: true } }).body,
      encode({ cache }, { model: findModel("gpt-5") }).body,
    ])
      expect(body).not.toHaveProperty("prompt_cache_options");
  });

  it("R176: sampling goes where the model takes it", () => {
    const sampling = { temperature: 0.5, topP: 0.9 };
    const off = encode({ ...sampling, thinking: { type: "off", form: "effort-none" } });
    expect(off.body).toMatchObject({ temperature: 0.5, top_p: 0.9 });
    expect(encode({ topP: 0.9 }, { model: findModel("gpt-4o") }).body).toMatchObject({
      top_p: 0.9,
    });
  });

  it("ask for JSON strictly only where the schema is strict", () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const listed = { type: "array", prefixItems: [closed] };
    expect(format(listed)).toMatchObject({ format: { strict: true } });
    const open = {
      type: "object",
      properties: { a: closed, b: { anyOf: [{ type: "object", properties: {} }] } },
    };
    expect(format(closed)).toEqual({
      format: { type: "json_schema", name: "output", schema: closed, strict: true },
    });
    const map = { type: "object", additionalProperties: { type: "string" } };
    const either = { type: ["object", "null"] };
    const any = { ...closed, properties: { a: {} } };
    for (const loose of [open, map, any, either, { type: "array", items: { type: "object" } }])
      expect(format(loose)).toMatchObject({ format: { strict: false } });
  });

  it("R96: tools are flat, and a choice goes only with tools", () => {
    const inputSchema = { type: "object" };
    const tools = [
      {
        name: "f",
        description: "F",
        inputSchema,
        strict: true,
        extra: { wire: "openai-responses", fields: { defer_loading: true } },
      },
      { name: "g", inputSchema },
      { vendor: { wire: "openai-responses", fields: { type: "web_search" } } },
      { vendor: { wire: "google-generate", fields: { googleSearch: {} } } },
    ] as const;
    const encoded = encode({ tools, toolChoice: { tool: "f" }, parallelToolCalls: false });
    expect(codes(encoded)).toEqual(["tool-dropped"]);
    expect(encoded.notes[0]?.message).toBe(
      "googleSearch was left out: only google-generate runs it",
    );
    const { body } = encoded;
    expect(body).toMatchObject({
      tools: [
        {
          type: "function",
          name: "f",
          description: "F",
          parameters: inputSchema,
          strict: true,
          defer_loading: true,
        },
        { type: "function", name: "g", parameters: inputSchema, strict: false },
        { type: "web_search" },
      ],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
    });
    expect(encode({ toolChoice: "required" }).body).not.toHaveProperty("tool_choice");
    const loose = encode(
      { tools: [tools[1]], toolChoice: "auto" },
      { quirks: { omitStrict: true } },
    );
    expect(loose.body).toMatchObject({
      tool_choice: "auto",
      tools: [{ type: "function", name: "g", parameters: inputSchema }],
    });
  });
});
