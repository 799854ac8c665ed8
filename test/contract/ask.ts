import {
  Agent,
  compose,
  isMullError,
  streamChat,
  type AgentOptions,
  type AgentResult,
  type ChatRequest,
  type ChatResult,
  type Fetch,
  type MullError,
  type Reply,
  type StreamEvent,
} from "mull";
import { readExchange, resolveChoice } from "mull/wire";

import { createWitness, type Witnessed } from "./witness.ts";

/** Where a scenario is played: on a cassette, on the emulator, or on the service itself. */
export interface Stage {
  readonly fetch: Fetch;
  /** The model ref to ask, e.g. `gemini-3.0-flash` or `openai-chat:gpt-5-mini`. */
  readonly model: string;
  /** Absent: none is sent. */
  readonly apiKey?: string;
}

/** A provider for a test: a model, and a `fetch` that answers for its service. Any key will do. */
export const makeProvider = (model: string, fetch: Fetch, apiKey = "replayed-account"): Stage => ({
  model,
  fetch,
  apiKey,
});

/** What came of one question: what passed over the wire, and what mull made of it. */
export interface Outcome {
  readonly exchanges: readonly Witnessed[];
  readonly events: readonly StreamEvent[];
  readonly reply?: Reply;
  /** With receipt and cost, where the whole library asked. */
  readonly result?: ChatResult;
  readonly turns?: readonly AgentResult[];
  readonly agent?: Agent;
  readonly error?: MullError;
}

type Work = (fetch: Fetch) => Promise<Omit<Outcome, "exchanges" | "error">>;

const watch = async (stage: Stage, work: Work): Promise<Outcome> => {
  const witness = createWitness(stage.fetch);
  const came = await work(witness.fetch).catch((error: unknown) => {
    if (!isMullError(error)) throw error;
    return { events: [], error };
  });
  await witness.settled();
  return { ...came, exchanges: witness.seen() };
};

/** Never the keys of the machine: what is sent is what the stage says. */
const connection = ({ apiKey }: Stage) => ({
  env: {},
  maxAttempts: 1,
  ...(apiKey !== undefined && { apiKey }),
});

/** Asks for the whole answer at once, past all repairs: what the wire writes is what is sent. */
export const askWhole = (stage: Stage, request: ChatRequest): Promise<Outcome> =>
  watch(stage, async (fetch) => {
    const target = resolveChoice(stage.model);
    const { provider, model } = target;
    const quirks = provider.quirks === undefined ? {} : { quirks: provider.quirks };
    const composed = compose(target, request);
    const { path, headers, body } = provider.wire.encode(
      { ...composed.request, stream: false },
      { model, ...quirks },
    );
    const response = await fetch(provider.baseUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...keyHeader(stage) },
      body: JSON.stringify(body),
    });
    const reply = readExchange({
      wire: provider.wire.id,
      provider: provider.id,
      model: model.id,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
      stream: false,
      ...quirks,
    });
    return { events: [], reply };
  });

const keyHeader = ({ model, apiKey }: Stage): Readonly<Record<string, string>> => {
  if (apiKey === undefined) return {};
  const { auth } = resolveChoice(model).provider;
  return auth === "bearer" ? { authorization: `Bearer ${apiKey}` } : { [auth]: apiKey };
};

/** Asks through the whole library and keeps every event. */
export const askStream = (stage: Stage, request: ChatRequest): Promise<Outcome> =>
  watch(stage, async (fetch) => {
    const stream = streamChat(stage.model, request, { ...connection(stage), fetch, heal: "fail" });
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const result = await stream.result();
    return { events, reply: result, result };
  });

/** A conversation of several turns, tool loops included. */
export const converse = (
  stage: Stage,
  options: AgentOptions,
  turns: readonly ((agent: Agent) => Promise<AgentResult>)[],
): Promise<Outcome> =>
  watch(stage, async (fetch) => {
    const agent = new Agent(stage.model, { ...options, ...connection(stage), fetch });
    const results: AgentResult[] = [];
    for (const turn of turns) results.push(await turn(agent));
    return { events: [], agent, turns: results };
  });
