import { calls, emulate, script } from "@mull/emulator";
import type { Fetch, JsonObject } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import type { GatewayOptions } from "./index.ts";
import { openGateway, type GatewaySetUp, sentText } from "./testing/set-up.ts";
import { post } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

const patch = "*** Begin Patch\n*** Update File: a\n+b\n*** End Patch";

/** What Codex offers: a free-text tool, a namespace, a plain function, and one that OpenAI runs. */
const codexTools = [
  {
    type: "custom",
    name: "apply_patch",
    description: "Edits files",
    format: { type: "grammar", syntax: "lark", definition: 'start: "*** Begin Patch"' },
  },
  {
    type: "namespace",
    name: "crew",
    description: "Others",
    tools: [{ type: "function", name: "spawn", parameters: { type: "object", properties: {} } }],
  },
  {
    type: "function",
    name: "shell",
    parameters: { type: "object", properties: {} },
    strict: false,
  },
  { type: "web_search" },
];

const watch = (fetch: Fetch, sent: JsonObject[]): Fetch => {
  const watched: Fetch = (url, init) => {
    sent.push(JSON.parse(sentText(init)) as JsonObject);
    return fetch(url, init);
  };
  return Object.assign(watched, { simulated: true });
};

describe("Codex's tools on other models", () => {
  test.each(["claude-opus-5-5", "gemini-3.8-flash", "deepseek-v4-pro"])("%s", async (model) => {
    const emulator = emulate({
      scripts: [
        script({ turn: 1 }, [
          calls("apply_patch", { input: patch }),
          calls("crew__spawn"),
          calls("shell", { command: "ls" }),
        ]),
      ],
    });
    const sent: JsonObject[] = [];
    const { ask } = setUp({ model, fetch: watch(emulator, sent) });
    const body = { model: "gpt-6-sol", store: false, stream: true, tools: codexTools };
    const question = { type: "message", role: "user", content: "Go" };
    const text = await (await ask(post("/v1/responses", { ...body, input: [question] }))).text();
    const { message } = readExchange({ wire: "openai-responses", body: text });
    const found = message.parts.filter((part) => part.type === "tool-call");
    expect(found.map(({ name, input }) => [name, input])).toEqual([
      ["apply_patch", patch],
      ["spawn", {}],
      ["shell", { command: "ls" }],
    ]);
    expect(found[1]?.seal?.data).toMatchObject({ namespace: "crew" });
    const items = [...text.matchAll(/^data: (\{"type":"response\.output_item\.done".*\})$/gm)].map(
      ([, json = "{}"]) => (JSON.parse(json) as { readonly item: JsonObject }).item,
    );
    expect(items.map(({ type }) => type)).toContain("custom_tool_call");
    const results = found.map(({ id }, at) => ({
      type: at === 0 ? "custom_tool_call_output" : "function_call_output",
      call_id: id,
      output: `done ${at}`,
    }));
    const next = await ask(
      post("/v1/responses", { ...body, input: [question, ...items, ...results] }),
    );
    expect(next.status).toBe(200);
    await next.text();
    const again = JSON.stringify(sent[1]);
    expect(again).toContain("*** Update File: a");
    expect(again).toContain("crew__spawn");
    expect(again).toContain("done 2");
  });

  test.each([
    ["claude-opus-5-5", "/v1beta/models/any:generateContent"],
    ["gpt-6-sol", "/v1beta/models/any:generateContent"],
    ["gemini-3.8-flash", "/v1/responses"],
  ])(
    "the result of a call that %s knows by another name has that name, too",
    async (model, path) => {
      const sent: JsonObject[] = [];
      const { ask } = setUp({ model, fetch: watch(emulate(), sent) });
      const body = path.startsWith("/v1beta")
        ? {
            contents: [
              { role: "user", parts: [{ text: "Go" }] },
              {
                role: "model",
                parts: [{ functionCall: { id: "c1", name: "files.read", args: {} } }],
              },
              {
                role: "user",
                parts: [{ functionResponse: { id: "c1", name: "files.read", response: { a: 1 } } }],
              },
            ],
            tools: [{ functionDeclarations: [{ name: "files.read", description: "Reads" }] }],
            toolConfig: {
              functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["files.read"] },
            },
          }
        : {
            model: "any",
            store: false,
            tools: codexTools,
            input: [
              { type: "message", role: "user", content: "Go" },
              {
                type: "function_call",
                call_id: "c1",
                name: "spawn",
                namespace: "crew",
                arguments: "{}",
              },
              { type: "function_call_output", call_id: "c1", output: "done" },
            ],
          };
      const answer = await ask(post(path, body));
      expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 });
      const said = JSON.stringify(sent[0]);
      expect(said).not.toMatch(/files\.read|"name":"spawn"/);
      expect(said).toMatch(/"name":"(?:files_read_[\da-f]{8}|crew__spawn)"/);
    },
  );

  test.each(["gpt-6-sol", "deepseek-v4-pro", "gemini-3.8-flash"])(
    "Claude Code's long names of MCP tools: %s calls one, and gets its result",
    async (model) => {
      const name = `mcp__${"a_server_with_a_long_name".repeat(3)}__read`;
      const emulator = emulate({ scripts: [script({ turn: 1 }, [calls("read", {})])] });
      const seen: JsonObject[] = [];
      const fetch: Fetch = async (url, init) => {
        // The model's own name for it, where it is called by the script.
        const text = sentText(init);
        const own = /mcp__\w{50}_[\da-f]{8}/.exec(text)?.[0] ?? "";
        seen.push(JSON.parse(text) as JsonObject);
        const response = await emulator(url, init);
        return new Response((await response.text()).replaceAll('"read"', `"${own}"`), response);
      };
      const watched = Object.assign(fetch, { simulated: true });
      const { ask } = setUp({ model, fetch: watched });
      const tools = [{ name, input_schema: { type: "object", properties: {} } }];
      const asked = { model: "any", max_tokens: 4000, tools, tool_choice: { type: "tool", name } };
      const first = await ask(
        post("/v1/messages", { ...asked, messages: [{ role: "user", content: "Go" }] }),
      );
      const { content } = (await first.json()) as { readonly content: readonly JsonObject[] };
      const use = content.find(({ type }) => type === "tool_use");
      expect(use?.["name"]).toBe(name);
      const result = { type: "tool_result", tool_use_id: use?.["id"], content: "19" };
      const messages = [
        { role: "user", content: "Go" },
        { role: "assistant", content },
        { role: "user", content: [result] },
      ];
      expect((await ask(post("/v1/messages", { ...asked, messages }))).status).toBe(200);
      expect(JSON.stringify(seen)).not.toContain(name);
    },
  );

  test("tools that stand in the conversation count as well", async () => {
    const sent: JsonObject[] = [];
    const { ask, receipts } = setUp({ model: "claude-opus-5-5", fetch: watch(emulate(), sent) });
    const input = [
      { type: "additional_tools", role: "developer", tools: codexTools.slice(0, 1) },
      { type: "message", role: "user", content: "Hello" },
    ];
    const response = await ask(post("/v1/responses", { model: "gpt-6-sol", store: false, input }));
    expect(response.status).toBe(200);
    expect(sent[0]?.["tools"]).toMatchObject([{ name: "apply_patch" }]);
    expect(receipts[0]?.status).toBe(200);
  });
});
