import { describe, expect, test } from "vitest";
import { chat, streamChat } from "../chat/ask.ts";
import type { ChatOptions } from "../chat/request-options.ts";
import { History } from "../history/history.ts";
import { createRetryBudget } from "../transport/send.ts";
import type { Fetch } from "../types/http.ts";
import type { ChatRequest } from "../types/request.ts";
import { Agent } from "./agent.ts";
import type { AgentOptions, SendTurnOptions, UseOptions } from "./options.ts";

type Values = readonly [good: unknown, wrong: unknown];
/** Does not compile while an option is missing. */
type EveryOption<T> = { readonly [K in keyof T]-?: Values };

const question = "2 + 2?";
const asked: EveryOption<Omit<ChatRequest, "messages" | "tools">> = {
  system: ["Be brief.", 5],
  toolChoice: ["auto", "any"],
  parallelToolCalls: [false, "no"],
  level: ["low", "lowest"],
  thinkingBudget: [2000, -1],
  showThinking: [false, "loud"],
  maxOutputTokens: [900, 0],
  temperature: [0.5, 3],
  topP: [0.5, 2],
  topK: [4, 0],
  stopSequences: [["END"], "END"],
  output: [{ schema: { type: "object" } }, { schema: 5 }],
  cache: [{ key: "k" }, { key: 5 }],
  // Gemini, which is asked here, takes no number.
  serviceCompactsAt: [undefined, 0],
  userId: ["ann", 5],
  extra: [{ labels: { team: "a" } }, "x"],
};

const counting = (answer: string): { readonly fetch: Fetch; readonly bodies: string[] } => {
  const bodies: string[] = [];
  const fetch: Fetch = (_url, init) => {
    bodies.push(init.body as string);
    return Promise.resolve(
      new Response(answer, { headers: { "content-type": "text/event-stream" } }),
    );
  };
  return { fetch, bodies };
};
const answer = `data: ${JSON.stringify({
  candidates: [{ content: { parts: [{ text: '{"sum":4}' }] }, finishReason: "STOP" }],
})}\n\n`;

const sending: EveryOption<Omit<ChatOptions, "contextTokens">> = {
  apiKey: ["key", 5],
  baseUrl: ["https://example.test/v1", 5],
  headers: [{ "x-a": "1" }, "x-a: 1"],
  env: [{}, null],
  fetch: [counting(answer).fetch, "https://example.test"],
  dispatcher: [{}, 5],
  signal: [new AbortController().signal, {}],
  limits: [{ totalMs: 60_000 }, { totalMs: "60" }],
  maxAttempts: [1, "1"],
  maxWaitMs: [5, "5"],
  maxEventBytes: [1_000_000, "5"],
  maxResponseBytes: [1_000_000, "5"],
  now: [() => performance.now(), 5],
  sleep: [() => Promise.resolve(), 5],
  random: [() => 0.5, 5],
  schedule: [() => () => undefined, 5],
  clock: [() => 0, 5],
  newId: [() => "id", 5],
  heal: ["fail", "always"],
  retryBudget: [createRetryBudget(), {}],
  openLoop: ["fail", "off"],
  notes: [[], "note"],
  simulated: [false, "no"],
  observe: [() => undefined, "yes"],
};

const own: EveryOption<
  Omit<AgentOptions, Exclude<keyof ChatRequest, "tools"> | keyof ChatOptions>
> = {
  tools: [[], {}],
  history: [History.empty, []],
  fallback: [["gpt-5-nano"], ["no-such-model"]],
  budget: [{ dollars: 100 }, { dollars: "1" }],
  stopWhen: [() => false, true],
  maxSteps: [3, 0],
  toolConcurrency: [1, 0],
  toolTimeoutMs: [Infinity, 0],
  compact: ["auto", { keepTurns: 0 }],
  maxToolResultBytes: [1000, 0.5],
};

const dial = {
  level: asked.level,
  thinkingBudget: asked.thinkingBudget,
} satisfies EveryOption<Omit<UseOptions, "model">>;
const turn: EveryOption<SendTurnOptions> = { ...asked, signal: sending.signal };

const model = "gemini-2.5-flash/low";
const messages: ChatRequest["messages"] = [
  { role: "user", parts: [{ type: "text", text: question }] },
];
type Given = Readonly<Record<string, unknown>>;
type Surface = (given: Given, options: ChatOptions) => unknown;

const read = async (stream: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of stream);
};
const agent = (options: object): Agent => new Agent(model, options);

const surfaces: readonly (readonly [string, Readonly<Record<string, Values>>, Surface])[] = [
  ["a request of chat", asked, (given, away) => chat(model, { messages, ...given }, away)],
  [
    "a request of streamChat",
    asked,
    (given, away) => read(streamChat(model, { messages, ...given }, away)),
  ],
  [
    "the options of chat",
    { ...sending, contextTokens: [5, -5] },
    (given, away) => chat(model, { messages }, { ...away, ...given }),
  ],
  [
    "the options of streamChat",
    sending,
    (given, away) => read(streamChat(model, { messages }, { ...away, ...given })),
  ],
  [
    "the options of an agent",
    { ...asked, ...sending, ...own },
    (given, away) => agent({ ...away, ...given }).send(question),
  ],
  ["agent.send", turn, (given, away) => agent(away).send(question, given)],
  ["agent.sendStream", turn, (given, away) => read(agent(away).sendStream(question, given))],
  ["agent.use", dial, (given, away) => agent(away).use(given).send(question)],
];

/** What is sent, or why it is not. */
const tried = async (
  call: Surface,
  given: Given,
): Promise<{ sent: readonly string[]; error: unknown }> => {
  const { fetch, bodies } = counting(answer);
  let error: unknown;
  try {
    await call(given, { apiKey: "k", env: {}, fetch, maxAttempts: 1 });
  } catch (thrown) {
    error = thrown;
  }
  return { sent: bodies, error };
};

describe.each(surfaces)("every option of %s", (_, values, call) => {
  test.each(Object.entries(values))(
    "%s is taken, and refused where it is wrong",
    async (name, [good, wrong]) => {
      expect((await tried(call, { [name]: good })).error).toBeUndefined();
      const { sent, error } = await tried(call, { [name]: wrong });
      expect(error).toMatchObject({ category: "invalid_argument", code: "INVALID_ARG" });
      expect((error as { field: string }).field.split(/[.[]/)[0]).toBe(name);
      expect(sent).toEqual([]);
    },
  );
});

test.each(Object.entries(asked))(
  "%s comes to the same wherever it is given",
  async (name, [good]) => {
    const bodies = await Promise.all(
      surfaces
        .filter(([, values]) => name in values)
        .map(async ([, , call]) => (await tried(call, { [name]: good })).sent),
    );
    expect(bodies.length).toBeGreaterThanOrEqual(5);
    expect(new Set(bodies.flat()).size).toBe(1);
  },
);
