import type { JsonObject, JsonValue } from "../types/json.ts";
import type { Message, Part } from "../types/message.ts";
import { isToolSpec, type AnyTool } from "../types/tool.ts";

/**
 * A running fingerprint of what stands before a message: system prompt, the set of tools, earlier
 * messages. Thinking and call ids are left out, because removing the one and renaming the other
 * does not break a seal that is bound to its prefix.
 */
export interface Prefix {
  high: number;
  low: number;
  /** A `TextEncoder`, whose type is the DOM's: programs for Node do not have it. */
  readonly encoder: {
    readonly encodeInto: (text: string, room: Uint8Array) => { readonly written: number };
  };
  /** Room for the bytes of one text, used again for the next: a long conversation has ten thousand. */
  room: Uint8Array<ArrayBuffer>;
}

export function createPrefix(
  system: string | undefined,
  tools: readonly AnyTool[] | undefined,
): Prefix {
  const prefix: Prefix = {
    high: 0x811c9dc5 | 0,
    low: 0xcbf29ce4 | 0,
    encoder: new TextEncoder(),
    room: new Uint8Array(0),
  };
  mix(prefix, kinds.system, system ?? "");
  if (tools !== undefined) for (const tool of sortedTools(tools)) mix(prefix, kinds.tool, tool);
  return prefix;
}

export function addToPrefix(prefix: Prefix, message: Message): void {
  const role = message.role === "tool" ? "user" : message.role;
  stir(prefix, kinds[role]);
  for (const part of message.parts) mixPart(prefix, part);
}

export const prefixValue = ({ high, low }: Prefix): string => hex(high) + hex(low);

/** Eight digits, by halves: `toString(16)` is slow for numbers of more than 31 bits, and each thought asks. */
const hex = (value: number): string => fourDigits(value >>> 16) + fourDigits(value & 0xffff);
const fourDigits = (half: number): string => (0x10000 + half).toString(16).slice(1);

const prime = 0x01000193;

/** Mixed in before each value, to say what kind of value follows. */
const kinds = {
  system: 1,
  tool: 2,
  user: 3,
  assistant: 4,
  text: 5,
  call: 6,
  result: 7,
  file: 8,
  opaque: 9,
  key: 10,
  literal: 11,
  object: 12,
  array: 13,
  end: 14,
} as const;

const stir = (prefix: Prefix, kind: number): void => {
  prefix.high = Math.imul(prefix.high ^ kind, prime);
};

/** Shorter texts are mixed in faster by `charCodeAt` than through `TextEncoder`. */
const shortText = 32;

/** By words of eight bytes: a long conversation is read before every request, and `charCodeAt` is slow. */
function mix(prefix: Prefix, kind: number, text: string): void {
  const { length } = text;
  let a = prefix.high ^ kind;
  let b = prefix.low ^ length;
  if (length < shortText) {
    for (let i = 0; i < length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), prime);
      b = Math.imul(b ^ a, 0x85ebca6b);
    }
  } else {
    const words = wordsOf(prefix, text);
    for (let i = 0; i < words.length; i += 2) {
      a = Math.imul(a ^ words[i]!, prime);
      b = Math.imul(b ^ words[i + 1]!, 0x85ebca6b);
    }
  }
  // Multiplying moves bits up only: without this shift the upper bits of a word would be lost.
  prefix.high = a ^ (a >>> 15);
  prefix.low = b ^ (b >>> 15);
}

/** Bytes for a text of 4,096 characters of any kind, made for the first text that is not short. */
const firstRoom = 4096 * 3;

/** The bytes of a text, four to a word, padded with zeros to a pair of words. Good until the next call. */
function wordsOf(prefix: Prefix, text: string): Int32Array {
  // A character takes at most three bytes; what `encodeInto` has no room for it leaves out.
  if (prefix.room.length < text.length * 3)
    prefix.room = new Uint8Array(Math.max(firstRoom, Math.ceil((text.length * 3) / 8) * 16));
  const { written } = prefix.encoder.encodeInto(text, prefix.room);
  const count = Math.ceil(written / 8) * 2;
  prefix.room.fill(0, written, count * 4);
  return new Int32Array(prefix.room.buffer, 0, count);
}

/** Walks the value; `JSON.stringify` would make a text that is read once. `undefined` fields are left out, as in JSON. */
function mixValue(prefix: Prefix, value: JsonValue): void {
  if (typeof value === "string") return mix(prefix, kinds.text, value);
  if (typeof value !== "object" || value === null) return mix(prefix, kinds.literal, String(value));
  if (Array.isArray(value)) {
    stir(prefix, kinds.array);
    for (const item of value as readonly JsonValue[]) mixValue(prefix, item);
  } else {
    stir(prefix, kinds.object);
    for (const key of Object.keys(value)) {
      const field = (value as JsonObject)[key];
      if (field === undefined) continue;
      mix(prefix, kinds.key, key);
      mixValue(prefix, field);
    }
  }
  stir(prefix, kinds.end);
}

/** The order of tools does not matter to the services. */
const sortedTools = (tools: readonly AnyTool[]): readonly string[] =>
  tools
    .map((tool) =>
      isToolSpec(tool)
        ? JSON.stringify([tool.name, tool.description, tool.inputSchema])
        : JSON.stringify(tool.vendor.fields),
    )
    .toSorted();

function mixPart(prefix: Prefix, part: Part): void {
  switch (part.type) {
    case "text":
      return mix(prefix, kinds.text, part.text);
    case "thinking":
      return;
    case "tool-call":
      mix(prefix, kinds.call, part.name);
      return mixValue(prefix, part.input);
    case "tool-result":
      stir(prefix, kinds.result);
      return mixValue(prefix, part.output as JsonValue);
    case "file":
      mix(prefix, kinds.file, part.mediaType);
      return mixValue(prefix, part.source);
    case "opaque":
      stir(prefix, kinds.opaque);
      return mixValue(prefix, part.data);
    default:
      return part satisfies never;
  }
}
