import type { ChatResult } from "../chat/chat.ts";
import { newCallId } from "../chat/call-id.ts";
import { growingObjects } from "../chat/growing-object.ts";
import { timeLimits } from "../transport/deadline.ts";
import type { RemotePeer } from "../transport/failure.ts";
import { History } from "../history/history.ts";
import { Feed, type FeedSource } from "../transport/feed.ts";
import { MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { DeepPartial } from "../types/json.ts";
import type { ToolResultPart } from "../types/message.ts";
import type { FailedModel, Receipt } from "../types/plan.ts";
import type { PendingCall } from "./open-calls.ts";
import type { AgentOptions } from "./options.ts";
import type { AgentResult, ReadableMessage } from "./result.ts";
import type { AgentTurn, LiveAnswer, TurnHandle } from "./turn.ts";

/** What happens in a turn, in order. `step` counts the answers of the turn from 0. */
export type AgentEvent =
  | {
      readonly type: "answer";
      readonly step: number;
      readonly event: Exclude<StreamEvent, { type: "finish" }>;
    }
  | { readonly type: "step"; readonly step: number; readonly result: ChatResult }
  /** A model did not answer and the next one is asked: what this step has shown so far is void. */
  | {
      readonly type: "fallback";
      readonly step: number;
      readonly failed: FailedModel;
      readonly next: Pick<FailedModel, "provider" | "model">;
    }
  | { readonly type: "tool-result"; readonly step: number; readonly result: ToolResultPart }
  | {
      readonly type: "approval";
      readonly step: number;
      readonly pending: readonly PendingCall[];
    }
  | { readonly type: "turn"; readonly result: AgentResult };

/**
 * One piece of a streamed turn. Each delta is one chunk; a thinking chunk has an output without
 * parts. The last chunk has usage and does not repeat the whole.
 */
export interface AgentChunk {
  readonly thinking?: string;
  readonly text?: string;
  readonly output: ReadableMessage;
  readonly messages: readonly ReadableMessage[];
  readonly metadata: { readonly thinking?: string };
  readonly usage?: AgentResult["usage"];
  /** The event that this chunk was made from. */
  readonly event: AgentEvent;
}

const silent: ReadableMessage = { role: "model", parts: [] };

const nothing: readonly ReadableMessage[] = [];
const untold: AgentChunk["metadata"] = {};

function toChunk(event: AgentEvent): AgentChunk {
  const chunk: AgentChunk = { output: silent, messages: nothing, metadata: untold, event };
  if (event.type === "turn") return { ...chunk, usage: event.result.usage };
  if (event.type !== "answer") return chunk;
  const { event: said } = event;
  if (said.type === "thinking")
    return { ...chunk, thinking: said.delta, metadata: { thinking: said.delta } };
  if (said.type !== "text") return chunk;
  const output: ReadableMessage = { role: "model", parts: [{ type: "text", text: said.delta }] };
  return { ...chunk, text: said.delta, output };
}

/**
 * A streamed turn. One loop can read it; a second loop is refused. Leaving the loop stops the turn
 * and keeps a history that can be continued.
 */
export interface AgentStream<T = unknown> extends AsyncIterable<AgentChunk> {
  /** The turn as events instead of chunks, for servers and screens. Read one or the other. */
  events(): AsyncIterable<AgentEvent>;
  /** Reads the turn to its end and returns the result. A loop at the same time or later still gets every chunk. */
  result(): Promise<AgentResult<T>>;
  /** The object that `output` asked for, while it grows: the same object every time. Read it in place of chunks. */
  objects(): AsyncIterable<DeepPartial<T>>;
  /** The receipts of the steps so far, however the turn ends. The last may be `unfinished`. */
  receipts(): readonly Receipt[];
}

/** A running turn that advances only when it is pulled. */
export class TurnRun implements FeedSource<AgentEvent> {
  readonly #handle: TurnHandle = {
    stop: new AbortController(),
    receipts: [],
    asking: undefined,
    reader: "reads",
    turn: newCallId(),
    base: History.empty,
  };
  readonly #turn: AgentTurn;
  readonly #options: AgentOptions;
  #pulling: Promise<AgentEvent[]> | undefined;
  #answer: LiveAnswer | undefined;
  #isOver = false;
  #result: AgentResult | undefined;

  constructor(begin: (handle: TurnHandle) => AgentTurn, options: AgentOptions) {
    this.#turn = begin(this.#handle);
    this.#options = options;
  }

  pull(): Promise<AgentEvent[]> {
    if (this.#isOver) return Promise.resolve([]);
    this.#pulling = this.#pullNext();
    return this.#pulling;
  }

  async #pullNext(): Promise<AgentEvent[]> {
    try {
      for (;;) {
        const said = (await this.#answer?.()) ?? [];
        if (said.length > 0) return said;
        this.#answer = undefined;
        const { done, value } = await this.#turn.next();
        if (done) {
          this.#isOver = true;
          this.#result = value;
          return value === undefined ? [] : [{ type: "turn", result: value }];
        }
        if (typeof value !== "function") return value;
        this.#answer = value;
      }
    } finally {
      this.#pulling = undefined;
    }
  }

  /** Reads to the end, for callers who want the outcome and none of the events. */
  async whole(): Promise<AgentResult> {
    this.#handle.reader = "waits";
    while ((await this.pull()).length > 0);
    return this.result();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    // Aborting ends a pull that is under way now instead of at the next event.
    if (this.#pulling !== undefined) this.#handle.stop.abort();
    await this.#pulling?.catch(() => undefined);
    await this.#turn.return(undefined);
  }

  idleMs(): number {
    return timeLimits(this.#options.limits, true).idleMs;
  }

  abandon(unread: (peer?: RemotePeer) => MullError): MullError | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const error = this.#handle.asking?.abandon(unread) ?? unread();
    this.#handle.reader = "gone";
    // The same error reaches a late reader through the feed, so here it must not be unhandled.
    void this.#turn.throw(error).catch(() => undefined);
    return error;
  }

  /** The outcome of a turn that is over. */
  result(): AgentResult {
    if (this.#result !== undefined) return this.#result;
    throw new MullError("The loop ended before the turn did, so there is no result.", {
      category: "aborted",
    });
  }

  receipts(): readonly Receipt[] {
    return this.#handle.receipts;
  }
}

async function* answersIn(events: AsyncIterable<AgentEvent>): AsyncGenerator<StreamEvent> {
  for await (const event of events) if (event.type === "answer") yield event.event;
}

/** The stream that `sendStream` and `resumeStream` return. */
export class TurnStream<T> implements AgentStream<T> {
  readonly #run: TurnRun;
  readonly #feed: Feed<AgentEvent>;

  constructor(run: TurnRun, options: AgentOptions) {
    this.#run = run;
    this.#feed = new Feed(run, options);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<AgentChunk, undefined> {
    return this.#feed.loop(toChunk);
  }

  events(): AsyncIterable<AgentEvent> {
    return this.#feed;
  }

  objects(): AsyncIterable<DeepPartial<T>> {
    return growingObjects<T>(answersIn(this.#feed));
  }

  async result(): Promise<AgentResult<T>> {
    await this.#feed.drain();
    return this.#run.result() as AgentResult<T>;
  }

  receipts(): readonly Receipt[] {
    return this.#run.receipts();
  }
}
