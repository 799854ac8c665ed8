import type { JsonValue } from "mull";
import { expect, test } from "vitest";
import type { Captured } from "./capture.ts";
import { cases } from "./cases.ts";
import { judgeLiterals } from "./judge-literals.ts";
import { playSequence } from "./sequences.ts";

const asked = (...input: JsonValue[]): JsonValue => ({ model: "gpt-6-sol", input });
const question = { role: "user", content: [{ type: "input_text", text: "Hi" }] };

test("the vendors' types refuse what no service takes, and say where", async () => {
  const update = { type: "configuration_update", reasoning: { effort: "low" } };
  const [typeless, typed, misspelt, enumerated, betas] = await judgeLiterals([
    { type: "responses-request", value: asked(question, { effort: "low" }) },
    { type: "responses-request", value: asked(question, update) },
    {
      type: "anthropic-request",
      value: {
        model: "claude-opus-5-5",
        max_tokens: 100,
        messages: [{ role: "user", content: [{ type: "text", text: "Hi", texts: "" }] }],
      },
    },
    {
      type: "google-request",
      value: {
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
        generationConfig: { thinkingConfig: { thinkingLevel: "low" } },
      },
    },
    {
      type: "anthropic-beta-request",
      value: { model: "claude-opus-5-5", max_tokens: 1, messages: [], betas: ["no-such-2026"] },
    },
  ]);
  expect(typeless?.map(({ path }) => path)).toEqual(["input[1].effort"]);
  expect(typed).toEqual([]);
  expect(misspelt?.map(({ path }) => path)).toEqual(["messages[0].content[0].texts"]);
  expect(enumerated?.map(({ path }) => path)).toEqual([
    "generationConfig.thinkingConfig.thinkingLevel",
  ]);
  expect(betas?.map(({ path }) => path)).toEqual(["betas[0]"]);
}, 120_000);

test("the vendors' types refuse what no service answers, whole or streamed", async () => {
  const [chunk, event, whole] = await judgeLiterals([
    { type: "chat-event", value: { id: "c", object: "chat.completion.chunk", choices: [] } },
    { type: "anthropic-event", value: { type: "content_block_stop", index: "0" } },
    { type: "google-reply", value: { candidates: [{ finishReason: "stop" }] } },
  ]);
  expect(chunk?.[0]?.message).toContain("created, model");
  expect(event?.map(({ path }) => path)).toEqual(["index"]);
  expect(whole?.map(({ path }) => path)).toEqual(["candidates[0].finishReason"]);
}, 120_000);

test("every event of an answer is shown to the judge, and the same answer whole", async () => {
  const shown: Captured[] = [];
  await cases["a tool loop"]!({
    ref: "openai:gpt-6-sol",
    level: "high",
    show: (captured) => shown.push(captured),
  });
  const types = new Set(shown.map(({ type }) => type));
  expect([...types].toSorted()).toEqual([
    "responses-event",
    "responses-reply",
    "responses-request",
  ]);
  const events = shown.filter(({ type }) => type === "responses-event").map(({ body }) => body);
  expect(events.map(({ type }) => type)).toContain("response.function_call_arguments.delta");
});

test("a sequence asks on after a stop, a cut, a fork and an edit", async () => {
  const sent: Captured[] = [];
  await playSequence(
    {
      ref: "anthropic:claude-opus-5-5",
      level: "low",
      steps: [
        { do: "loop" },
        { do: "level", level: "high" },
        { do: "abort", after: 2 },
        { do: "switch", ref: "openai:gpt-6-sol" },
        { do: "cut", block: 0, where: "inside" },
        { do: "fork", at: 0.8 },
        { do: "round trip" },
        { do: "edit", at: 0 },
        { do: "delete", at: 0.5 },
        { do: "send" },
      ],
    },
    (captured) => sent.push(captured),
  );
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.at(-1)?.type).toBe("responses-request");
  expect(JSON.stringify(sent.at(-1)?.body)).toContain("(edited)");
}, 60_000);
