import { describe, expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { Encoded } from "../../../types/wire.ts";
import { encode } from "./encode.ts";

const hello = { role: "user", parts: [{ type: "text", text: "hi" }] } as const;
const tool = { name: "f", description: "does f", inputSchema: { properties: {} } };

function write(
  id: string,
  fields: Partial<WireRequest>,
  quirks?: Quirks,
  row?: Partial<Model>,
): Encoded {
  const model = { ...findModel(id), ...row };
  const request: WireRequest = {
    model: id,
    messages: [hello],
    thinking: { type: "default" },
    show: "auto",
    stream: true,
    ...fields,
  };
  return encode(request, { model, ...(quirks && { quirks }) });
}

const bodyOf = (id: string, fields: Partial<WireRequest>): JsonObject => write(id, fields).body;
const codesOf = (encoded: Encoded): readonly string[] => encoded.notes.map(({ code }) => code);

test("R78 R94 R97: the smallest request", () => {
  const encoded = write("claude-opus-5-5", {});
  expect(encoded).toEqual({
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: {
      model: "claude-opus-5-5",
      max_tokens: 128_000,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      stream: true,
    },
    notes: [],
  });
  expect(write("unlisted", { stream: false }).body).toMatchObject({ max_tokens: 4096 });
});

test("R64 R65 R66: MED on claude-sonnet-4-5 is a budget of 43,008", () => {
  const encoded = write("claude-sonnet-4-5", {
    thinking: { type: "budget", tokens: 43_008 },
    maxOutputTokens: 60_000,
  });
  expect(encoded.body["thinking"]).toEqual({
    type: "enabled",
    budget_tokens: 43_008,
    display: "summarized",
  });
  expect(encoded.headers).not.toHaveProperty("anthropic-beta");
});

test("R77 D1: auto sends nothing about thinking, and so does an off that is an omission", () => {
  for (const thinking of [
    { type: "default" },
    { type: "off", form: "omit" },
    { type: "off", form: "never" },
  ] as const) {
    expect(bodyOf("claude-sonnet-4-5", { thinking })).not.toHaveProperty("thinking");
  }
});

describe("forms of thinking", () => {
  test.each([
    [
      "claude-opus-5-5",
      { type: "effort", effort: "high" },
      { type: "adaptive", display: "summarized" },
      "high",
    ],
    ["claude-opus-5", { type: "off", form: "disabled" }, { type: "disabled" }, undefined],
    [
      "claude-opus-5",
      { type: "off", form: "disabled", effort: "high" },
      { type: "disabled" },
      "high",
    ],
    [
      "claude-sonnet-5-5",
      { type: "off", form: "between_tools", effort: "low" },
      { type: "between_tools" },
      "low",
    ],
    [
      "claude-opus-4-5",
      { type: "budget", tokens: 2048, effort: "low" },
      { type: "enabled", budget_tokens: 2048, display: "summarized" },
      "low",
    ],
    ["claude-opus-4-5", { type: "effort", effort: "low" }, undefined, "low"],
    ["claude-opus-5", { type: "on" }, { type: "adaptive", display: "summarized" }, undefined],
    [
      "claude-haiku-4-5",
      { type: "on" },
      { type: "enabled", budget_tokens: 1024, display: "summarized" },
      undefined,
    ],
    ["claude-3-5-haiku", { type: "on" }, undefined, undefined],
  ] as const)("%s %o", (id, thinking, form, effort) => {
    const encoded = write(id, { thinking });
    expect(encoded.body["thinking"]).toEqual(form);
    expect(encoded.body["output_config"]).toEqual(effort && { effort });
    expect(encoded.notes).toEqual([]);
  });

  test("R79 R80 D15: hidden thinking is asked for as omitted", () => {
    expect(
      bodyOf("claude-opus-5", { thinking: { type: "effort", effort: "low" }, show: false })[
        "thinking"
      ],
    ).toEqual({ type: "adaptive", display: "omitted" });
  });

  test("a level is not honoured and says so", () => {
    const encoded = write("claude-opus-5", { thinking: { type: "level", level: "HIGH" } });
    expect(encoded.body).not.toHaveProperty("thinking");
    expect(codesOf(encoded)).toEqual(["thinking-dropped"]);
  });

  test("P-B7 P-B8: a budget goes out as the plan has it, for one solver owns it and the cap", () => {
    const thinking = { type: "budget", tokens: 9000 } as const;
    expect(bodyOf("claude-haiku-4-5", { thinking, maxOutputTokens: 4000 })).toMatchObject({
      max_tokens: 4000,
      thinking: { type: "enabled", budget_tokens: 9000 },
    });
  });

  test("interleaved thinking is asked for with a budget and tools", () => {
    const encoded = write("claude-opus-4-5", {
      thinking: { type: "budget", tokens: 2048 },
      tools: [tool],
    });
    expect(encoded.headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
  });

  test("P-A5: a caller can have the service drop unbound seals", () => {
    const binding = { block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const beta = "thinking-binding-controls-2026-08-01";
    const { body, headers } = write("claude-opus-5-5", {
      thinking: { type: "effort", effort: "low" },
      extra: { thinking: binding, anthropic_beta: [beta] },
    });
    expect(body["thinking"]).toEqual({ type: "adaptive", display: "summarized", ...binding });
    expect(headers["anthropic-beta"]).toBe(beta);
  });
});

describe("sampling (R92 R93 R173 R174 R175)", () => {
  const sampling = { temperature: 0.5, topP: 0.9, topK: 5, stopSequences: ["END"] };
  const budget = { type: "budget", tokens: 2048 } as const;
  test.each([
    ["claude-opus-5-5", {}, { stop_sequences: ["END"] }],
    // Its thinking cannot be off, also where nothing is sent about it.
    ["claude-mythos-preview", {}, { stop_sequences: ["END"] }],
    ["claude-sonnet-4-6", {}, { temperature: 0.5, top_p: 0.9, top_k: 5, stop_sequences: ["END"] }],
    ["claude-sonnet-4-5", {}, { temperature: 0.5, top_k: 5, stop_sequences: ["END"] }],
    ["claude-sonnet-4-5", { thinking: budget }, { stop_sequences: ["END"] }],
    [
      "claude-sonnet-4-5",
      { thinking: budget, temperature: 1, topP: 0.97 },
      { temperature: 1, stop_sequences: ["END"] },
    ],
  ] as const)("%s %o", (id, fields, expected) => {
    const { temperature, top_p, top_k, stop_sequences } = bodyOf(id, { ...sampling, ...fields });
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k, stop_sequences }))).toEqual(
      expected,
    );
  });

  test("top_p alone goes along with thinking", () => {
    const body = bodyOf("claude-sonnet-4-5", { thinking: budget, topP: 0.97 });
    expect(body["top_p"]).toBe(0.97);
  });

  test("a temperature above one is moved into the range", () => {
    const encoded = write("claude-sonnet-4-6", { temperature: 1.7 });
    expect(encoded.body["temperature"]).toBe(1);
    expect(codesOf(encoded)).toEqual(["temperature-fitted"]);
  });

  test("the newer API version takes none", () => {
    const encoded = write("claude-sonnet-4-6", sampling, { anthropicVersion: "2026-10-21" });
    expect(encoded.headers["anthropic-version"]).toBe("2026-10-21");
    expect(codesOf(encoded)).toEqual(["sampling-dropped", "sampling-dropped", "sampling-dropped"]);
  });
});

