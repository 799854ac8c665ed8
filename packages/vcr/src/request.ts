import type { RecordedRequest } from "./cassette.ts";
import { encodeRequestBody } from "./cassette.ts";
import type { FetchInput, LiveFetch } from "./fetch.ts";
import { plainBody, steadyType } from "./plain-body.ts";
import { isForm, type Redactor } from "./redact.ts";

/** A request as the client made it, its body read. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal | undefined;
  /** Sends it on, with every setting the client gave. */
  readonly send: (fetch: LiveFetch) => Promise<Response>;
}

export const seeRequest = async (
  input: FetchInput,
  init: RequestInit | undefined,
): Promise<SeenRequest> => {
  if (typeof input !== "string" && !(input instanceof URL)) return seeWhole(input, init);
  const url = new URL(input).href;
  const { bytes, contentType } = await readBody(init?.body);
  const headers = new Headers(init?.headers);
  if (contentType !== null && !headers.has("content-type")) {
    headers.set("content-type", contentType);
  }
  const method = (init?.method ?? "GET").toUpperCase();
  const isPlain = init?.body === undefined || init.body === null || typeof init.body === "string";
  return {
    method,
    url,
    headers,
    body: bytes,
    signal: init?.signal ?? undefined,
    // A string is passed on as it is; anything else has been read and is passed on as bytes.
    send: (fetch) =>
      fetch(
        typeof input === "string" ? input : url,
        isPlain
          ? (init ?? {})
          : { ...init, headers, ...(bytes !== undefined && { body: new Uint8Array(bytes) }) },
      ),
  };
};

const seeWhole = async (input: Request, init: RequestInit | undefined): Promise<SeenRequest> => {
  const request = new Request(input, init);
  const { method, url, headers, signal, redirect } = request;
  const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return {
    method,
    url,
    headers,
    body: bytes,
    signal,
    send: (fetch) =>
      fetch(url, {
        ...init,
        method,
        headers,
        signal,
        redirect,
        ...(bytes !== undefined && { body: new Uint8Array(bytes) }),
      }),
  };
};

const readBody = async (
  body: RequestInit["body"],
): Promise<{ readonly bytes: Buffer | undefined; readonly contentType: string | null }> => {
  if (body === undefined || body === null) return { bytes: undefined, contentType: null };
  const carrier = new Response(body);
  return {
    bytes: Buffer.from(await carrier.arrayBuffer()),
    contentType: carrier.headers.get("content-type"),
  };
};

/** The form in which a request is written down, and compared with what was written down. */
export const redactRequest = (request: SeenRequest, redactor: Redactor): RecordedRequest => {
  const plain = plainBody(request.headers, request.body);
  const body = plain !== undefined && isForm(request.headers) ? redactor.form(plain) : plain;
  const headers = new Headers(request.headers);
  const type = headers.get("content-type");
  if (type !== null) headers.set("content-type", steadyType(type));
  return {
    method: request.method,
    url: redactor.url(request.url),
    headers: redactor.headers(headers),
    ...encodeRequestBody(body === undefined ? undefined : redactor.bytes(body)),
  };
};
