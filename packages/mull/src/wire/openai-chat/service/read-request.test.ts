import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { WireRequest } from "../../../types/request.ts";
import { decodeRequest } from "./read-request.ts";

const read = (body: JsonObject): WireRequest => decodeRequest({ body });
const thinkingOf = (body: JsonObject) => {
  const { thinking, show, extra } = read({ model: "m", messages: [], ...body });
  return { thinking, show, extra };
};

describe("reading requests", () => {
  it("understands the dial in every vendor's words", () => {
    const effort = { type: "effort", effort: "high" };
    const on = { type: "on" };
    const off = { type: "off", form: "switch" };
    const table: readonly (readonly [JsonObject, object])[] = [
      [{ reasoning_effort: "high" }, effort],
      [{ reasoning_effort: "none" }, { type: "off", form: "effort-none" }],
      [{ reasoning_effort: "default" }, on],
      [{ prompt_mode: "reasoning" }, on],
      [{ reasoning: { effort: "high" } }, effort],
      [{ reasoning: { max_tokens: 9 } }, { type: "budget", tokens: 9 }],
      [{ reasoning: { enabled: false } }, off],
      [{ reasoning: {} }, { type: "default" }],
      [{ thinking: { type: "enabled" } }, on],
      [{ thinking: { type: "enabled" }, reasoning_effort: "high" }, effort],
      [{ thinking: { type: "disabled" } }, off],
      [
        { enable_thinking: true, thinking_budget: 9 },
        { type: "budget", tokens: 9 },
      ],
      [{ enable_thinking: false }, off],
      [{ chat_template_kwargs: { thinking: true } }, on],
      [{}, { type: "default" }],
    ];
    for (const [body, thinking] of table)
      expect({ body, thinking: thinkingOf(body).thinking }).toEqual({ body, thinking });
  });

  it("keeps what it consumed out of extra, and the rest in it", () => {
    expect(thinkingOf({ reasoning_effort: "high", seed: 7 }).extra).toEqual({ seed: 7 });
    expect(thinkingOf({ reasoning: { effort: "high", exclude: true } })).toMatchObject({
      show: false,
      extra: { reasoning: { effort: "high", exclude: true } },
    });
    expect(thinkingOf({ reasoning_format: "hidden" }).show).toBe(false);
    expect(thinkingOf({ include_reasoning: false, reasoning_effort: "low" }).show).toBe(false);
    const body = JSON.parse('{"model":7,"messages":"x","__proto__":{"a":1}}') as JsonObject;
    expect(read(body)).toMatchObject({ model: "", messages: [] });
    expect(JSON.stringify(read(body).extra)).toBe('{"__proto__":{"a":1}}');
  });

  it("R92 reads caps, sampling, hints and the wish for JSON", () => {
    const body = {
      model: "m",
      messages: [],
      max_tokens: 5,
      temperature: 1,
      top_p: 0.5,
      top_k: 3,
      stop: "END",
      prompt_cache_key: "k",
      user: "u",
      stream: true,
      response_format: {
        type: "json_schema",
        json_schema: { schema: { type: "object" }, strict: true },
      },
    };
    expect(read(body)).toMatchObject({
      maxOutputTokens: 5,
      temperature: 1,
      topP: 0.5,
      topK: 3,
      stopSequences: ["END"],
      cache: { key: "k" },
      userId: "u",
      stream: true,
      output: { schema: { type: "object" } },
    });
    const odd = {
      stop: [1],
      temperature: "hot",
      prompt_cache_key: "k".repeat(65),
      response_format: {
        type: "json_schema",
        json_schema: { name: "n", schema: {}, strict: false },
      },
    };
    expect(read({ model: "m", messages: [], ...odd }).extra).toEqual(odd);
    for (const response_format of [{ type: "json_object" }, { type: "json_schema" }]) {
      expect(read({ model: "m", messages: [], response_format }).extra).toEqual({
        response_format,
      });
    }
    const named = { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } };
    expect(read({ model: "m", messages: [], response_format: named }).output).toEqual({
      name: "n",
      schema: {},
    });
  });

  it("reads tools, and keeps those it does not know", () => {
    const add = {
      type: "function",
      function: { name: "add", description: "d", parameters: {}, strict: true },
      cache_control: 1,
    };
    const web = { type: "web_search" };
    const bare = { function: { name: "now" } };
    const odd = { type: "function", function: { name: "x", parameters: {}, novelty: 1 } };
    const request = read({
      model: "m",
      messages: [],
      tools: [add, web, bare, odd, 7],
      tool_choice: { type: "function", function: { name: "add" } },
      parallel_tool_calls: true,
    });
    expect(request.tools).toEqual([
      {
        name: "add",
        description: "d",
        inputSchema: {},
        strict: true,
        extra: { wire: "openai-chat", fields: { cache_control: 1 } },
      },
      { vendor: { wire: "openai-chat", fields: web } },
      { vendor: { wire: "openai-chat", fields: bare } },
      { vendor: { wire: "openai-chat", fields: odd } },
    ]);
    expect([request.toolChoice, request.parallelToolCalls]).toEqual([{ tool: "add" }, true]);
    for (const choice of ["auto", "none", "required"])
      expect(read({ model: "m", messages: [], tools: [add], tool_choice: choice }).toolChoice).toBe(
        choice,
      );
    for (const tool_choice of ["any", { type: "function" }, { type: "allowed_tools" }]) {
      const tools = [web];
      expect(read({ model: "m", messages: [], tools, tool_choice }).extra).toEqual({ tool_choice });
    }
  });
});
