import type { JsonObject } from "../../types/json.ts";
import { readJsonString } from "../json-string.ts";

/**
 * Deltas of one block differ in three or four values only, whatever order a vendor writes its keys
 * in. A template is the text between those values, learned from one parsed frame; a frame that fits
 * it to the last byte is valid JSON with the same fields and needs no parser.
 */
export interface DeltaTemplate {
  readonly literals: readonly string[];
  /** What stands behind each literal but the last. */
  readonly holes: readonly Hole[];
}
type Hole = "delta" | "padding" | "sequence";

const holeOf = (key: string, value: unknown): Hole | undefined => {
  if (key === "sequence_number") return typeof value === "number" ? "sequence" : undefined;
  if (typeof value !== "string") return undefined;
  return key === "delta" ? "delta" : key === "obfuscation" ? "padding" : undefined;
};

export function learnTemplate(frame: JsonObject): DeltaTemplate {
  const literals: string[] = [];
  const holes: Hole[] = [];
  let literal = "{";
  for (const [key, value] of Object.entries(frame)) {
    literal += `${literal === "{" && holes.length === 0 ? "" : ","}${JSON.stringify(key)}:`;
    const hole = holeOf(key, value);
    if (hole === undefined) literal += JSON.stringify(value);
    else {
      literals.push(hole === "sequence" ? literal : `${literal}"`);
      holes.push(hole);
      literal = "";
    }
  }
  literals.push(`${literal}}`);
  return { literals, holes };
}

export interface TemplateMatch {
  delta: string;
  /** -1 where the frame has none. */
  sequence: number;
}

/** Fills `match` and says whether `data` fits. One match object serves a whole stream. */
export function fitsTemplate(data: string, template: DeltaTemplate, match: TemplateMatch): boolean {
  const { literals, holes } = template;
  let at = 0;
  match.sequence = -1;
  for (let i = 0; i < holes.length; i++) {
    const literal = literals[i] ?? "";
    if (data.slice(at, at + literal.length) !== literal) return false;
    at += literal.length;
    const hole = holes[i];
    if (hole === "sequence") at = readSequence(data, at, match);
    else if (hole === "delta") {
      const read = readJsonString(data, at);
      at = read === undefined ? -1 : read.end;
      match.delta = read === undefined ? "" : read.value;
    } else at = skipPadding(data, at);
    if (at < 0) return false;
  }
  const last = literals[holes.length] ?? "";
  return data.slice(at) === last;
}

/** Behind the digits; -1 for a leading zero, which is no JSON, and for what is no safe integer. */
function readSequence(data: string, from: number, match: TemplateMatch): number {
  let at = from;
  let value = 0;
  for (let code = data.charCodeAt(at); code >= 48 && code <= 57; code = data.charCodeAt(++at)) {
    value = value * 10 + code - 48;
  }
  match.sequence = value;
  const length = at - from;
  return length === 0 || length > 15 || (length > 1 && data.charCodeAt(from) === 48) ? -1 : at;
}

/** Behind the closing quote of a plain string; -1 for one that has escapes. */
function skipPadding(data: string, from: number): number {
  for (let at = from; at < data.length; at++) {
    const code = data.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) return -1;
  }
  return -1;
}
