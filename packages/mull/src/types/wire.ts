import type { MullError } from "./error.ts";
import type { Reply, StreamEvent } from "./event.ts";
import type { HttpFailure, ServerSentEvent } from "./http.ts";
import type { JsonObject } from "./json.ts";
import type { Origin, WireId } from "./message.ts";
import type { Model } from "./model.ts";
import type { Note } from "./plan.ts";
import type { Quirks } from "./quirks.ts";
import type { WireRequest } from "./request.ts";

/** What a wire must know to write a request. */
export interface EncodeTarget {
  readonly model: Model;
  readonly quirks?: Quirks;
}

/** A request in a wire's form. The provider adds base URL and key. */
export interface Encoded {
  /** Path under the base URL, query included, e.g. `/v1/messages`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** What could not be honoured. */
  readonly notes: readonly Note[];
}

/** What a wire must know to read an answer. */
export interface DecodeContext {
  readonly origin: Origin;
  /** Fingerprint to put on seals that are bound to their prefix. */
  readonly prefix?: string;
  readonly quirks?: Quirks;
  /** Milliseconds since the epoch, for the start stamps of thinking blocks. */
  readonly now: () => number;
  /** A fresh id for calls that came without one. */
  readonly newId: () => string;
  /** The text of a whole answer: `JSON.parse` loses how the arguments of its calls were written. */
  readonly text?: string;
}

/**
 * Steps through one streamed answer, synchronously. Events are appended to `out`.
 * `push` takes one SSE frame, or one JSON value of an array or NDJSON body.
 */
export interface StreamDecoder {
  readonly push: (data: string, event: string | undefined, out: StreamEvent[]) => void;
  /**
   * The body ended, or nothing more will come. Finishes an answer whose service marks its end by
   * hanging up. Throws `protocol`/`truncated` with what arrived where the answer is not whole.
   */
  readonly end: (out: StreamEvent[]) => void;
  /** True once the terminal event came; the rest of the body is not read. */
  readonly finished: () => boolean;
  /** What arrived so far: finished parts whole, the open one marked cut and unsendable. */
  readonly partial: () => Reply;
}

/** The client's side of a wire format. No I/O, no clock, no randomness of its own. */
export interface Wire {
  readonly id: WireId;
  readonly encode: (request: WireRequest, target: EncodeTarget) => Encoded;
  readonly decode: (body: unknown, context: DecodeContext) => Reply;
  readonly decodeStream: (context: DecodeContext) => StreamDecoder;
  readonly decodeError: (failure: HttpFailure, provider: string) => MullError;
}

/** What a server says it is when it writes an answer. */
export interface ServeContext {
  readonly model: string;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** Cuts a text into the deltas to stream. */
  readonly pieces: (text: string) => readonly string[];
  /** The request being answered, for what a service echoes. */
  readonly request?: WireRequest;
}

/** A refusal in neutral words; a wire spells it as its service does. */
export interface ServeError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly details?: readonly JsonObject[] | JsonObject;
  readonly requestId?: string;
}

/** The server's side of a wire format: the mirror image of `Wire`. */
export interface WireMirror {
  readonly id: WireId;
  readonly decodeRequest: (http: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  }) => WireRequest;
  readonly encodeReply: (reply: Reply, context: ServeContext) => JsonObject;
  readonly encodeStream: (reply: Reply, context: ServeContext) => readonly ServerSentEvent[];
  readonly encodeError: (error: ServeError) => JsonObject;
  /** An error after the stream began, as this service sends it. */
  readonly encodeStreamError: (error: ServeError) => readonly ServerSentEvent[];
}
