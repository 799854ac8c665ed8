import { calls, emulate, says, thinks, type Emulator } from "@mull/emulator";
import * as fc from "fast-check";
import {
  Agent,
  History,
  isMullError,
  levels,
  lint,
  tool,
  type Fetch,
  type Level,
  type Message,
  type WireId,
} from "mull";
import { readRequest, type Captured } from "./capture.ts";
import { refs } from "./cases.ts";
import { declined } from "./play-seats.ts";
import type { VendorType } from "./vendor-types.ts";

/** One thing that happens to a conversation. `at` is a place in the history, from 0 to 1. */
export type Step =
  | { readonly do: "send" | "loop" | "round trip" }
  | { readonly do: "switch"; readonly ref: string }
  | { readonly do: "level"; readonly level: Level }
  | { readonly do: "abort"; readonly after: number }
  | { readonly do: "cut"; readonly block: number; readonly where: "inside" | "after" }
  | { readonly do: "fork" | "delete" | "edit"; readonly at: number };

export interface Sequence {
  readonly ref: string;
  readonly level: Level;
  readonly steps: readonly Step[];
}

const anyRef = fc.constantFrom(...refs);
const anyLevel = fc.constantFrom(...levels);
const somewhere = fc.nat(10).map((tenths) => tenths / 10);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("send" as const, "loop" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("switch" as const), ref: anyRef }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("level" as const), level: anyLevel }) },
  fc.record({ do: fc.constant("abort" as const), after: fc.nat(9) }),
  fc.record({
    do: fc.constant("cut" as const),
    block: fc.nat(2),
    where: fc.constantFrom("inside" as const, "after" as const),
  }),
  fc.record({ do: fc.constant("round trip" as const) }),
  fc.record({
    do: fc.constantFrom("fork" as const, "delete" as const, "edit" as const),
    at: somewhere,
  }),
);

/** Any conversation that ends in a question. */
export const sequences: fc.Arbitrary<Sequence> = fc.record({
  ref: anyRef,
  level: anyLevel,
  steps: fc
    .array(step, { minLength: 2, maxLength: 8 })
    .map((steps): readonly Step[] => [...steps, { do: "send" }]),
});

const wires = new Map<VendorType, WireId>([
  ["anthropic-request", "anthropic-messages"],
  ["anthropic-beta-request", "anthropic-messages"],
  ["responses-request", "openai-responses"],
  ["chat-request", "openai-chat"],
  ["google-request", "google-generate"],
]);

const weather = tool({
  name: "get_weather",
  description: "The weather in a city.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: () => "9 degrees, clear",
});

const emulated = (): Emulator =>
  emulate({
    seed: "fuzz",
    secret: "fuzz",
    unknownModels: "accept",
    scripts: [
      {
        when: { text: "weather" },
        repeat: true,
        turns: [
          [thinks("Look."), says("One moment."), calls("get_weather", { city: "Oslo" })],
          [
            thinks("Two."),
            calls("get_weather", { city: "Rome" }),
            calls("get_weather", { city: "Bonn" }),
          ],
          [thinks("So."), says("Clear.")],
        ],
      },
    ],
  });

const edited = (message: Message): Message =>
  ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === "text" ? { ...part, text: `${part.text} (edited)` } : part,
    ),
  }) as Message;

function changeHistory(history: History, change: Step & { readonly at: number }): History {
  const { messages } = history;
  const at = Math.min(Math.floor(change.at * messages.length), messages.length - 1);
  if (at < 0) return history;
  if (change.do === "fork") return history.fork(at);
  return change.do === "delete"
    ? History.from(messages.toSpliced(at, 1))
    : history.map((message, index) => (index === at ? edited(message) : message));
}

/** What a person meant to happen, and what no request can be made of. */
function isExpected(error: unknown): boolean {
  if (!isMullError(error)) return false;
  if (error.code === "nothing_to_send") return true;
  if (error.code === "preflight")
    return declined.some(({ message }) => message.test(error.message));
  return error.category !== "invalid_argument";
}

/** Plays a sequence; throws at the first request that a rule or the emulator refuses. */
export async function playSequence(
  sequence: Sequence,
  show: (captured: Captured) => void,
): Promise<void> {
  const served = emulated();
  const problems: string[] = [];
  const fetch: Fetch = (url, init) => {
    const captured = readRequest(url, init);
    show(captured);
    const { betas: _betas, ...rest } = captured.body;
    const body = captured.type === "anthropic-beta-request" ? rest : captured.body;
    const wire = wires.get(captured.type);
    const headers = Object.fromEntries(new Headers(init.headers));
    const { pathname: path } = new URL(url);
    const { model } = agent.target;
    // Models that are switched off are played all the same.
    const errors =
      wire === undefined
        ? []
        : lint({ wire, body, model, path, headers }).findings.filter(
            ({ severity, path: at }) => severity === "error" && at !== "model",
          );
    // Thrown here, it would pass for a broken connection.
    if (errors.length > 0)
      problems.push(`rules of ${model.id}: ${JSON.stringify(errors)}\n${JSON.stringify(body)}`);
    return served(url, init);
  };
  const agent = new Agent(sequence.ref, {
    fetch,
    apiKey: "emulated",
    env: {},
    heal: "fail",
    maxAttempts: 1,
    clock: () => 0,
    level: sequence.level,
    tools: [weather],
  });
  for (const each of sequence.steps) await takeStep(agent, each, served);
  for (const entry of served.journal())
    if (entry.verdict === "refused") problems.push(`emulator: ${JSON.stringify(entry)}`);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function takeStep(agent: Agent, each: Step, served: Emulator): Promise<void> {
  switch (each.do) {
    case "switch":
      agent.use({ model: each.ref, level: agent.target.level });
      return;
    case "level":
      agent.use({ level: each.level });
      return;
    case "round trip":
      agent.history = History.parse(JSON.stringify(agent.history));
      return;
    case "fork":
    case "delete":
    case "edit":
      agent.history = changeHistory(agent.history, each);
      return;
    case "cut":
      served.fault({ faults: `cut-block=${each.block}:${each.where}`, times: 1 });
      await ask(agent, "What is the weather?");
      return;
    case "abort":
      await ask(agent, "What is the weather?", each.after);
      return;
    case "send":
    case "loop":
      await ask(agent, each.do === "loop" ? "What is the weather?" : "Hello");
  }
}

/** `after` so many chunks the caller leaves. */
async function ask(agent: Agent, question: string, after = Infinity): Promise<void> {
  const stop = new AbortController();
  let chunks = 0;
  try {
    const stream = agent.sendStream(question, { signal: stop.signal });
    for await (const { event } of stream)
      if (event.type === "answer" && chunks++ >= after) stop.abort();
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}
