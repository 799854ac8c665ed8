import type { MullError } from "./error.ts";
import type { Reply, StreamEvent } from "./event.ts";
import type { HttpFailure, ServerSentEvent } from "./http.ts";
import type { JsonObject } from "./json.ts";
import type { FilePart, Origin, WireId } from "./message.ts";
import type { Model } from "./model.ts";
import type { Note } from "./plan.ts";
import type { Quirks } from "./quirks.ts";
import type { WireRequest } from "./request.ts";

/** What a wire needs to know to encode a request. */
export interface EncodeTarget {
  readonly model: Model;
  readonly quirks?: Quirks;
}

/** A request in its wire format. The provider adds base URL and key. */
export interface Encoded {
  /** Path under the base URL, query included, e.g. `/v1/messages`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** What could not be honoured. */
  readonly notes: readonly Note[];
}

/** What a wire needs to know to decode an answer. */
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
  /** Makes readers that spare parsing frames like the one before. Without it, as in `mull/lean`, every frame is parsed. */
  readonly hotReader?: <T>(find: FindDelta<T>, kept?: string) => HotReader<T>;
}

/** The one text that is new in a frame: its key, and the part it belongs to. */
export interface HotDelta<T> {
  readonly key: string;
  readonly text: string;
  readonly to: T;
}

/** Says what is new in a parsed frame; `undefined` if that is more than one text, or nothing. */
export type FindDelta<T> = (frame: JsonObject) => HotDelta<T> | undefined;

/** What was read from a frame. The next frame overwrites it. */
export interface HotFrame<T> {
  readonly to: T;
  text: string;
  /** Where the kept value is in the data; both 0 if the frame has none. */
  keptFrom: number;
  keptTo: number;
}

/** Reads frames that differ from the last parsed one in one text and a few other values. */
export interface HotReader<T> {
  /** `undefined` if the frame has to be parsed. */
  readonly read: (data: string) => HotFrame<T> | undefined;
  /** Makes a parsed frame the pattern for the next ones. It replaces the pattern before. */
  readonly learn: (data: string, frame: JsonObject) => void;
}

/**
 * Turns the frames of one streamed answer into events, which are appended to `out`. A frame is one
 * server-sent event, or one JSON value of an array or NDJSON body.
 */
export interface StreamDecoder {
  readonly push: (data: string, event: string | undefined, out: StreamEvent[]) => void;
  /**
   * The body ended, or nothing more will come. Finishes an answer whose service marks its end by
   * hanging up. Throws `protocol`/`truncated` with what arrived if the answer is not whole.
   */
  readonly end: (out: StreamEvent[]) => void;
  /** True once the terminal event came; the rest of the body is not read. */
  readonly finished: () => boolean;
  /** What arrived so far: finished parts whole, the open one marked cut and unsendable. */
  readonly partial: () => Reply;
}

/**
 * What a format itself takes or refuses, whichever model answers: what decisions above the wires
 * depend on. A wire names only what holds for it.
 */
