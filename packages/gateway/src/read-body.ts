import { MullError, type JsonObject } from "mull";
import { isJsonObject } from "mull/wire";

import type { ClientRequest } from "./client-exchange.ts";
import { codingOf, knownCodings, unpack } from "./unpack.ts";

/** Anthropic takes 32 MB a request; no other service takes more in one body. */
const largestBody = 32 * 1024 * 1024;

const utf8 = new TextDecoder();

/** A body as its client sent it. */
export interface SentBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the bytes are packed with. */
  readonly coding?: string;
}

/** The body of a request: what the client sent, and what it says. */
export interface ReadBody {
  readonly sent: SentBytes;
  readonly body: JsonObject;
  /** The JSON as text, unpacked. */
  readonly text: string;
}

/** Reads a JSON body of limited size. */
export async function readBody(request: ClientRequest): Promise<ReadBody> {
  const coding = codingOf(request.headers);
  if (coding !== undefined && !knownCodings.includes(coding)) throw unknownCoding(coding);
  const bytes = await readBytes(request);
  const text = utf8.decode(coding === undefined ? bytes : await unpacked(bytes, coding));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refuse("the body is not JSON", "invalid_json");
  }
  if (!isJsonObject(body)) throw refuse("the body is not a JSON object", "invalid_json");
  return { sent: { bytes, ...(coding !== undefined && { coding }) }, body, text };
}

const unpacked = (bytes: Uint8Array, coding: string): Promise<Uint8Array> =>
  unpack(bytes, coding, largestBody).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw refuse(`the body is not ${coding}, as its content-encoding says`, "invalid_encoding");
  });

async function readBytes({ headers, read }: ClientRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get("content-length") ?? 0) > largestBody) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await read((chunk) => {
    size += chunk.length;
    chunks.push(chunk);
    return size <= largestBody;
  }).catch(() => {
    throw refuse("the body ended too early", "incomplete_body");
  });
  if (size > largestBody) throw tooLarge();
  // Most bodies come as one chunk. Node's memory is never shared between threads, which `fetch` would refuse.
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  return bytes as Uint8Array<ArrayBuffer>;
}

const refuse = (message: string, code: string, status = 400, fix?: string): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    code,
    status,
    ...(fix !== undefined && { fix }),
  });

const tooLarge = (): MullError =>
  refuse(
    `the body is larger than ${largestBody / 1024 / 1024} MB, the most this gateway takes`,
    "request_too_large",
    413,
  );

const unknownCoding = (coding: string): MullError =>
  refuse(
    `content-encoding: ${coding.slice(0, 40)} cannot be read here. Allowed: ${knownCodings.join(" ")} identity`,
    "unsupported_encoding",
    415,
    coding === "zstd" ? "run the gateway on Node 22.15 or newer, or send gzip" : "send gzip",
  );
