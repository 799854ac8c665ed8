import { expect, test } from "vitest";
import { Agent } from "./agent.ts";
import type { Fetch } from "../types/http.ts";
import type { JsonObject } from "../types/json.ts";
import { chat } from "../chat/ask.ts";

const ask = { messages: [{ role: "user", parts: [{ type: "text", text: "Go on." }] }] } as const;

const streaming =
  (events: readonly JsonObject[]): Fetch =>
  () => {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(body, { headers }));
  };

const dropped = (index: number, reason: string): JsonObject => ({
  type: "thinking_dropped",
  path: `messages.${index}.content.0`,
  reason,
});
const allowed = {
  type: "thinking_mismatch_allowed",
  path: "messages.5.content.0",
  reason: "prefix_binding_mismatch",
};
const missed = { type: "tools_changed", cache_missed_input_tokens: 12_000 };

/** Claude says what it changed when it begins, and what the cache missed when it ends. */
const claude = streaming([
  {
    type: "message_start",
    message: {
      id: "m",
      model: "claude-opus-5-5",
      input_transformations: [
        dropped(1, "model_binding_mismatch"),
        dropped(3, "model_binding_mismatch"),
        allowed,
      ],
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", diagnostics: { cache_miss_reason: missed } },
    usage: { output_tokens: 1 },
  },
  { type: "message_stop" },
]);

const told = [
  "The service left out 2 thinking blocks of the history: this model may not read the reasoning of the model that wrote it.",
  "The service showed the model a thinking block anyway: the conversation before it has changed since it was written.",
  "The prompt cache was missed for about 12,000 tokens: the tools have changed.",
];
const reported = [
  {
    type: "thinking_dropped",
    reason: "model_binding_mismatch",
    path: "messages.1.content.0",
    raw: dropped(1, "model_binding_mismatch"),
  },
  {
    type: "thinking_dropped",
    reason: "model_binding_mismatch",
    path: "messages.3.content.0",
    raw: dropped(3, "model_binding_mismatch"),
  },
  { ...allowed, raw: allowed },
  { type: "cache_miss", reason: "tools_changed", tokens: 12_000, raw: missed },
];

test("what Claude changed and missed is on the receipt of a chat, in words and as data", async () => {
  const { receipt } = await chat("claude-opus-5-5/high", ask, { fetch: claude, apiKey: "k" });
  expect(receipt.reported).toEqual(reported);
  expect(receipt.notes.map(({ message }) => message)).toEqual(expect.arrayContaining(told));
  const warned = receipt.notes.filter(({ code }) => code === "service-thinking-dropped");
  expect(warned).toMatchObject([{ severity: "warning" }]);
});

test("what Claude changed and missed is on the receipts of an agent's turn", async () => {
  const agent = new Agent("claude-opus-5-5/high", { fetch: claude, apiKey: "k" });
  const { receipt, receipts } = await agent.send("Go on.");
  expect(receipts.map((each) => each.reported)).toEqual([reported]);
  expect(receipt.notes.map(({ message }) => message)).toEqual(expect.arrayContaining(told));
});

const openai = (prompt_cache_diagnostics: JsonObject): Fetch =>
  streaming([
    {
      type: "response.completed",
      response: {
        id: "r",
        status: "completed",
        model: "gpt-6-sol",
        output: [{ type: "message", id: "m", content: [{ type: "output_text", text: "Hi" }] }],
        prompt_cache_diagnostics,
      },
    },
  ]);

test("OpenAI's word on a missed cache is on the receipt; a hit needs none", async () => {
  const miss = { type: "cache_miss", reason: "reasoning_effort_changed", cache_missed_tokens: 900 };
  const { receipt } = await chat("gpt-6-sol/high", ask, { fetch: openai(miss), apiKey: "k" });
  expect(receipt.reported).toEqual([
    { type: "cache_miss", reason: "reasoning_effort_changed", tokens: 900, raw: miss },
  ]);
  expect(receipt.notes.map(({ message }) => message)).toContain(
    "The prompt cache was missed for about 900 tokens: the effort has changed.",
  );
  for (const type of ["cache_hit", "unavailable"]) {
    const fetch = openai({ type });
    const quiet = await chat("gpt-6-sol/high", ask, { fetch, apiKey: "k" });
    expect(quiet.receipt.reported).toBeUndefined();
  }
});

test("no note speaks of a change of effort that was repaired away", async () => {
  const answer = streaming([
    { type: "message_start", message: { id: "m", model: "claude-opus-5-5" } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ]);
  /** A host that does not know the beta. */
  const older: Fetch = (url, init) => {
    if (!/"role":"system"[^}]*"output_config"/.test(init.body as string)) return answer(url, init);
    const message = "messages.2.output_config: Extra inputs are not permitted";
    const error = { type: "error", error: { type: "invalid_request_error", message } };
    return Promise.resolve(Response.json(error, { status: 400 }));
  };
  const agent = new Agent("claude-opus-5-5/low", { apiKey: "k", fetch: older });
  await agent.send("One.");
  const { receipt } = await agent.use({ level: "high" }).send("Two.");
  expect(receipt.repairs.map(({ rule }) => rule)).toEqual(["anthropic/effort-update"]);
  expect(receipt.notes.map(({ code }) => code)).not.toContain("effort-update");
});