describe("tools", () => {
  test("R96: tool choice goes out only with tools", () => {
    expect(bodyOf("claude-opus-5", { toolChoice: "auto" })).not.toHaveProperty("tool_choice");
    expect(bodyOf("claude-opus-5", { toolChoice: "auto", tools: [tool] })).toMatchObject({
      tools: [
        { name: "f", description: "does f", input_schema: { type: "object", properties: {} } },
      ],
      tool_choice: { type: "auto" },
    });
    expect(bodyOf("claude-opus-5", { tools: [tool] })).not.toHaveProperty("tool_choice");
  });

  test.each([
    ["required", { type: "any", disable_parallel_tool_use: true }],
    [{ tool: "f" }, { type: "tool", name: "f", disable_parallel_tool_use: true }],
    ["none", { type: "none" }],
    [undefined, { type: "auto", disable_parallel_tool_use: true }],
  ] as const)("choice %o", (toolChoice, expected) => {
    const fields = { tools: [tool], parallelToolCalls: false, ...(toolChoice && { toolChoice }) };
    expect(bodyOf("claude-opus-5", fields)["tool_choice"]).toEqual(expected);
  });

  test("a vendor's own tool goes to its own wire only", () => {
    const mine = {
      vendor: {
        wire: "anthropic-messages",
        fields: { type: "web_search_20250305", name: "web_search" },
      },
    } as const;
    const other = { vendor: { wire: "google-generate", fields: { googleSearch: {} } } } as const;
    const strict = {
      ...tool,
      strict: true,
      extra: { wire: "anthropic-messages", fields: { defer_loading: true } },
    } as const;
    const encoded = write("claude-opus-5", { tools: [mine, other, strict] });
    expect(encoded.body["tools"]).toMatchObject([
      { name: "web_search" },
      { name: "f", strict: true, defer_loading: true },
    ]);
    expect(codesOf(encoded)).toEqual(["tool-dropped"]);
  });
});

