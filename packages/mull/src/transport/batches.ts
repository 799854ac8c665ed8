import { isMullError, type MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import type { ByteReader, ReadStep } from "./answer.ts";
import { requestIdOf } from "./answer-head.ts";
import { schedule } from "./deadline.ts";
import { connectionFailure, protocolFailure, rebuildError } from "./failure.ts";
import { noBytes } from "./byte-buffer.ts";
import { Cutter, type Framing } from "./framing.ts";
import { cancelReader, readBriefly } from "./read-briefly.ts";
import type { SentResponse } from "./send.ts";

export interface BatchOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Largest body in bytes, after decompression. Default 512 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** The first frame has come. */
  readonly onFirst?: (() => void) | undefined;
  /** The answer is whole; the last event is the whole of it. */
  readonly onFinish?: ((last: StreamEvent | undefined) => void) | undefined;
}

const defaultMaxResponseBytes = 512 * 1024 * 1024;
const graceMs = 250;
const heartbeat: StreamEvent = { type: "heartbeat" };
const noEvents: readonly StreamEvent[] = [];

/** One answer, read a network chunk at a time and decoded a few events at a time. */
export class BatchReader {
  readonly #response: SentResponse;
  readonly #decoder: StreamDecoder;
  readonly #options: BatchOptions;
  readonly #reader: ByteReader;
  readonly #framing: Framing;
  /** `undefined` once the body has ended. */
  #chunk: Uint8Array | undefined = noBytes;
  #at = 0;
  /** The first events of a chunk are handed out at once; more of them are cheaper together. */
  #enough = 1;
  #batch: StreamEvent[] = [];
  #frames = 0;
  #bytes = 0;
  #isOver = false;
  #loss: MullError | undefined;
  #failure: MullError | undefined;

  constructor(response: SentResponse, decoder: StreamDecoder, options: BatchOptions) {
    this.#response = response;
    this.#decoder = decoder;
    this.#options = options;
    const reader = response.body.getReader();
    this.#reader = reader;
    this.#framing = new Cutter(this, options.maxEventBytes);
    // A cancelled reader settles its pending read at once, whatever becomes of the connection.
    response.lifeline.onCut(() => cancelReader(reader));
    response.lifeline.deadline.pause();
  }

