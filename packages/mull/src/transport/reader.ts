import { isMullError, type MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import {
  type AnswerHeaders,
  type ByteReader,
  cancelReader,
  requestIdOf,
  type SentResponse,
} from "./answer.ts";
import { protocolFailure, rebuildError, type RemotePeer } from "./failure.ts";
import type { FeedSource } from "./feed.ts";
import { createFraming, type Framing, noBytes } from "./framing.ts";

/** How large an answer may be. */
export interface ReadOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Largest body in bytes, after decompression. Default 512 MiB. */
  readonly maxResponseBytes?: number | undefined;
}

const defaultMaxResponseBytes = 512 * 1024 * 1024;
/** How much is decoded before events are handed out. A chunk may have 64 KB: its first event would wait for hundreds after it. */
const pieceBytes = 2048;

/** One answer of a service, and how its bytes are read. */
interface OpenAnswer {
  readonly response: SentResponse;
  readonly decoder: StreamDecoder;
  readonly bytes: ByteReader;
  readonly framing: Framing;
}

/**
 * Reads one answer: opens it, reads a network chunk when more is wanted, and decodes it in pieces.
 * An answer that fails before its first event is asked for again, once. It lets go of the
 * connection at the terminal event, on an error, and when the reader leaves.
 */
export class AnswerReader implements FeedSource<StreamEvent> {
  readonly #open: () => Promise<SentResponse>;
  readonly #newDecoder: (headers: AnswerHeaders) => StreamDecoder;
  readonly #options: ReadOptions;
  #opening: Promise<OpenAnswer> | undefined;
  #answer: OpenAnswer | undefined;
  /** Bytes that came and are not decoded yet. */
  #rest = noBytes;
  #batch: StreamEvent[] = [];
  #frames = 0;
  #size = 0;
  #hasStarted = false;
  #hasSpoken = false;
  #hasAskedAgain = false;
  #isOver = false;
  #reply: Reply | undefined;
  #firstAt: number | undefined;
  #endedAt: number | undefined;
  /** What went wrong. It is thrown after the events that came before it were handed out. */
  #failure: MullError | undefined;

  constructor(
    open: () => Promise<SentResponse>,
    newDecoder: (headers: AnswerHeaders) => StreamDecoder,
    options: ReadOptions = {},
  ) {
    this.#open = open;
    this.#newDecoder = newDecoder;
    this.#options = options;
  }

