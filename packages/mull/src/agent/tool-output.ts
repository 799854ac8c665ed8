import { isJsonObject } from "../types/json.ts";
import type { FilePart, TextPart } from "../types/message.ts";

export type ToolOutput = string | readonly (TextPart | FilePart)[];

/** A tool's result as a model can read it: text as it is, parts as they are, everything else as JSON. */
export function toOutput(value: unknown, maxBytes: number): ToolOutput {
  if (!isPartList(value)) return bound(toText(value), maxBytes);
  let room = maxBytes;
  return value.map((part) => {
    if (part.type !== "text") return copyFile(part);
    const text = bound(part.text, room);
    room = Math.max(room - byteLength(text), 0);
    return { type: "text", text };
  });
}

/** Copies the fields a history knows. A tool may return an object with more, e.g. a buffer or a function, which isn't JSON. */
const copyFile = ({ mediaType, source, name }: FilePart): FilePart => ({
  type: "file",
  mediaType,
  source,
  ...(typeof name === "string" && { name }),
});

const isPartList = (value: unknown): value is readonly (TextPart | FilePart)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (part) =>
      isJsonObject(part) &&
      ((part["type"] === "text" && typeof part["text"] === "string") ||
        (part["type"] === "file" &&
          typeof part["mediaType"] === "string" &&
          isSource(part["source"]))),
  );

const sourceFields = { base64: "data", url: "url", id: "id" } as const;

function isSource(source: unknown): boolean {
  if (!isJsonObject(source)) return false;
  const { type } = source;
  if (type !== "base64" && type !== "url" && type !== "id") return false;
  return typeof source[sourceFields[type]] === "string" && Object.keys(source).length === 2;
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "(no result)";
  const seen: object[] = [];
  const text = JSON.stringify(value, function (this: unknown, _key, inner: unknown): unknown {
    if (typeof inner === "bigint") return inner.toString();
    if (typeof inner === "function") return `[function ${inner.name || "anonymous"}]`;
    if (typeof inner === "symbol") return inner.toString();
    if (inner instanceof Map) return Object.fromEntries(inner);
    if (inner instanceof Set) return [...inner];
    if (inner instanceof Error) return { error: inner.message };
    if (typeof inner !== "object" || inner === null) return inner;
    // Only objects on the way from the root count. One object in two fields side by side is no cycle.
    while (seen.length > 0 && seen.at(-1) !== this) seen.pop();
    if (seen.includes(inner)) return "[cycle]";
    seen.push(inner);
    return inner;
  });
  return text ?? "(no result)";
}

/** Head and tail of a long text, with a note that says how much is missing; characters stay whole. */
function bound(text: string, maxBytes: number): string {
  // A character is at most three bytes for each unit of its length.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const share = Math.max(Math.floor((maxBytes - 200) / 2), 0);
  const head = decoder().decode(bytes.subarray(0, share), { stream: true });
  let from = bytes.length - share;
  while (from < bytes.length && (bytes[from]! & 0xc0) === 0x80) from++;
  const tail = decoder().decode(bytes.subarray(from));
  const missing = bytes.length - byteLength(head) - byteLength(tail);
  return `${head}\n[… ${missing} of ${bytes.length} bytes left out: the result was larger than ${maxBytes} bytes …]\n${tail}`;
}

const decoder = (): TextDecoder => new TextDecoder("utf-8", { ignoreBOM: true });

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
