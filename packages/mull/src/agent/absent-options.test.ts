import { expect, test } from "vitest";
import type { ChatOptions } from "../chat/request-options.ts";
import { chat } from "../chat/ask.ts";
import { compose } from "../chat/compose.ts";
import { planThinking, type PlanAsk } from "../dial/plan.ts";
import { resolveModel } from "../providers/index.ts";
import type { TimeLimits } from "../transport/deadline.ts";
import type { Fetch } from "../types/http.ts";
import type { Message } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import { Agent } from "./agent.ts";
import type { AgentOptions, SendTurnOptions, UseOptions } from "./options.ts";

/** Every optional field, given as undefined. It does not compile where one does not take it. */
type Absent<T, Needed extends keyof T = never> = Readonly<
  Record<Exclude<keyof T, Needed>, undefined>
>;
type Takes<T, Needed extends keyof T = never> =
  Absent<T, Needed> extends Omit<T, Needed> ? true : false;

const taken: readonly true[] = [
  true satisfies Takes<ChatRequest, "messages">,
  true satisfies Takes<ChatOptions>,
  true satisfies Takes<TimeLimits>,
  true satisfies Takes<NonNullable<ChatRequest["cache"]>>,
  true satisfies Takes<AgentOptions>,
  true satisfies Takes<SendTurnOptions>,
  true satisfies Takes<UseOptions>,
  true satisfies Takes<PlanAsk, "model">,
];

const absent = {
  system: undefined,
  tools: undefined,
  toolChoice: undefined,
  parallelToolCalls: undefined,
  level: undefined,
  thinkingBudget: undefined,
  showThinking: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  topK: undefined,
  stopSequences: undefined,
  output: undefined,
  cache: undefined,
  serviceCompactsAt: undefined,
  userId: undefined,
  extra: undefined,
} satisfies Absent<ChatRequest, "messages">;

const messages: readonly Message[] = [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }];
const refs = ["claude-opus-5-5/high", "gpt-6-sol/high", "openai-chat:gpt-5.1", "gemini-3.8-flash"];

test("every optional option takes undefined", () => {
  expect(taken).not.toContain(false);
});

test.each(refs)("%s: a request with undefined fields is the one without them", (ref) => {
  const target = resolveModel(ref);
  const without = compose(target, { messages });
  expect(compose(target, { ...absent, messages })).toStrictEqual(without);
  const cache = { key: undefined, breakpoints: undefined };
  expect(compose(target, { messages, cache }).encoded).toStrictEqual(without.encoded);
});

test("undefined fields of a plan count as absent", () => {
  const ask = { level: undefined, thinking: undefined, wire: undefined, hasTools: undefined };
  expect(planThinking({ model: "gpt-6-sol", ...ask })).toStrictEqual(
    planThinking({ model: "gpt-6-sol" }),
  );
});

const answer = JSON.stringify({
  candidates: [{ content: { parts: [{ text: "Four." }] }, finishReason: "STOP" }],
});
const fetch: Fetch = async () =>
  new Response(`data: ${answer}\n\n`, { headers: { "content-type": "text/event-stream" } });

const sending = {
  apiKey: "key",
  fetch,
  baseUrl: undefined,
  headers: undefined,
  dispatcher: undefined,
  signal: undefined,
  limits: { firstByteMs: undefined, idleMs: undefined, progressMs: undefined, totalMs: undefined },
  maxAttempts: undefined,
  maxWaitMs: undefined,
  maxEventBytes: undefined,
  maxResponseBytes: undefined,
  now: undefined,
  sleep: undefined,
  random: undefined,
  schedule: undefined,
  clock: undefined,
  newId: undefined,
  heal: undefined,
  retryBudget: undefined,
  openLoop: undefined,
  contextTokens: undefined,
  notes: undefined,
} satisfies ChatOptions;

test("undefined options of a call and of an agent count as absent", async () => {
  const { text } = await chat("gemini-3.8-flash", { ...absent, messages }, sending);
  const { contextTokens: _, ...options } = sending;
  const agent = new Agent("gemini-3.8-flash/low", {
    ...absent,
    ...options,
    history: undefined,
    maxSteps: undefined,
    toolConcurrency: undefined,
    toolTimeoutMs: undefined,
    maxToolResultBytes: undefined,
  });
  const { tools: _tools, ...turn } = absent;
  const result = await agent.send("2 + 2?", { ...turn, signal: undefined });
  expect([text, result.text, result.receipt.plan.asked]).toEqual(["Four.", "Four.", "low"]);
});

test("use leaves alone what it is given as undefined", async () => {
  const agent = new Agent("gemini-2.5-flash", { apiKey: "key", fetch, thinkingBudget: 2000 });
  agent.use({ model: undefined, level: undefined, thinkingBudget: undefined });
  expect((await agent.send("2 + 2?")).receipt.plan.askedBudget).toBe(2000);
});