  async pull(): Promise<StreamEvent[]> {
    while (!this.#isOver) {
      const answer = this.#answer ?? (await (this.#opening ??= this.#begin(this.#open())));
      if (this.#failure !== undefined) {
        await this.#askAgain(answer, this.#failure);
        continue;
      }
      this.#batch = [];
      if (this.#rest.length > 0) this.#decodeUnlessCut(answer, false);
      else await this.#receive(answer);
      const events = this.#toHandOut(answer);
      if (events.length > 0) {
        answer.response.lifeline?.deadline.pause();
        return events;
      }
    }
    return [];
  }

  /** The whole answer. */
  reply(): Reply | undefined {
    return this.#reply;
  }

  /** What arrived so far. */
  partial(): Reply | undefined {
    return this.#reply ?? this.#answer?.decoder.partial();
  }

  /** When the first frame came, and when the answer ended. */
  times(): { readonly firstAt: number | undefined; readonly endedAt: number | undefined } {
    return { firstAt: this.#firstAt, endedAt: this.#endedAt };
  }

  idleMs(): number {
    return this.#answer?.response.idleMs ?? Infinity;
  }

  abandon(unread: (peer?: RemotePeer) => MullError): MullError | undefined {
    const answer = this.#answer;
    if (this.#isOver || answer === undefined) return undefined;
    if (this.#failure === undefined) this.#fail(answer, unread(answer.response.peer));
    this.#isOver = true;
    return this.#failure;
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const answer = await this.#opening?.catch(() => undefined);
    if (answer !== undefined) letGo(this.#answer ?? answer);
  }

  async #begin(opening: Promise<SentResponse>): Promise<OpenAnswer> {
    const response = await opening;
    const bytes = response.body.getReader();
    const answer: OpenAnswer = {
      response,
      decoder: this.#newDecoder(response.headers),
      bytes,
      framing: createFraming((data, event) => this.#takeFrame(data, event), this.#options),
    };
    this.#answer = answer;
    this.#frames = this.#size = 0;
    // A `fetch` of the caller's may ignore its signal. Cancelling the reader settles a pending read anyway.
    response.lifeline?.onCut(() => cancelReader(bytes));
    if (this.#isOver) letGo(answer);
    return answer;
  }

  /** Sends the request once more if nothing was handed out yet, else throws why the answer ended. */
  async #askAgain(answer: OpenAnswer, error: MullError): Promise<void> {
    const { again } = answer.response;
    if (this.#hasSpoken || this.#hasAskedAgain || again === undefined) {
      this.#isOver = true;
      throw error;
    }
    this.#hasAskedAgain = true;
    await this.#begin(again(error));
    this.#failure = undefined;
  }

  /** Waits for a network chunk and decodes the first piece of it. */
  async #receive(answer: OpenAnswer): Promise<void> {
    const { lifeline, explain } = answer.response;
    lifeline?.deadline.wait();
    try {
      const { value } = await answer.bytes.read();
      this.#rest = value ?? noBytes;
      this.#decodeUnlessCut(answer, value === undefined);
    } catch (thrown) {
      this.#lose(answer, lifeline?.failure() ?? explain(thrown));
    }
    lifeline?.deadline.byte(this.#batch.length > 0);
  }

  #decodeUnlessCut(answer: OpenAnswer, isEnd: boolean): void {
    const cut = answer.response.lifeline?.failure();
    if (cut !== undefined) this.#lose(answer, cut);
    else if (!this.#isOver) this.#decode(answer, isEnd);
  }

  #toHandOut({ response }: OpenAnswer): StreamEvent[] {
    const batch = this.#batch;
    const isStart = batch[0]?.type === "start";
    this.#hasSpoken ||= batch.length > (isStart ? 1 : 0);
    // After a retry the second answer has a `start` too. The reader got one already, so this one is left out.
    if (isStart && this.#hasStarted) batch.shift();
    this.#hasStarted ||= isStart;
    const isQuiet = batch.length === 0 && this.#rest.length === 0 && this.#size > 0;
    const isOpen = !this.#isOver && this.#failure === undefined;
    if (isQuiet && isOpen && response.lifeline?.deadline.isBeatDue())
      batch.push({ type: "heartbeat" });
    return batch;
  }

  #decode(answer: OpenAnswer, isEnd: boolean): void {
    const { decoder, framing, response } = answer;
    const most = this.#options.maxResponseBytes ?? defaultMaxResponseBytes;
    const piece = this.#rest.subarray(0, pieceBytes);
    // `noBytes` instead of an empty `subarray`, which would keep a chunk of 64 KB alive while the stream is silent.
    this.#rest = this.#rest.length > pieceBytes ? this.#rest.subarray(pieceBytes) : noBytes;
    this.#size += piece.length;
    if (this.#size > most) return this.#fail(answer, tooLong(most, response));
    try {
      if (isEnd) this.#decodeEnd(answer);
      else framing.push(piece);
      if (decoder.finished()) this.#finish(answer, isEnd);
    } catch (thrown) {
      const error = isMullError(thrown) ? thrown : undecodable(thrown, response);
      const isOurs = error.category === "protocol" && !isEnd;
      this.#fail(answer, error, isOurs ? ` (at byte ${framing.offset()} of the stream)` : "");
    }
  }

  #takeFrame(data: string, event: string | undefined): void {
    const decoder = this.#answer?.decoder;
    if (this.#frames++ === 0) this.#firstAt ??= performance.now();
    if (data !== "" && decoder?.finished() === false) decoder.push(data, event, this.#batch);
  }

  #decodeEnd({ decoder, framing, response }: OpenAnswer): void {
    framing.end();
    if (this.#size === 0) throw emptyResponse(response);
    if (!decoder.finished()) decoder.end(this.#batch);
  }

  /**
   * The connection broke or went silent. Gemini marks the end of an answer only by closing it: where
   * that fails after its finish reason, nothing is missing, and the decoder ends the answer as usual.
   */
  #lose(answer: OpenAnswer, loss: MullError): void {
    if (this.#frames === 0 || this.#rest.length > 0 || loss.category === "aborted")
      return this.#fail(answer, loss);
    try {
      answer.decoder.end(this.#batch);
    } catch {
      return this.#fail(answer, loss);
    }
    this.#finish(answer, true);
  }

  #finish({ response, bytes }: OpenAnswer, isEnd: boolean): void {
    const last = this.#batch.at(-1);
    if (last?.type === "finish") this.#reply = last.reply;
    this.#endedAt = performance.now();
    this.#isOver = true;
    this.#rest = noBytes;
    response.lifeline?.release();
    if (!isEnd) (response.readRest ?? cancelReader)(bytes);
  }

  #fail(answer: OpenAnswer, error: MullError, note?: string): void {
    const { status, headers, peer } = answer.response;
    this.#rest = noBytes;
    letGo(answer);
    const fields = {
      status: error.status ?? status,
      requestId: error.requestId ?? requestIdOf(headers),
      partial: error.partial ?? (this.#frames > 0 ? partialOf(answer.decoder) : undefined),
    };
    this.#failure = rebuildError(error, peer, fields, note);
  }
}

function letGo({ response, bytes }: OpenAnswer): void {
  response.lifeline?.close();
  cancelReader(bytes);
}

/** What arrived; nothing if the decoder throws once more, which would hide the first error. */
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
