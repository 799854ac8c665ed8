import { Drain } from "../transport/drain.ts";
import type { Receipt } from "../types/plan.ts";
import { toChunk, type AgentChunk, type AgentEvent } from "./event.ts";
import type { AgentResult } from "./result.ts";
import { over, TurnReader } from "./turn-reader.ts";
import type { TurnExit } from "./turn.ts";

/**
 * A streamed turn. Leaving the loop stops it and leaves a history that can be continued. Its methods
 * are called on it.
 */
export interface AgentStream extends AsyncIterable<AgentChunk> {
  /** The same turn as bare events, for servers and screens. Iterate one or the other. */
  events(): AsyncIterable<AgentEvent>;
  /** Events that came together with the last one and are not handed out yet; they then are. */
  takeReady(): readonly AgentEvent[];
  /** The whole turn, read to its end; who iterates beside it misses nothing. */
  result(): Promise<AgentResult>;
  /** What the steps so far took, however the turn ends; the last one may be `unfinished`. */
  receipts(): readonly Receipt[];
}

type Begin = (reader: TurnReader, exit: TurnExit) => Promise<AgentResult>;

/** Classes, not closures: code compiled for the functions of one turn is thrown away with it. */
export class TurnStream implements AgentStream {
  readonly #exit: TurnExit = { receipts: [] };
  readonly #turn: TurnReader;
  readonly #events = new TurnEvents(this);
  readonly #chunks = new TurnChunks(this);
  #drain: Drain<AgentEvent> | undefined;
  #isRead = false;

  constructor(begin: Begin) {
    this.#turn = new TurnReader((reader) => begin(reader, this.#exit));
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentChunk> {
    this.#read();
    return this.#chunks;
  }

  events(): AsyncIterable<AgentEvent> {
    this.#read();
    return this.#events;
  }

  takeReady(): readonly AgentEvent[] {
    return (this.#drain ?? this.#turn).takeReady();
  }

  async result(): Promise<AgentResult> {
    this.#drain ??= new Drain(this.#turn, this.#isRead);
    await this.#drain.end;
    return this.#turn.result();
  }

  receipts(): readonly Receipt[] {
    return this.#exit.receipts;
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    return (this.#drain ?? this.#turn).next();
  }

  async stop(): Promise<typeof over> {
    // Somebody waits for the result: without this the turn would go on to its next event.
    if (this.#drain !== undefined) this.#exit.leave?.();
    await this.#turn.stop();
    return over;
  }

  #read(): void {
    this.#isRead = true;
    this.#drain?.keep();
  }
}

class TurnEvents implements AsyncIterableIterator<AgentEvent> {
  readonly #stream: TurnStream;

  constructor(stream: TurnStream) {
    this.#stream = stream;
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    return this.#stream.next();
  }

  return(): Promise<typeof over> {
    return this.#stream.stop();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

class TurnChunks implements AsyncIterableIterator<AgentChunk> {
  readonly #stream: TurnStream;

  constructor(stream: TurnStream) {
    this.#stream = stream;
  }

  next(): Promise<IteratorResult<AgentChunk, undefined>> {
    return this.#stream.next().then(toChunkStep);
  }

  return(): Promise<typeof over> {
    return this.#stream.stop();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const toChunkStep = (
  step: IteratorResult<AgentEvent, undefined>,
): IteratorResult<AgentChunk, undefined> =>
  step.done ? step : { done: false, value: toChunk(step.value) };
