import type { MullError } from "../types/error.ts";
import type { HttpFailure } from "../types/http.ts";
import type { Lifeline, Schedule } from "./deadline.ts";
import { type RemotePeer, protocolFailure } from "./failure.ts";

/** The part of a `Response` that is read. */
export interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody | null;
  readonly bodyUsed?: boolean;
}

/** Response headers, looked up by lower-case name. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
}

/** The body of an answer: a web stream, or what `node-client` gives instead of one. */
export interface AnswerBody {
  getReader(): ByteReader;
  cancel(reason?: unknown): Promise<void>;
}

/** The result of one read from a web stream. The DOM types have a name for it, Node's do not. */
export type ReadStep =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value: Uint8Array | undefined };

/** The reader of a web stream of bytes. */
export interface ByteReader {
  read(): Promise<ReadStep>;
  cancel(reason?: unknown): Promise<void>;
}

/** Posts a body and resolves with the head of the answer. Every `fetch` fits. */
export type Post = (url: string, init: PostInit) => Promise<HttpAnswer>;

/** What `fetch` is called with. `dispatcher` is retyped: Node's types name a class of undici's, which the library does not import. */
export interface PostInit extends Omit<RequestInit, "dispatcher"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** Leaves a packed answer packed, for a gateway that passes the bytes on. `fetch` unpacks it anyway. */
  readonly packed?: boolean;
  /** An undici agent or proxy, which only Node's `fetch` knows. */
  readonly dispatcher?: object;
}

/** What is posted: the address, the headers and the text of the body, the same in every attempt. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The arguments for `fetch`. On a web page they keep cookies and the page's own address out of the request. */
export const postInit = (
  { headers, body }: Posted,
  redirect: "error" | "follow" | "manual",
  signal: AbortSignal,
): PostInit => ({
  method: "POST",
  headers,
  body,
  redirect,
  credentials: "omit",
  referrerPolicy: "no-referrer",
  signal,
});

/** A good answer whose head has come, as the sender hands it to the reader. */
export interface SentResponse {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody;
  readonly peer: RemotePeer;
  /** Turns what a read of the body threw, e.g. `TypeError: terminated`, into an error a user can act on. */
  readonly explain: (thrown: unknown) => MullError;
  /** The time limits of this answer. Without them it runs until the service or the caller's signal ends it. */
  readonly lifeline?: Lifeline;
  /** How long the answer may lie unread. Default: for ever. */
  readonly idleMs?: number;
  /** For an answer that broke before its first event: sends the request again if a retry is allowed, else throws `error`. */
  readonly again?: (error: MullError) => Promise<SentResponse>;
  /** Reads what may follow the terminal event. Default: the body is cancelled, which closes the connection. */
  readonly readRest?: (bytes: ByteReader) => void;
}

const errorBodyMs = 10_000;

/** The id under which the service keeps this request, for support: each vendor has its own header. */
export const requestIdOf = (headers: AnswerHeaders): string | undefined =>
  headers.get("request-id") ??
  headers.get("x-request-id") ??
  headers.get("apim-request-id") ??
  undefined;

/** Whether an emulator answered: what it seals would be refused by the real service, so it must never go there. */
export const isFromEmulator = (headers: AnswerHeaders): boolean => headers.has("x-mull-simulated");

/** In a browser a redirect that was not followed has status 0 and the type `opaqueredirect`; on Node it keeps its status, e.g. 307. */
const isRedirect = (response: HttpAnswer): boolean =>
  response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);

/** Redirects are not followed: `fetch` would send the prompt and headers such as `x-api-key` to the new host, and drop only `authorization`. */
function redirectFailure(response: HttpAnswer, url: string, peer: RemotePeer): MullError {
  const location = response.headers.get("location") ?? "";
  let target = "another address";
  if (URL.canParse(location, url)) target = new URL(location, url).host;
  return protocolFailure(
    "redirect",
    `${peer.host} redirects to ${target}, which is not followed. Set the base URL to that address if you trust it.`,
    peer,
    { status: response.status },
  );
}

/** Refuses an answer that is missing or already read, as a mock or logger in place of `fetch` may return. */
export function checkAnswer(answer: Partial<HttpAnswer> | undefined, peer: RemotePeer): void {
  if (answer?.headers === undefined) {
    throw protocolFailure("no_response", "The given fetch did not return a Response.", peer);
  }
  if (answer.bodyUsed === true) {
    const what = `The given fetch has read the answer of ${peer.host}. Let it read response.clone(), and return the response unread.`;
    throw protocolFailure("body_used", what, peer);
  }
}

/** Content types of streams. Some gateways send none at all, hence the empty one. */
const streamTypes = /^(?:text\/event-stream|application\/.*json.*)?$/;

/** Why an answer cannot be a model's stream although its status is good, e.g. a login page with status 200. */
export function headFailure(
  response: HttpAnswer,
  url: string,
  peer: RemotePeer,
): MullError | undefined {
  if (isRedirect(response)) return redirectFailure(response, url, peer);
  if (!response.ok) return undefined;
  const type = response.headers.get("content-type") ?? "";
  if (type === "text/event-stream") return undefined;
  const essence = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (streamTypes.test(essence)) return undefined;
  return protocolFailure(
    "content_type",
    `${peer.host} answered ${response.status} with ${essence.slice(0, 80)} instead of a stream. Is there a proxy or a login page in between?`,
    peer,
    { status: response.status },
  );
}

/** Reads a refusal, at most 64 KB of it in ten seconds. The rest is cancelled: a body that is never read would keep its socket. */
export async function readFailure(response: HttpAnswer, schedule: Schedule): Promise<HttpFailure> {
  const headers = Object.fromEntries(response.headers);
  const text =
    response.body === null
      ? ""
      : await readBriefly(response.body.getReader(), errorBodyMs, schedule);
  return { status: response.status, headers, body: text };
}

const maxBytes = 64 * 1024;

/** Stops reading without waiting for it, and without an unhandled rejection where the stream is broken already. */
export const cancelReader = (reader: ByteReader): void =>
  void reader.cancel().catch(() => undefined);

/**
 * Reads at most 64 KB for at most `ms` and cancels the rest. Only a body that was read to its end
 * leaves a connection that can be used again, and one that is never read keeps its socket.
 */
export async function readBriefly(
  reader: ByteReader,
  ms: number,
  schedule: Schedule,
): Promise<string> {
  const cancelTimer = schedule(() => cancelReader(reader), ms);
  let decoder: TextDecoder | undefined;
  let text = "";
  let isWhole = false;
  try {
    for (let left = maxBytes; left > 0;) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) break;
      decoder ??= new TextDecoder();
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    // The connection broke. What came before often holds the reason, so it is kept.
  }
  cancelTimer();
  if (!isWhole) cancelReader(reader);
  return text;
}
