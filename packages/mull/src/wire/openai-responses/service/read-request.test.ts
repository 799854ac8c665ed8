import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { WireRequest } from "../../../types/request.ts";
import { openaiResponsesMirror } from "./mirror.ts";
import { encode } from "../client/encode.ts";
import { gpt6 } from "../testing/requests.ts";

const read = (body: JsonObject): WireRequest =>
  openaiResponsesMirror.decodeRequest({
    path: "/v1/responses",
    headers: {},
    body: { model: "gpt-6-sol", ...body },
  });
const again = (body: JsonObject): JsonObject => encode(read(body), { model: gpt6 }).body;

describe("requests, read", () => {
  it("in neutral words", () => {
    const request = read({
      input: "Hi",
      instructions: "Be brief.",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "none" },
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.5,
      user: "u",
      prompt_cache_key: "k",
      parallel_tool_calls: false,
      tools: [
        { type: "function", name: "f", description: "F", parameters: {}, strict: false, defer: 1 },
      ],
      tool_choice: { type: "function", name: "f" },
    });
    expect(request).toEqual({
      model: "gpt-6-sol",
      system: "Be brief.",
      messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      thinking: { type: "off", form: "effort-none" },
      show: false,
      stream: true,
      maxOutputTokens: 99,
      temperature: 0.5,
      topP: 0.5,
      userId: "u",
      cache: { key: "k" },
      parallelToolCalls: false,
      tools: [
        {
          name: "f",
          description: "F",
          inputSchema: {},
          strict: false,
          extra: { wire: "openai-responses", fields: { defer: 1 } },
        },
      ],
      toolChoice: { tool: "f" },
    });
  });

  it.each<JsonObject>([
    { instructions: [{ type: "message" }] },
    { stream: "yes" },
    { reasoning: { effort: "low", context: "all_turns" } },
    { reasoning: { effort: "none", summary: "auto" } },
    { reasoning: { effort: "low", summary: "brief" } },
    { reasoning: { effort: "ultra" } },
    { max_output_tokens: "9" },
    { temperature: "hot" },
    { top_p: null },
    { user: 5 },
    { prompt_cache_key: 5 },
    { parallel_tool_calls: "no" },
    { tools: [] },
    { tools: [5] },
    { tools: [{ type: "function", name: "f", parameters: {} }] },
    { tools: [{ type: "function", name: "f", description: 5, parameters: {}, strict: true }] },
    { tools: [{ type: "web_search" }], tool_choice: { type: "allowed_tools", tools: [] } },
    { tool_choice: { type: "function", name: "f", more: 1 } },
    { text: { verbosity: "low" } },
    { text: { format: { type: "json_schema", name: "n", schema: {}, strict: null } } },
    { text: { format: { type: "json_schema", name: "n", schema: {}, strict: true, more: 1 } } },
    { store: true, include: ["file_search_call.results"] },
    { metadata: { a: "b" }, __proto__x: 1 },
  ])("%j without loss", (fields) => {
    expect(again({ input: "Hi", ...fields })).toMatchObject(fields);
  });

  it("as structured output where it can be said", () => {
    const format = { type: "json_schema", name: "n", schema: { type: "string" }, strict: true };
    expect(read({ input: "Hi", text: { format } }).output).toEqual({
      name: "n",
      schema: { type: "string" },
    });
    expect(read({ input: "Hi", tool_choice: "required" }).toolChoice).toBe("required");
    expect(read({ input: "Hi", reasoning: { effort: "low", summary: "detailed" } })).toMatchObject({
      thinking: { type: "effort", effort: "low" },
      show: "detailed",
    });
  });

  it("item by item, each in its place", () => {
    const input: readonly JsonObject[] = [
      { type: "additional_tools", role: "developer", tools: [] },
      {
        role: "user",
        content: [
          { type: "input_text", text: "a", mark: 1 },
          { type: "input_audio" },
          { type: "strange" },
          {},
        ],
      },
      { type: "configuration_update", reasoning: { effort: "high" } },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "g" },
      { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" },
      { type: "program", id: "cm_1" },
      { type: "program_output", id: "co_1" },
      { type: "custom_tool_call", id: "ctc_1", call_id: "c2", name: "sh", input: "ls" },
      { type: "function_call_output", call_id: "c1", output: "1", id: "o" },
      { type: "custom_tool_call_output", call_id: "c2", output: "2" },
      { type: "mcp_approval_response", approve: true },
      { id: "nothing" },
      { role: "tool", content: "x" },
    ];
    const request = read({ input });
    expect(request.messages.map(({ role }) => role)).toEqual([
      "user",
      "user",
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
      "user",
    ]);
    expect(request.messages[4]?.parts).toMatchObject([
      { callId: "c1", name: "f" },
      { callId: "c2", name: "sh" },
    ]);
    const written = again({ input })["input"];
    expect(written).toEqual([
      input[0],
      {
        role: "user",
        content: [{ type: "input_text", text: "a", mark: 1 }, { type: "input_audio" }],
      },
      { role: "user", content: [{ type: "strange" }] },
      { role: "user", content: [{}] },
      ...input.slice(2),
    ]);
  });

  it("with files in every form", () => {
    const content = [
      { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
      { type: "input_image", image_url: "https://x/y.png" },
      { type: "input_image", file_id: "file_1" },
      { type: "input_image", image_url: null },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
      { type: "input_file", file_url: "https://x/a.pdf" },
    ];
    expect(again({ input: [{ role: "user", content }] })["input"]).toEqual([
      { role: "user", content },
    ]);
    const system = [
      {
        role: "system",
        content: [
          { type: "input_text", text: "S" },
          { type: "input_file", file_id: "f" },
        ],
      },
    ];
    expect(again({ input: system })["input"]).toEqual([
      { role: "system", content: [{ type: "input_text", text: "S" }] },
    ]);
  });

  it("with results of every form", () => {
    const outputs = [
      [
        { type: "input_text", text: "a" },
        { type: "input_image", image_url: "https://x/y.png" },
      ],
      [{ type: "strange" }],
      [],
      { any: "thing" },
      [5],
    ];
    const input = outputs.map((output, at) => ({
      type: "function_call_output",
      call_id: `c${at}`,
      output,
    }));
    expect(again({ input })["input"]).toEqual(input);
    expect(
      read({ input: [{ type: "function_call_output", output: "x" }] }).messages[0]?.parts,
    ).toMatchObject([{ callId: "" }]);
  });

  it("without a model or an input", () => {
    const request = openaiResponsesMirror.decodeRequest({ path: "/", headers: {}, body: {} });
    expect(request).toMatchObject({ model: "", messages: [], stream: false });
    const nameless = read({ input: [{ type: "function_call", name: "f", arguments: "{}" }] });
    expect(nameless.messages[0]?.parts).toMatchObject([{ id: "call_unnamed", localId: true }]);
  });
});
