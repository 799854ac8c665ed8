import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { ThinkingSetting } from "../../../types/plan.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { Encoded } from "../../../types/wire.ts";
import { openaiChat } from "../index.ts";
import { plain, reasoner } from "../testing/models.ts";

const base: WireRequest = {
  model: "gpt-5-mini",
  messages: [{ role: "user", parts: [{ type: "text", text: "2+2?" }] }],
  thinking: { type: "default" },
  show: "auto",
  stream: false,
};
const tool = { name: "add", description: "Adds", inputSchema: { type: "object" } };

const encode = (request: Partial<WireRequest>, model = reasoner, quirks?: Quirks): Encoded =>
  openaiChat.encode({ ...base, ...request }, { model, ...(quirks !== undefined && { quirks }) });

const sent = (
  thinking: ThinkingSetting,
  quirks: Quirks,
  request: Partial<WireRequest> = {},
): JsonObject => {
  const { body } = encode({ thinking, ...request }, reasoner, quirks);
  const { model: _model, messages: _messages, ...rest } = body;
  return rest;
};
const codes = ({ notes }: Encoded): readonly string[] => notes.map(({ code }) => code);

describe("the request", () => {
  it("keeps fields of this wire with a result, and leaves those of others behind", () => {
    const part = { type: "tool-result", callId: "c1", name: "add", output: "3" } as const;
    const messages = (["openai-chat", "google-generate"] as const).map((wire) => ({
      role: "tool" as const,
      parts: [{ ...part, extra: { wire, fields: { cache: true } } }],
    }));
    const result = { role: "tool", tool_call_id: "c1", content: "3" };
    expect(encode({ messages }).body["messages"]).toEqual([{ ...result, cache: true }, result]);
  });

  it("R69 R71 R78 carries a reasoning_effort and nothing else about thinking", () => {
    const { path, headers, body } = encode({
      system: "Be terse.",
      thinking: { type: "effort", effort: "medium" },
      maxOutputTokens: 25_000,
      stream: true,
    });
    expect({ path, headers, body: JSON.parse(JSON.stringify(body)) }).toEqual({
      path: "/chat/completions",
      headers: {},
      body: {
        model: "gpt-5-mini",
        messages: [
          { role: "developer", content: "Be terse." },
          { role: "user", content: "2+2?" },
        ],
        max_completion_tokens: 25_000,
        reasoning_effort: "medium",
        stream: true,
        stream_options: { include_usage: true },
      },
    });
  });

  it("R77 D1 says nothing about thinking at auto", () => {
    expect(Object.keys(encode({}).body)).toEqual(["model", "messages"]);
  });

  it("spells the cap, the role and the usage as the vendor does", () => {
    const quirks: Quirks = {
      systemRole: "system",
      capField: "max_tokens",
      omitStreamUsage: true,
      body: { safe: true },
    };
    const { body } = encode(
      { system: [{ type: "text", text: "S" }], maxOutputTokens: 9, stream: true },
      reasoner,
      quirks,
    );
    expect(body).toMatchObject({ max_tokens: 9, stream: true, safe: true });
    expect(body["messages"]).toMatchObject([{ role: "system", content: "S" }, {}]);
    expect(body).not.toHaveProperty("stream_options");
    expect(encode({ system: "S" }, plain).body["messages"]).toMatchObject([{ role: "system" }, {}]);
  });

  it("R96 tools: a choice is sent with tools only, nested as this API wants it", () => {
    const { body } = encode({
      tools: [{ ...tool, strict: true }],
      toolChoice: { tool: "add" },
      parallelToolCalls: false,
    });
    expect(body).toMatchObject({
      tools: [
        {
          type: "function",
          function: {
            name: "add",
            description: "Adds",
            parameters: { type: "object" },
            strict: true,
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "add" } },
      parallel_tool_calls: false,
    });
    expect(encode({ toolChoice: "required" }).body).not.toHaveProperty("tool_choice");
    expect(
      encode({ tools: [{ ...tool, strict: true }] }, reasoner, { omitStrict: true }).body["tools"],
    ).not.toMatchObject([{ function: { strict: true } }]);
    const extra = {
      wire: "openai-chat",
      fields: { cache_control: { type: "ephemeral" } },
    } as const;
    expect(encode({ tools: [{ ...tool, extra }] }).body["tools"]).toMatchObject([extra.fields]);
  });

  it("vendor tools pass on their own wire and are dropped, with a note, elsewhere", () => {
    const own = { vendor: { wire: "openai-chat", fields: { type: "web" } } } as const;
    const foreign = { vendor: { wire: "google-generate", fields: {} } } as const;
    const encoded = encode({ tools: [own, foreign] });
    expect(encoded.body["tools"]).toEqual([{ type: "web" }]);
    expect(codes(encoded)).toEqual(["tool-dropped"]);
  });

  it("drops the sampling a reasoning model refuses, and says so", () => {
    const wishes = { temperature: 0.2, topP: 0.9, topK: 5, stopSequences: ["END"] };
    const refused = encode(wishes);
    expect(refused.body).toMatchObject({ stop: ["END"] });
    expect(codes(refused)).toEqual(["sampling-dropped", "sampling-dropped", "sampling-dropped"]);
    expect(encode(wishes, plain, { topK: true }).body).toMatchObject({
      temperature: 0.2,
      top_p: 0.9,
      top_k: 5,
    });
    const onlyOff: Model = { ...reasoner, sampling: "only-off" };
    expect(
      encode({ temperature: 0, thinking: { type: "effort", effort: "none" } }, onlyOff).body,
    ).toMatchObject({ temperature: 0 });
    expect(encode({ temperature: 0 }, onlyOff).body).not.toHaveProperty("temperature");
    expect(
      encode({ ...wishes, stopSequences: ["x"] }, { ...reasoner, id: "o3" }).body,
    ).not.toHaveProperty("stop");
    expect(encode({ stopSequences: ["x"] }, { ...reasoner, id: "o3-mini" }).body).toHaveProperty(
      "stop",
      ["x"],
    );
    expect(encode({ stopSequences: [] }).body).not.toHaveProperty("stop");
  });

  it("trims stop sequences to the four that OpenAI takes, with a note", () => {
    const stopSequences = ["a", "b", "c", "d", "e", "f"];
    const encoded = encode({ stopSequences }, plain);
    expect(encoded.body["stop"]).toEqual(["a", "b", "c", "d"]);
    expect(codes(encoded)).toEqual(["stop-sequences-dropped"]);
    const others = encode({ stopSequences }, plain, { knob: "none" });
    expect([others.body["stop"], codes(others)]).toEqual([stopSequences, []]);
    expect(codes(encode({ stopSequences: stopSequences.slice(2) }, plain))).toEqual([]);
  });

  it("asks for JSON by schema, or for JSON at all", () => {
    const output = { schema: { type: "object" } };
    const schema = { type: "object", additionalProperties: false };
    expect(encode({ output: { schema } }).body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "output", schema, strict: true },
    });
    expect(encode({ output }).body["response_format"]).toMatchObject({
      json_schema: { strict: false },
    });
    expect(
      encode({ output: { ...output, name: "a" } }, reasoner, { omitStrict: true }).body[
        "response_format"
      ],
    ).toEqual({
      type: "json_schema",
      json_schema: { name: "a", schema: { type: "object" } },
    });
    const loose = encode({ output }, reasoner, { jsonObjectOnly: true });
    expect(loose.body["response_format"]).toEqual({ type: "json_object" });
    expect(codes(loose)).toEqual(["schema-dropped"]);
    const said = (system?: WireRequest["system"]): unknown =>
      encode({ output, ...(system && { system }) }, reasoner, { jsonObjectOnly: true }).body[
        "messages"
      ];
    expect(said()).toMatchObject([{ content: expect.stringMatching(/^Your .+JSON Schema/) }, {}]);
    expect(said("Brief.")).toMatchObject([{ content: expect.stringMatching(/^Brief\.\n\nY/) }, {}]);
    const text = expect.stringContaining("JSON Schema") as string;
    expect(said([{ type: "text", text: "Brief." }])).toMatchObject([
      { content: [{ text: "Brief." }, { text }] },
      {},
    ]);
  });

  it("passes hints on, and merges extra last", () => {
    const hints = {
      cache: { key: "k".repeat(80) },
      userId: "u",
      extra: { user: "other", seed: 7 },
    };
    expect(encode(hints).body).toMatchObject({
      prompt_cache_key: "k".repeat(64),
      user: "other",
      seed: 7,
    });
    expect(encode(hints, reasoner, { omitCacheKey: true }).body).not.toHaveProperty(
      "prompt_cache_key",
    );
  });

  it("F-S11 a key named __proto__ in extra stays data", () => {
    const { body } = encode({ extra: JSON.parse('{"__proto__":{"polluted":1}}') as JsonObject });
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(JSON.stringify(body)).toContain('"__proto__":{"polluted":1}');
  });
});

