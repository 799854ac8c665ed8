import { isJsonObject } from "../types/json.ts";
import type { FilePart, TextPart } from "../types/message.ts";

export type ToolOutput = string | readonly (TextPart | FilePart)[];

/** A tool's result as a model can read it: text as it is, parts as they are, everything else as JSON. */
export function toOutput(value: unknown, maxBytes: number): ToolOutput {
  if (isPartList(value)) return value;
  return bound(toText(value), maxBytes);
}

const isPartList = (value: unknown): value is readonly (TextPart | FilePart)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (part) =>
      isJsonObject(part) &&
      ((part["type"] === "text" && typeof part["text"] === "string") ||
        (part["type"] === "file" &&
          typeof part["mediaType"] === "string" &&
          isJsonObject(part["source"]))),
  );

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
    // Only the path from the root to here counts: the same object twice side by side is no cycle.
    while (seen.length > 0 && seen.at(-1) !== this) seen.pop();
    if (seen.includes(inner)) return "[cycle]";
    seen.push(inner);
    return inner;
  });
  return text ?? "(no result)";
}

/** Head and tail of a long text, with a note that says how much is missing; pairs stay whole. */
function bound(text: string, maxBytes: number): string {
  const size = byteLength(text);
  if (size <= maxBytes) return text;
  const share = Math.floor((maxBytes - 200) / 2 / (size / text.length));
  const head = wholeEnd(text.slice(0, Math.max(share, 0)));
  const tail = wholeStart(text.slice(text.length - Math.max(share, 0)));
  const shown = byteLength(head) + byteLength(tail);
  return `${head}\n[… ${size - shown} of ${size} bytes left out: the result was larger than ${maxBytes} bytes …]\n${tail}`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const wholeEnd = (text: string): string =>
  isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
const wholeStart = (text: string): string => (isLow(text.charCodeAt(0)) ? text.slice(1) : text);