export interface WireTraits {
  readonly id: WireId;
  readonly longestCallId: number;
  /** Whether the format has a place for a file; without it, for every file. */
  readonly takesFile?: (file: FilePart, quirks: Quirks | undefined) => boolean;
  /** Text files are read as words and do not count as documents. */
  readonly readsTextFiles?: true;
  /** Text of white space only is refused, and so is a last assistant message that ends in white space. */
  readonly refusesBlanks?: true;
  /** A conversation must not begin with the model's calls. */
  readonly beginsWithUser?: true;
  /** System messages are accepted anywhere. */
  readonly systemAnywhere?: true;
  /** System messages and changes of effort are accepted only between a question and its answer. */
  readonly systemWaits?: true;
  /** A change of effort inside the conversation holds for one turn. */
  readonly effortForOneTurn?: true;
  /** A thinking model does not continue an assistant message (prefill). */
  readonly noPrefillWhileThinking?: true;
  /** While thinking is off, thinking blocks of the history are refused. */
  readonly noThoughtsWhileOff?: true;
  /** With a budget, a running tool loop must begin with a thought. */
  readonly loopsBeginWithThought?: true;
  /** An answer must not end in a thought. */
  readonly refusesTrailingThought?: true;
  /** Ids of items that follow a thought are refused without that thought. */
  readonly idsNeedThought?: true;
  /** A seal is valid at every host that serves the model. */
  readonly sealsTravel?: true;
  /** Unions at the top of a tool's schema are accepted. */
  readonly takesUnions?: true;
  /** The fewest input tokens at which the service can be asked to shorten the conversation. */
  readonly compactsFrom?: number;
  /** A schema for the answer excludes a forced tool choice. */
  readonly schemaOrForcedTool?: true;
  /** OpenAI's newer reasoning models take tools only without an effort. */
  readonly toolsOrEffort?: true;
  /** Thinking is shown without asking: always, or as soon as a style of summary is named. */
  readonly showsUnasked?: "always" | "styled";
  /** Every request names a cap, and a budget stays below it. */
  readonly needsCap?: true;
  /** Models that take effort words still take budgets, which are deprecated. */
  readonly deprecatesBudgets?: true;
  /** What people call the API, if the vendor has two; its least cap, and the room it advises for thinking. */
  readonly api?: { readonly name: string; readonly leastCap: number; readonly advisedRoom: number };
}

/** The client's side of an HTTP format: encodes requests, decodes streams and errors. */
export interface Wire {
  readonly id: WireId;
  readonly encode: (request: WireRequest, target: EncodeTarget) => Encoded;
  readonly decodeStream: (context: DecodeContext) => StreamDecoder;
  readonly decodeError: (failure: HttpFailure, provider: string) => MullError;
}

/** How a wire asks its service what a request would take, before the request is sent. */
export interface TokenCounter {
  /** The request that has this one counted. Headers stay the same. */
  readonly encode: (encoded: Encoded) => Pick<Encoded, "path" | "body">;
  /** The count in the service's answer; `undefined` if there is none. */
  readonly decode: (body: JsonObject) => number | undefined;
}

/** Decodes a whole answer: mull itself only asks for streams, but logs and other programs hold them. */
export type ReplyDecoder = (body: unknown, context: DecodeContext) => Reply;

/** What a mirror needs to know to write an answer. */
export interface ServeContext {
  readonly model: string;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** Cuts the text of a part that comes whole into the deltas to stream. */
  readonly pieces: (text: string) => readonly string[];
  /** The request being answered, for what a service echoes. */
  readonly request?: WireRequest;
  /** The answer, if all of it is known before it is streamed: the first frames name its usage. */
  readonly reply?: Reply;
}

/** Writes one answer as a stream while its events arrive. */
export interface StreamWriter {
  /**
   * The frames of one event, at once; an event that the wire has no frame for has none. A part that
   * comes without deltas is streamed in the pieces of the context.
   */
  readonly write: (event: StreamEvent) => readonly ServerSentEvent[];
  /** An error after the stream began, as this service sends it. Nothing may follow. */
  readonly fail: (error: ServeError) => readonly ServerSentEvent[];
}

/** An error for a mirror to write in the service's format. */
export interface ServeError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly details?: readonly JsonObject[] | JsonObject;
  readonly requestId?: string;
}

/** The service's side of an HTTP format: decodes requests, encodes replies, streams and errors. */
export interface WireMirror {
  readonly id: WireId;
  readonly decodeRequest: (http: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
    /** The text of the body: `JSON.parse` loses how the arguments of calls were written. */
    readonly text?: string;
  }) => WireRequest;
  readonly encodeReply: (reply: Reply, context: ServeContext) => JsonObject;
  /** The same as JSON, with the arguments of calls as they arrived. */
  readonly writeReply: (reply: Reply, context: ServeContext) => string;
  readonly openStream: (context: ServeContext) => StreamWriter;
  /** The stream of an answer that is whole. */
  readonly encodeStream: (reply: Reply, context: ServeContext) => readonly ServerSentEvent[];
  readonly encodeError: (error: ServeError) => JsonObject;
}
