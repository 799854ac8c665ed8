import { readJsonString } from "../json-string.ts";

export type DeltaKind = "text" | "thinking" | "json";

export interface HotDelta {
  readonly kind: DeltaKind;
  readonly index: number;
  readonly text: string;
}

const head = '{"type":"content_block_delta","index":';
const textHead = ',"delta":{"type":"text_delta","text":"';
const thinkingHead = ',"delta":{"type":"thinking_delta","thinking":"';
const jsonHead = ',"delta":{"type":"input_json_delta","partial_json":"';

/** `startsWith` is several times slower than comparing a slice. */
const has = (data: string, at: number, part: string): boolean =>
  data.slice(at, at + part.length) === part;

/**
 * Cuts a delta out of its frame without parsing it, when the frame is written exactly as the
 * service writes it. `undefined` on any deviation: the frame is then parsed.
 */
export function readHotDelta(data: string): HotDelta | undefined {
  if (!has(data, 0, head)) return undefined;
  let at = head.length;
  let index = 0;
  for (let code = data.charCodeAt(at); code >= 48 && code <= 57; code = data.charCodeAt(++at)) {
    index = index * 10 + code - 48;
  }
  if (has(data, at, textHead)) return cut(data, at + textHead.length, index, "text");
  if (has(data, at, thinkingHead)) return cut(data, at + thinkingHead.length, index, "thinking");
  if (has(data, at, jsonHead)) return cut(data, at + jsonHead.length, index, "json");
  return undefined;
}

function cut(data: string, from: number, index: number, kind: DeltaKind): HotDelta | undefined {
  let found;
  try {
    found = readJsonString(data, from);
  } catch {
    return undefined;
  }
  return found !== undefined && closes(data, found.end)
    ? { kind, index, text: found.value }
    : undefined;
}

/** Two closing braces and nothing else; the service pads with spaces between them. */
function closes(data: string, from: number): boolean {
  if (data.charCodeAt(from) !== 125) return false;
  let at = from + 1;
  while (data.charCodeAt(at) === 32) at++;
  return data.charCodeAt(at) === 125 && at === data.length - 1;
}
