import type { JsonObject } from "../../../types/json.ts";
import { endOfJsonString, valueOfJsonString } from "../../common/json-string.ts";

/**
 * Deltas of one block differ in three or four values only, whatever order a vendor writes its keys
 * in. A template is the text between those values, learned from one parsed frame; a frame that fits
 * it to the last byte is valid JSON with the same fields and needs no parser.
 */
export interface DeltaTemplate {
  readonly steps: readonly { readonly literal: string; readonly hole: Hole }[];
  readonly end: string;
}
type Hole = "delta" | "padding" | "sequence";

const holeOf = (key: string, value: unknown): Hole | undefined => {
  if (key === "sequence_number") return typeof value === "number" ? "sequence" : undefined;
  if (typeof value !== "string") return undefined;
  return key === "delta" ? "delta" : key === "obfuscation" ? "padding" : undefined;
};

export function learnTemplate(frame: JsonObject): DeltaTemplate {
  const steps: { literal: string; hole: Hole }[] = [];
  let literal = "{";
  let comma = "";
  for (const [key, value] of Object.entries(frame)) {
    literal += `${comma}${JSON.stringify(key)}:`;
    comma = ",";
    const hole = holeOf(key, value);
    if (hole === undefined) literal += JSON.stringify(value);
    else {
      steps.push({ literal: hole === "sequence" ? literal : `${literal}"`, hole });
      literal = "";
    }
  }
  return { steps, end: `${literal}}` };
}

export interface TemplateMatch {
  delta: string;
  /** -1 where the frame has none. */
  sequence: number;
}

/** Fills `match` and says whether `data` fits. One match object serves a whole stream. */
export function fitsTemplate(data: string, template: DeltaTemplate, match: TemplateMatch): boolean {
  let at = 0;
  match.sequence = -1;
  for (const { literal, hole } of template.steps) {
    const from = at + literal.length;
    if (data.slice(at, from) !== literal) return false;
    if (hole === "sequence") at = readSequence(data, from, match);
    else if (hole === "padding") at = skipPadding(data, from);
    else at = readDelta(data, from, match);
    if (at < 0) return false;
  }
  return data.slice(at) === template.end;
}

/** Behind the closing quote; -1 for what is no JSON string. */
function readDelta(data: string, from: number, match: TemplateMatch): number {
  const end = endOfJsonString(data, from);
  const delta = end > 0 ? valueOfJsonString(data, from, end) : undefined;
  if (delta === undefined) return -1;
  match.delta = delta;
  return end;
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

/** Behind the closing quote of a plain string; -1 for one that has escapes or no end. */
function skipPadding(data: string, from: number): number {
  const quote = data.indexOf('"', from);
  return quote < 0 || data.charCodeAt(quote - 1) === 92 ? -1 : quote + 1;
}
