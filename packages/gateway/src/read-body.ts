import { MullError, type JsonObject } from "mull";
import { isJsonObject } from "mull/wire";

/** Anthropic takes 32 MB a request; nobody else takes more in one body. */
const largestBody = 32 * 1024 * 1024;

/** The body of a request: what the client sent, and what it says. */
export interface ReadBody {
  readonly body: JsonObject;
  /** The JSON as text, unpacked. */
  readonly text: string;
}

/** Reads a JSON body of limited size. */
export async function readBody(request: Request): Promise<ReadBody> {
  const text = new TextDecoder().decode(await readBytes(unpacked(request), sizeOf(request)));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refuse("the body is not JSON", "invalid_json");
  }
  if (!isJsonObject(body)) throw refuse("the body is not a JSON object", "invalid_json");
  return { body, text };
}

const sizeOf = ({ headers }: Request): number | undefined => {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? undefined : Number(length);
};

const packings: ReadonlyMap<string, CompressionFormat> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
] as const);

function unpacked({ body, headers }: Request): ReadableStream<Uint8Array> | null {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (body === null || coding === "identity" || coding === "") return body;
  const format = packings.get(coding);
  if (format === undefined)
    throw refuse(
      `content-encoding: ${coding.slice(0, 40)} is not taken. Allowed: gzip deflate identity`,
      "unsupported_encoding",
      415,
    );
  return body.pipeThrough(new DecompressionStream(format));
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  length: number | undefined,
): Promise<Uint8Array> {
  if (length !== undefined && length > largestBody) {
    void body?.cancel().catch(() => undefined);
    throw tooLarge();
  }
  if (body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw refuse("the body ended before all of it came", "incomplete_body");
    });
    if (done) break;
    size += value.length;
    if (size > largestBody) {
      void reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
  return chunks.length === 1 ? chunks[0]! : joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const refuse = (message: string, code: string, status = 400): MullError =>
  new MullError(message, { category: "invalid_argument", code, status });

const tooLarge = (): MullError =>
  refuse(
    `the body is larger than ${largestBody / 1024 / 1024} MB, the most this gateway takes`,
    "request_too_large",
    413,
  );
