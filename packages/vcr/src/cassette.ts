import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";

/**
 * The file format: JSON lines. The header first; then each exchange whole: `_request`, then
 * `_response` with `_body` (one delivery, or none) or a `_chunk` for each network delivery, or
 * `_failure` when no response came; then `_end` with the checksums. `at` is milliseconds after the
 * request was sent. Bytes that are not UTF-8 are base64.
 */
export const cassetteVersion = 1;

/** The first line of a cassette. */
export interface CassetteHeader {
  readonly version: number;
  /** When it was recorded, ISO 8601. */
  readonly recorded: string;
  /** Number of exchanges: what tells a cut file from a whole one. */
  readonly exchanges: number;
  /** Fields of requests that may differ, e.g. `body.metadata.user_id`, `body.**.id`, `query.alt`. */
  readonly ignore: readonly string[];
}

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: parsed if writing it again gives the same bytes, else its text, else base64. */
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

/** Status and headers of a recorded response. */
export interface RecordedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The error of a request that got no response, or of a body that broke. */
export interface RecordedFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** Bytes of a recorded body that arrived together. */
export interface RecordedDelivery {
  readonly line: number;
  readonly bytes: Buffer;
  readonly at: number;
}

/** How a body ended: `complete`, `cancelled` by the reader, or `broken` by the connection. */
export type BodyEnd = "complete" | "cancelled" | "broken";

/** One recorded request and its response or failure. */
export interface Exchange {
  /** Line of the request, counted from 1. */
  readonly line: number;
  readonly request: RecordedRequest;
  /** Absent when the request failed. */
  readonly response?: RecordedResponse;
  readonly failure?: RecordedFailure;
  readonly responseAt: number;
  readonly deliveries: readonly RecordedDelivery[];
  readonly end: BodyEnd;
  /** Why a broken body broke. */
  readonly broken?: RecordedFailure;
  readonly endAt: number;
  /** The exchange as it is in the file, line ends included. */
  readonly source: string;
}

/** A cassette that was read: its header and its exchanges. */
export interface Cassette {
  readonly file: string;
  readonly header: CassetteHeader;
  readonly exchanges: readonly Exchange[];
}

export interface Checksums {
  readonly request: string;
  readonly response: string;
  readonly body: string;
}

export interface EndLine {
  readonly how: BodyEnd;
  readonly error?: RecordedFailure;
  readonly deliveries: number;
  readonly bytes: number;
  readonly sha256: Checksums;
}

/** The first 16 hexadecimal digits: against edits and damage, not against an attacker. */
export const checksum = (lines: Iterable<string>): string => {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line).update("\n");
  return hash.digest("hex").slice(0, 16);
};

export const writeHeader = (header: CassetteHeader): string =>
  JSON.stringify({ _cassette: header });

export const writeRequest = (request: RecordedRequest): string =>
  JSON.stringify({ _request: request });

export const writeResponse = (response: RecordedResponse, at: number): string =>
  JSON.stringify({ _response: response, at });

export const writeFailure = (failure: RecordedFailure, at: number): string =>
  JSON.stringify({ _failure: failure, at });

export const writeDelivery = (kind: "_body" | "_chunk", bytes: Buffer, at: number): string => {
  const { text, base64 } = encodeBytes(bytes);
  return JSON.stringify(
    text === undefined ? { [kind]: base64, encoding: "base64", at } : { [kind]: text, at },
  );
};

export const writeEnd = (end: EndLine, at: number): string => JSON.stringify({ _end: end, at });

/** A request body in the most readable form that loses nothing. */
export const encodeRequestBody = (
  bytes: Buffer | undefined,
): Pick<RecordedRequest, "json" | "text" | "base64"> => {
  if (bytes === undefined || bytes.length === 0) return {};
  const encoded = encodeBytes(bytes);
  if (encoded.text === undefined) return encoded;
  try {
    const json: unknown = JSON.parse(encoded.text);
    return JSON.stringify(json) === encoded.text ? { json } : encoded;
  } catch {
    return encoded;
  }
};

const encodeBytes = (
  bytes: Buffer,
):
  | { readonly text: string; readonly base64?: never }
  | { readonly text?: never; readonly base64: string } =>
  isUtf8(bytes) ? { text: bytes.toString("utf8") } : { base64: bytes.toString("base64") };
