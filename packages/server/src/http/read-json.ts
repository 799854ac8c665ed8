import type { LoopShare } from "@mull/store/parts";
import { MullError } from "mull";
import type { RequestedUrl } from "./asked.ts";
import { parseInSlices } from "./parse-in-slices.ts";
import { badRequest } from "./shape.ts";

/** Deeper values are refused: serialising them would overflow the stack. */
const deepest = 64;

/** A body of this size is parsed in no time. */
const mostAtOnce = 100_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

const inMegabytes = (bytes: number): string =>
  (bytes / 1024 ** 2).toLocaleString("en-US", { maximumFractionDigits: 1 });

const tooLarge = (limit: number): MullError =>
  new MullError(
    `The request is larger than ${inMegabytes(limit)} MB. Shorten it and send it again.`,
    {
      category: "invalid_argument",
      status: 413,
      code: "body_too_large",
    },
  );

const notJson = (): MullError =>
  new MullError("Send JSON with content-type: application/json.", {
    category: "invalid_argument",
    status: 415,
    code: "not_json",
  });

/** Counts while it reads, so that an endless body costs no more than the limit. */
export async function readJson(
  request: RequestedUrl,
  limit: number,
  loop: LoopShare,
): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw notJson();
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") throw notJson();
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBytes(request, limit);
  // If several arrive at once, each is parsed in a round of its own.
  if (bytes.length > mostAtOnce) await loop.take();
  if (!isShallow(bytes)) throw badRequest("body", `JSON of at most ${deepest} levels`);
  let value: unknown;
  try {
    value = await parseInSlices(decoder.decode(bytes), loop);
  } catch {
    throw badRequest("body", "valid JSON in UTF-8");
  }
  // What follows takes a while for megabytes, too.
  await loop.take();
  return value;
}

async function readBytes({ body }: RequestedUrl, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  if (body instanceof Uint8Array) {
    if (body.length > limit) throw tooLarge(limit);
    return body;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.length;
      if (length > limit) throw tooLarge(limit);
      chunks.push(step.value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
  return Buffer.concat(chunks);
}

/** `{` and `}` are 32 above `[` and `]`. */
const [quote, backslash, opening, closing, between] = [0x22, 0x5c, 0x5b, 0x5d, 0x20];

/** Looks before anything is parsed: parsing ten megabytes of `[` takes a second. */
function isShallow(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === backslash) at++;
      else isText = byte !== quote;
    } else if (byte === quote) isText = true;
    else if (byte === closing || byte === closing + between) depth--;
    else if (byte === opening || byte === opening + between) {
      if (++depth > deepest) return false;
    }
  }
  return true;
}
