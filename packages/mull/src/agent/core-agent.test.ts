import { expect, test } from "vitest";
import { anthropic } from "../anthropic.ts";
import { Agent, createBudget, targetOf, tool, type AgentOptions } from "../core.ts";
import type { Fetch } from "../types/http.ts";
import type { JsonObject } from "../types/json.ts";

const frame = (event: JsonObject): string => `data: ${JSON.stringify(event)}\n\n`;

const reply = (block: JsonObject, stop: string, ...deltas: readonly JsonObject[]): string =>
  [
    {
      type: "message_start",
      message: { id: "m", role: "assistant", model: "x", content: [], usage: {} },
    },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ]
    .map(frame)
    .join("");

const call = reply({ type: "tool_use", id: "toolu_1", name: "add", input: {} }, "tool_use", {
  type: "input_json_delta",
  partial_json: '{"a":2,"b":2}',
});
const four = reply({ type: "text", text: "" }, "end_turn", { type: "text_delta", text: "Four." });

interface Made {
  readonly agent: Agent;
  readonly sent: JsonObject[];
}

/** An agent of `mull/core` whose service gives these answers. */
function agentOf(...answers: readonly string[]): Made {
  return agentWith({}, ...answers);
}

function agentWith(options: AgentOptions, ...answers: readonly string[]): Made {
  const sent: JsonObject[] = [];
  const fetch: Fetch = (_url, init) => {
    const body = answers[sent.length] ?? four;
    sent.push(JSON.parse(init.body as string) as JsonObject);
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(body, { headers }));
  };
  const add = tool({
    name: "add",
    run: ({ a, b }: { readonly a: number; readonly b: number }) => a + b,
  });
  const target = targetOf(anthropic, "claude-opus-5-5");
  const given = { level: "high", apiKey: "k", fetch, tools: [add], ...options } as const;
  return { agent: new Agent(target, given), sent };
}

test("an agent of mull/core plans, runs tools and keeps the history", async () => {
  const { agent, sent } = agentOf(call, four);
  expect((await agent.send("2 + 2?")).text).toBe("Four.");
  expect(sent[0]).toMatchObject({ model: "claude-opus-5-5", output_config: { effort: "high" } });
  expect(agent.history.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("it changes to another model of a provider it is given", async () => {
  const { agent, sent } = agentOf();
  await agent.use(targetOf(anthropic, "claude-sonnet-5-5")).use({ level: "low" }).send("2 + 2?");
  expect(sent[0]).toMatchObject({ model: "claude-sonnet-5-5", output_config: { effort: "low" } });
});

test("it refuses a ref in words: it has no catalogue to look it up in", () => {
  const refused = { category: "invalid_argument", field: "model" };
  const { agent } = agentOf();
  for (const run of [
    () => new Agent("claude-opus-5-5" as never),
    () => agent.use("gpt-6-sol"),
    () => agent.use({ model: "gpt-6-sol" }),
  ]) {
    expect(run).toThrow(expect.objectContaining(refused));
    expect(run).toThrow("Allowed: what targetOf returns");
  }
});

test("a name without a row follows the vendor's newest rules; what is no name is refused", () => {
  expect(targetOf(anthropic, "claude-saga-9").model.assumed).toBe(true);
  expect(targetOf(anthropic, "wordbox").model).toMatchObject({
    provider: "anthropic",
    assumed: true,
  });
  expect(() => targetOf(anthropic, 5 as never)).toThrow("model: 5 is not allowed");
});

test("R459 it spends from a budget that createBudget made, and takes no plain limits", async () => {
  const budget = createBudget({ steps: 1 });
  const { agent, sent } = agentWith({ budget }, call, four);
  expect((await agent.send("2 + 2?")).finish.reason).toBe("budget");
  expect([sent.length, budget.spent().steps]).toEqual([1, 1]);
  expect(() => agentWith({ budget: { steps: 1 } })).toThrow("Allowed: what createBudget returns");
});