describe("the dial, as every vendor spells it", () => {
  const effort: ThinkingSetting = { type: "effort", effort: "high" };
  const off: ThinkingSetting = { type: "off", form: "switch" };
  const on: ThinkingSetting = { type: "on" };
  const budget: ThinkingSetting = { type: "budget", tokens: 2000 };

  const table: readonly (readonly [Quirks, ThinkingSetting, JsonObject])[] = [
    [{}, { type: "off", form: "effort-none" }, { reasoning_effort: "none" }],
    [{}, { type: "off", form: "omit" }, {}],
    [{}, { type: "off", form: "never", effort: "low" }, { reasoning_effort: "low" }],
    [{}, { type: "level", level: "LOW" }, { reasoning_effort: "low" }],
    [{}, on, {}],
    [{ knob: "reasoning_effort", knobOn: "default" }, on, { reasoning_effort: "default" }],
    [{ knob: "reasoning_effort" }, { type: "effort", effort: "max" }, { reasoning_effort: "max" }],
    [{ knob: "reasoning-object" }, effort, { reasoning: { effort: "high" } }],
    [{ knob: "reasoning-object" }, budget, { reasoning: { max_tokens: 2000 } }],
    [{ knob: "reasoning-object" }, on, { reasoning: { enabled: true } }],
    [{ knob: "reasoning-object" }, off, { reasoning: { enabled: false } }],
    [
      { knob: "reasoning-object" },
      { type: "off", form: "effort-none" },
      { reasoning: { effort: "none" } },
    ],
    [
      { knob: "reasoning-object" },
      { type: "effort", effort: "none" },
      { reasoning: { effort: "none" } },
    ],
    [{ knob: "thinking-type" }, off, { thinking: { type: "disabled" } }],
    [{ knob: "thinking-type", knobOn: "adaptive" }, on, { thinking: { type: "adaptive" } }],
    [
      { knob: "thinking-type", knobFields: { clear_thinking: false } },
      on,
      { thinking: { type: "enabled", clear_thinking: false } },
    ],
    [
      { knob: "thinking-type+effort" },
      effort,
      { thinking: { type: "enabled" }, reasoning_effort: "high" },
    ],
    [{ knob: "thinking-type+effort" }, off, { thinking: { type: "disabled" } }],
    [
      { knob: "enable_thinking", budgetField: "thinking_budget" },
      budget,
      { enable_thinking: true, thinking_budget: 2000 },
    ],
    [{ knob: "enable_thinking" }, effort, { enable_thinking: true, reasoning_effort: "high" }],
    [{ knob: "enable_thinking" }, off, { enable_thinking: false }],
    [{ knob: "chat_template_kwargs" }, off, { chat_template_kwargs: { enable_thinking: false } }],
    [
      { knob: "chat_template_kwargs", templateKey: "thinking" },
      effort,
      { chat_template_kwargs: { thinking: true }, reasoning_effort: "high" },
    ],
    [{ knob: "prompt_mode" }, on, { prompt_mode: "reasoning" }],
    [{ knob: "prompt_mode" }, off, {}],
    [{ knob: "none" }, on, {}],
    [
      { shownBody: { reasoning_format: "parsed" } },
      { type: "default" },
      { reasoning_format: "parsed" },
    ],
  ];

  it("R53 R56 R58 R59 R60 sends the form the vendor accepts", () => {
    for (const [quirks, setting, body] of table) {
      expect({ quirks, setting, body: sent(setting, quirks) }).toEqual({ quirks, setting, body });
    }
  });

  it("D15 hides thinking where the vendor can", () => {
    expect(sent({ type: "default" }, { knob: "reasoning-object" }, { show: false })).toEqual({
      reasoning: { exclude: true },
    });
    expect(sent(effort, { knob: "reasoning-object" }, { show: false })).toEqual({
      reasoning: { effort: "high", exclude: true },
    });
    expect(sent(effort, { hiddenBody: { reasoning_format: "hidden" } }, { show: false })).toEqual({
      reasoning_effort: "high",
      reasoning_format: "hidden",
    });
  });

  it("P-B3 says what could not be honoured", () => {
    expect(codes(encode({ thinking: budget }))).toEqual(["budget-dropped"]);
    expect(codes(encode({ thinking: on }, reasoner, { knob: "none" }))).toEqual([
      "thinking-dropped",
    ]);
  });

  it("tools and effort: later OpenAI models take tools at effort none only", () => {
    const sol: Model = {
      ...reasoner,
      id: "gpt-6-sol",
      thinking: { kind: "effort", efforts: ["none", "low"], off: "effort-none" },
    };
    const asked = encode({ tools: [tool], thinking: effort }, sol);
    expect(asked.body).toMatchObject({ reasoning_effort: "none" });
    expect(codes(asked)).toEqual(["effort-with-tools"]);
    expect(codes(encode({ tools: [tool] }, sol))).toEqual([]);
    const astra: Model = {
      ...sol,
      id: "gpt-6-astra",
      thinking: { kind: "effort", efforts: ["low"], off: "never" },
    };
    expect(codes(encode({ tools: [tool] }, astra))).toEqual([]);
    const forced = encode({ tools: [tool], thinking: effort }, astra);
    expect(forced.body).not.toHaveProperty("reasoning_effort");
    expect(codes(forced)).toEqual(["effort-with-tools"]);
    expect(
      encode({ tools: [tool], thinking: effort }, sol, { knob: "reasoning_effort" }).body,
    ).toMatchObject({ reasoning_effort: "high" });
  });
});