  onFrame(data: string, event: string | undefined): void {
    if (this.#frames++ === 0) this.#options.onFirst?.();
    if (data !== "" && !this.#decoder.finished()) this.#decoder.push(data, event, this.#batch);
  }

  /** The next events in the bytes that have come; none when it takes more bytes, or all is over. */
  decode(): readonly StreamEvent[] {
    if (this.#isOver || this.#at === this.#chunk?.length) return noEvents;
    const batch: StreamEvent[] = [];
    this.#batch = batch;
    const { lifeline } = this.#response;
    const cut = lifeline.failure() ?? this.#loss;
    // What came before it lay unread for too long is still handed out.
    const isHeld = lifeline.isUnread() && this.#chunk !== undefined;
    if (cut === undefined || isHeld) this.#decodeSome(batch);
    else if (!this.#isWhole(cut)) this.#fail(cut);
    if (batch.length > 0) lifeline.deadline.news();
    else lifeline.deadline.byte();
    return batch;
  }

  /** A sign of life, where the bytes that came said nothing and nobody was told anything for long. */
  beat(): StreamEvent | undefined {
    const { deadline } = this.#response.lifeline;
    return !this.#isOver && this.#bytes > 0 && deadline.isBeatDue() ? heartbeat : undefined;
  }

  /** The reader took an event. */
  touch(): void {
    this.#response.lifeline.deadline.read();
  }

  /** Waits for more bytes; `take` or, when it rejects, `lose` is told what came of it. */
  read(): Promise<ReadStep> {
    this.#response.lifeline.deadline.wait();
    return this.#reader.read();
  }

  take({ value }: ReadStep): void {
    this.#chunk = value;
    this.#at = 0;
    this.#enough = 1;
    this.#bytes += value?.length ?? 0;
    const most = this.#options.maxResponseBytes ?? defaultMaxResponseBytes;
    if (this.#bytes > most) this.#fail(tooLong(most, this.#response));
  }

  lose(thrown: unknown): void {
    this.#chunk = undefined;
    this.#loss = connectionFailure(thrown, this.#response.peer);
  }

  /** Nothing will come any more. */
  isOver(): boolean {
    return this.#isOver;
  }

  /** What went wrong. It counts once everything before it was handed out. */
  failure(): MullError | undefined {
    return this.#failure;
  }

  /** Closes the connection. Idempotent. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#response.lifeline.close();
    cancelReader(this.#reader);
  }

  #decodeSome(batch: readonly StreamEvent[]): void {
    const chunk = this.#chunk;
    try {
      if (chunk === undefined) return this.#decodeEnd();
      while (this.#at < chunk.length && batch.length < this.#enough) {
        this.#at = this.#framing.step(chunk, this.#at);
      }
      this.#enough *= 2;
      if (this.#at === chunk.length) this.#letGo();
      if (this.#decoder.finished()) this.#finish();
    } catch (thrown) {
      const error = isMullError(thrown) ? thrown : undecodable(thrown, this.#response);
      const isOurs = error.category === "protocol" && chunk !== undefined;
      this.#fail(error, isOurs ? ` (at byte ${this.#framing.offset()} of the stream)` : "");
    }
  }

  /**
   * Some services mark the end of an answer by hanging up alone. Where that fails, or never comes,
   * behind their last word, the answer is whole all the same.
   */
  #isWhole(loss: MullError): boolean {
    const isStopped = loss.category === "aborted" || this.#response.lifeline.isUnread();
    if (this.#chunk !== undefined || this.#frames === 0 || isStopped) return false;
    try {
      this.#decoder.end(this.#batch);
    } catch {
      return false;
    }
    this.#finish();
    return true;
  }

  /** A silent stream does not hold on to the bytes it has read. */
  #letGo(): void {
    this.#chunk = noBytes;
    this.#at = 0;
  }

  #decodeEnd(): void {
    this.#framing.end();
    if (this.#bytes === 0) throw emptyResponse(this.#response);
    if (!this.#decoder.finished()) this.#decoder.end(this.#batch);
    this.#finish();
  }

  #finish(): void {
    this.#isOver = true;
    this.#response.lifeline.release();
    this.#options.onFinish?.(this.#batch.at(-1));
    // Most services end the body a moment after the terminal event.
    if (this.#chunk !== undefined) void readBriefly(this.#reader, graceMs, schedule);
  }

  #fail(error: MullError, note?: string): void {
    if (this.#isOver) return;
    this.close();
    const { status, headers, peer } = this.#response;
    const fields = {
      status: error.status ?? status,
      requestId: error.requestId ?? requestIdOf(headers),
      partial: error.partial ?? (this.#frames > 0 ? partialOf(this.#decoder) : undefined),
    };
    this.#failure = rebuildError(error, peer, fields, note);
  }
}

/** A decoder that fell over must not hide why. */
function partialOf(decoder: StreamDecoder): Reply | undefined {
  try {
    return decoder.partial();
  } catch {
    return undefined;
  }
}

const emptyResponse = ({ status, peer }: SentResponse): MullError =>
  protocolFailure("empty_response", `${peer.host} answered ${status} with an empty body.`, peer, {
    retryable: true,
  });

const tooLong = (maxBytes: number, { peer }: SentResponse): MullError =>
  protocolFailure(
    "response_too_large",
    `${peer.host} sent more than maxResponseBytes (${maxBytes}). Raise maxResponseBytes if such answers are expected.`,
    peer,
  );

const undecodable = (thrown: unknown, { peer }: SentResponse): MullError =>
  protocolFailure(
    "undecodable",
    `${peer.host} sent an event that could not be read (${thrown instanceof Error ? thrown.name : typeof thrown}).`,
    peer,
  );
