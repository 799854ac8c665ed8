import { Drain } from "../transport/drain.ts";
import { Loop } from "../transport/loop.ts";
import type { Receipt } from "../types/plan.ts";
import { toChunk, type AgentChunk, type AgentEvent } from "./event.ts";
import type { AgentResult } from "./result.ts";
import { over, TurnReader } from "./turn-reader.ts";
import type { TurnExit } from "./turn.ts";

/**
 * A streamed turn. One loop can read it; a second loop is refused. Leaving the loop stops the turn
 * and keeps a history that can be continued.
 */
export interface AgentStream extends AsyncIterable<AgentChunk> {
  /** The same turn as bare events, for servers and screens. Iterate one or the other. */
  events(): AsyncIterable<AgentEvent>;
  /** Events that came together with the last one and are not handed out yet; they then are. */
  takeReady(): readonly AgentEvent[];
  /** The whole turn, read to its end; a loop beside it or after it misses nothing. */
  result(): Promise<AgentResult>;
  /** What the steps so far took, however the turn ends; the last one may be `unfinished`. */
  receipts(): readonly Receipt[];
}

type Begin = (reader: TurnReader, exit: TurnExit) => Promise<AgentResult>;

/** Classes, not closures: code compiled for the functions of one turn is thrown away with it. */
export class TurnStream implements AgentStream {
  readonly #exit: TurnExit = { receipts: [] };
  readonly #turn: TurnReader;
  #drain: Drain<AgentEvent> | undefined;
  #loop: Loop<AgentEvent> | undefined;

  constructor(begin: Begin) {
    this.#turn = new TurnReader((reader) => begin(reader, this.#exit));
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentChunk> {
    return new TurnChunks(this.#read());
  }

  events(): AsyncIterable<AgentEvent> {
    return { [Symbol.asyncIterator]: () => this.#read() };
  }

  takeReady(): readonly AgentEvent[] {
    return (this.#drain ?? this.#turn).takeReady();
  }

  result(): Promise<AgentResult> {
    return this.#readAll(true);
  }

  /** `result`, where nobody will ever want the events. */
  whole(): Promise<AgentResult> {
    return this.#readAll(false);
  }

  receipts(): readonly Receipt[] {
    return this.#exit.receipts;
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    return (this.#drain ?? this.#turn).next();
  }

  async return(): Promise<typeof over> {
    // Somebody waits for the result: without this the turn would go on to its next event.
    if (this.#drain !== undefined) this.#exit.leave?.();
    await this.#turn.stop();
    return over;
  }

  #read(): Loop<AgentEvent> {
    return (this.#loop = new Loop(this, this.#loop));
  }

  async #readAll(keeps: boolean): Promise<AgentResult> {
    this.#drain ??= new Drain(this.#turn, keeps);
    await this.#drain.end;
    return this.#turn.result();
  }
}

class TurnChunks implements AsyncIterableIterator<AgentChunk> {
  readonly #events: Loop<AgentEvent>;

  constructor(events: Loop<AgentEvent>) {
    this.#events = events;
  }

  next(): Promise<IteratorResult<AgentChunk, undefined>> {
    return this.#events.next().then(toChunkStep);
  }

  async return(): Promise<typeof over> {
    await this.#events.return();
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const toChunkStep = (
  step: IteratorResult<AgentEvent, undefined>,
): IteratorResult<AgentChunk, undefined> =>
  step.done ? step : { done: false, value: toChunk(step.value) };
