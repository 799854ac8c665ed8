import { emulate, type Emulator, type EmulatorOptions } from "@mull/emulator";
import { Agent, tool, type AgentOptions, type Fetch, type JsonObject, type Tool } from "mull";

/** One model of every kind of history rule, by the wire it is asked on. */
export const oneOfEach = {
  "claude-sonnet-4-5": "budget thinking, leading block insisted on",
  "claude-opus-5-5": "adaptive thinking, seals bound to the prefix",
  "gpt-6-sol": "reasoning items with encrypted content",
  "openai-chat:gpt-5.1": "no thinking in the history at all",
  "gemini-3.8-flash": "thought signatures on parts",
  "gemini-2.5-pro": "budgets, signatures not insisted on",
} as const;

export const refs: readonly string[] = Object.keys(oneOfEach);

export const weather: Tool = tool({
  name: "get_weather",
  description: "The weather in a city.",
  input: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  run: () => "9 degrees, clear",
});

/** An emulator that is the same in every run, and knows nothing of time. */
export const emulator = (options: EmulatorOptions = {}): Emulator =>
  emulate({ seed: "handoff", secret: "handoff", ...options });

/** An agent that fails on the first refusal, so that nothing is healed behind a test's back. */
export const agentAt = (ref: string, fetch: Fetch, options: AgentOptions = {}): Agent =>
  new Agent(ref, {
    fetch,
    apiKey: "emulated",
    env: {},
    level: "med",
    heal: "fail",
    tools: [weather],
    maxAttempts: 1,
    clock: () => 0,
    ...options,
  });

/** Bodies of all requests so far, in order. */
export const bodiesOf = (served: Emulator): readonly JsonObject[] =>
  served.journal().map(({ body }) => body as JsonObject);

/** What was refused, and by which rule; empty when all went well. */
export const refusalsOf = (served: Emulator): readonly string[] =>
  served
    .journal()
    .filter(({ verdict }) => verdict !== "answered")
    .map(({ rule, message, status }) => `${status} ${rule ?? ""}: ${message ?? ""}`);
