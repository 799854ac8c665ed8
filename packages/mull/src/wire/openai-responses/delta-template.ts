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
  readonly holes: readonly ("delta" | "string" | "sequence")[];
}

const holeOf = (key: string, value: unknown): DeltaTemplate["holes"][number] | undefined => {
  if (key === "sequence_number") return typeof value === "number" ? "sequence" : undefined;
  if (typeof value !== "string") return undefined;
  if (key === "delta") return "delta";
  return key === "obfuscation" || key === "item_id" ? "string" : undefined;
};

export function learnTemplate(frame: JsonObject): DeltaTemplate {
  const literals: string[] = [];
  const holes: DeltaTemplate["holes"][number][] = [];
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
    if (!data.startsWith(literal, at)) return false;
    at += literal.length;
    if (holes[i] === "sequence") {
      const from = at;
      let value = 0;
      for (let digit = data.charCodeAt(at) - 48; digit >= 0 && digit <= 9;) {
        value = value * 10 + digit;
        digit = data.charCodeAt(++at) - 48;
      }
      // A leading zero is no JSON, and seventeen digits are no safe integer.
      if (at === from || at > from + 15 || (at > from + 1 && data.charCodeAt(from) === 48))
        return false;
      match.sequence = value;
    } else {
      const read = readJsonString(data, at);
      if (read === undefined) return false;
      if (holes[i] === "delta") match.delta = read.value;
      at = read.end;
    }
  }
  const last = literals[holes.length] ?? "";
  return data.length === at + last.length && data.endsWith(last);
}
