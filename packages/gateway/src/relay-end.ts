import type { JsonObject, Usage, WireId } from "mull";
import { isJsonObject, replyDecoders } from "mull/wire";

import { knownCodings, unpack } from "./unpack.ts";

/** Watches a body that passes through, without reading it on the way. */
export interface EndWatch {
  readonly chunk: (bytes: Uint8Array) => void;
  /** Reads what was kept, once the body is over. */
  readonly read: () => Promise<ReadEnd>;
}

/** What the last words of a body say. */
export interface ReadEnd {
  /** Whether these words end an answer; `undefined` if they cannot be read here. */
  readonly isWhole: boolean | undefined;
  readonly usage?: Omit<Usage, "raw">;
}

/** The end of a Responses stream repeats the whole answer. */
const kept = 256 * 1024;

const lastWords = 500;

/**
 * A packed body can only be read from its beginning. If it is larger than this, nothing is read.
 */
const mostPacked = 4 * 1024 * 1024;
const mostUnpacked = 64 * 1024 * 1024;

/** Words in the last frames of an answer that is whole, or that says why it is not. */
const endings: Readonly<Record<WireId, RegExp>> = {
  "anthropic-messages": /"type":\s*"(?:message_stop|error)"/,
  "openai-responses": /"type":\s*"(?:response\.(?:completed|failed|incomplete|cancelled)|error)"/,
  "openai-chat": /data:\s*\[DONE\]|"finish_reason":\s*"|"error":\s*\{/,
  "google-generate": /"finishReason":\s*"|"blockReason":\s*"|"error":\s*\{/,
};

/** Keeps the first and the last bytes of a body, or all of a packed one. */
export function watchEnd(wire: WireId, coding: string | undefined): EndWatch {
  const most = coding === undefined ? kept : mostPacked;
  const chunks: Uint8Array[] = [];
  let first: Uint8Array | undefined;
  let size = 0;
  const joined = (): Uint8Array =>
    Buffer.concat(first === undefined || chunks[0] === first ? chunks : [first, ...chunks]);
  const text = async (): Promise<string | undefined> => {
    const bytes = joined();
    if (coding === undefined) return decode(bytes);
    if (chunks[0] !== first || !knownCodings.includes(coding)) return undefined;
    return unpack(bytes, coding, mostUnpacked).then(decode, () => "");
  };
  return {
    chunk: (bytes) => {
      first ??= bytes;
      chunks.push(bytes);
      size += bytes.length;
      while (chunks.length > 1 && size - chunks[0]!.length > most) size -= chunks.shift()!.length;
    },
    read: async () => {
      const said = await text();
      if (said === undefined) return { isWhole: undefined };
      const usage = usageIn(said, wire);
      // Most answers say it with their last word, and looking through all of them costs more than the rest.
      const isWhole = endings[wire].test(said.slice(-lastWords)) || endings[wire].test(said);
      return { isWhole, ...(usage !== undefined && { usage }) };
    },
  };
}

/** All that is looked for is ASCII, so that no letter has to be decoded. */
const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** Reads the usage of a body of this wire, wherever it is. */
function usageIn(text: string, wire: WireId): Omit<Usage, "raw"> | undefined {
  const field = wire === "google-generate" ? "usageMetadata" : "usage";
  const found = Object.assign({}, ...objectsNamed(text, field)) as JsonObject;
  if (Object.keys(found).length === 0) return undefined;
  try {
    const context = {
      origin: { wire, provider: "", model: "" },
      now: () => 0,
      newId: () => "",
    };
    const { raw: _, ...usage } = replyDecoders[wire](emptyAnswers[wire](found), context).usage;
    return usage;
  } catch {
    return undefined;
  }
}

const emptyAnswers: Readonly<Record<WireId, (usage: JsonObject) => JsonObject>> = {
  "anthropic-messages": (usage) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "x" }],
    stop_reason: "end_turn",
    usage,
  }),
  "openai-responses": (usage) => ({ object: "response", status: "completed", output: [], usage }),
  "openai-chat": (usage) => ({
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }],
    usage,
  }),
  "google-generate": (usageMetadata) => ({
    candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text: "x" }] } }],
    usageMetadata,
  }),
};

/** The first and the last object of this name: Anthropic counts the input at the start. */
function objectsNamed(text: string, name: string): readonly JsonObject[] {
  const mark = `"${name}":`;
  const places = [...new Set([text.indexOf(mark), text.lastIndexOf(mark)])];
  return places
    .map((at) => (at < 0 ? undefined : objectAt(text, at + mark.length)))
    .filter((found) => found !== undefined);
}

function objectAt(text: string, from: number): JsonObject | undefined {
  const begin = from + (/^\s*/.exec(text.slice(from, from + 100))?.[0].length ?? 0);
  if (text[begin] !== "{") return undefined;
  let depth = 0;
  for (let at = begin; at < Math.min(text.length, begin + 4000); at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return parsed(text.slice(begin, at + 1));
  }
  return undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
      : undefined;
  } catch {
    return undefined;
  }
}