test("R210: user id, structured output and the cap", () => {
  const encoded = write("claude-opus-4-5", {
    userId: "u",
    output: { schema: { type: "object" } },
    maxOutputTokens: 9000,
  });
  expect(encoded.body).toMatchObject({
    metadata: { user_id: "u" },
    output_config: { format: { type: "json_schema", schema: { type: "object" } } },
    max_tokens: 9000,
  });
  expect(codesOf(encoded)).toEqual([]);
});

test("extra is merged last and deep; its betas join the header", () => {
  const extra: JsonObject = JSON.parse(
    '{"output_config":{"task_budget":1},"speed":"fast","anthropic_beta":["x","interleaved-thinking-2025-05-14"],"__proto__":{"a":1}}',
  );
  const encoded = write(
    "claude-opus-4-5",
    { extra, thinking: { type: "budget", tokens: 2048, effort: "low" }, tools: [tool] },
    { body: { speed: "slow", vendor: 1 } },
  );
  expect(encoded.body).toMatchObject({
    output_config: { effort: "low", task_budget: 1 },
    speed: "fast",
    vendor: 1,
  });
  expect(Object.keys(encoded.body)).toContain("__proto__");
  expect(encoded.headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14,x");
});

test("Google and AWS have version and betas in the body", () => {
  const quirks = { body: { anthropic_version: "vertex-2023-10-16" } };
  expect(write("claude-opus-5", {}, quirks)).toMatchObject({
    headers: {},
    body: { anthropic_version: "vertex-2023-10-16" },
  });
  expect(
    write("claude-opus-5", { extra: { anthropic_beta: ["x"] } }, quirks).body["anthropic_beta"],
  ).toEqual(["x"]);
});

test("cache breakpoints stand behind tools, system and the last message", () => {
  const encoded = write("claude-opus-5", {
    cache: { breakpoints: true },
    system: "s",
    tools: [tool],
  });
  const mark = { cache_control: { type: "ephemeral" } };
  expect(encoded.body).toMatchObject({
    tools: [mark],
    system: [mark],
    messages: [{ content: [mark] }],
  });
  expect(
    write("claude-opus-5", { cache: { breakpoints: true }, messages: [] }).body["messages"],
  ).toEqual([]);
  const kept = write("claude-opus-5", { cache: { breakpoints: "1h" }, system: "s" });
  expect(kept.body["system"]).toMatchObject([{ cache_control: { type: "ephemeral", ttl: "1h" } }]);
});

test("R443 the service is asked to shorten the conversation", () => {
  const { headers, body } = write("claude-opus-5", { serviceCompactsAt: 60_000 });
  expect(headers["anthropic-beta"]).toContain("compact-2026-01-12");
  const trigger = { type: "input_tokens", value: 60_000 };
  expect(body["context_management"]).toEqual({ edits: [{ type: "compact_20260112", trigger }] });
});

test("R469 the reason for a missed cache is asked for where the model can tell it", () => {
  const cache = { diagnose: true };
  const first = write("claude-opus-5", { cache });
  expect(first.headers["anthropic-beta"]).toContain("cache-diagnosis-2026-04-07");
  expect(first.body["diagnostics"]).toEqual({ previous_message_id: null });
  const next = write("claude-opus-5", { cache: { diagnose: "msg_1" } });
  expect(next.body["diagnostics"]).toEqual({ previous_message_id: "msg_1" });
  expect(write("gpt-5", { cache }).body).not.toHaveProperty("diagnostics");
  expect(write("claude-opus-5", { cache: {} }).body).not.toHaveProperty("diagnostics");
});
