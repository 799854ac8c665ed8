import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { endOfJsonString, valueOfJsonString } from "../../common/json-string.ts";

/** The one string that differs between two frames of a stream, and where it belongs. */
type Hole =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; readonly field: string }
  | { readonly kind: "input"; readonly call: number };

/**
 * A frame that was parsed once, cut open at its delta. A later frame that is equal on both sides of
 * the hole means the same with another delta, so it need not be parsed. Padding that servers add
 * against traffic analysis is a second hole whose content does not matter.
 */
export interface FrameTemplate {
  readonly hole: Hole;
  readonly before: string;
  readonly after: string;
  /** What stands behind the padding; `undefined` without padding. */
  readonly end: string | undefined;
}

const paddings = ['"obfuscation":"', '"p":"'];
const probe = "\u0001probe\u0001";

/** Learns from a frame and its parsed form; `undefined` when it is more than one plain delta. */
export function learnTemplate(
  data: string,
  parsed: JsonObject,
  fields: readonly string[],
): FrameTemplate | undefined {
  const hole = findHole(parsed, fields);
  if (hole === undefined) return undefined;
  const from = startOf(hole.key, data);
  if (from === undefined) return undefined;
  // The frame was parsed: the string ends.
  const before = data.slice(0, from);
  const rest = data.slice(endOfJsonString(data, from) - 1);
  if (!isSameHole(before + JSON.stringify(probe).slice(1, -1) + rest, hole, fields))
    return undefined;
  return { hole: hole.hole, before, ...splitPadding(rest) };
}

/** Where the first string under a key begins. Servers write one blank behind the colon, or none. */
function startOf(key: string, data: string): number | undefined {
  for (const opening of [`"${key}":"`, `"${key}": "`]) {
    const at = data.indexOf(opening);
    if (at >= 0) return at + opening.length;
  }
  return undefined;
}

/**
 * The delta of a frame that fits the template. Slices are compared because that is a comparison of
 * memory, where `startsWith` goes character by character.
 */
export function matchTemplate(data: string, template: FrameTemplate): string | undefined {
  const { before, after, end } = template;
  if (data.slice(0, before.length) !== before) return undefined;
  const behind = endOfJsonString(data, before.length);
  if (behind === 0) return undefined;
  const to = behind - 1 + after.length;
  if (data.slice(behind - 1, to) !== after) return undefined;
  if (end === undefined ? to !== data.length : !endsPadded(data, to, end)) return undefined;
  return valueOfJsonString(data, before.length, behind);
}

function endsPadded(data: string, from: number, end: string): boolean {
  const behind = endOfJsonString(data, from);
  if (behind === 0 || data.slice(behind - 1) !== end) return false;
  return valueOfJsonString(data, from, behind) !== undefined;
}

interface FoundHole {
  readonly hole: Hole;
  readonly key: string;
  readonly value: string;
}

function splitPadding(rest: string): Pick<FrameTemplate, "after" | "end"> {
  for (const padding of paddings) {
    const at = rest.lastIndexOf(padding);
    const from = at + padding.length;
    const behind = at < 0 ? 0 : endOfJsonString(rest, from);
    if (behind > 0) return { after: rest.slice(0, from), end: rest.slice(behind - 1) };
  }
  return { after: rest, end: undefined };
}

function isSameHole(data: string, hole: FoundHole, fields: readonly string[]): boolean {
  const again = findHole(JSON.parse(data) as JsonObject, fields);
  return again?.value === probe && again.key === hole.key;
}

/** The only thing in the chunk that says something, if there is exactly one. */
function findHole(chunk: JsonObject, fields: readonly string[]): FoundHole | undefined {
  const { choices, usage, error } = chunk;
  if (!Array.isArray(choices) || choices.length !== 1 || isSaid(usage) || isSaid(error))
    return undefined;
  const choice: unknown = choices[0];
  if (!isJsonObject(choice) || (choice["index"] ?? 0) !== 0) return undefined;
  if (isSaid(choice["finish_reason"]) || isSaid(choice["usage"])) return undefined;
  const { delta } = choice;
  if (!isJsonObject(delta)) return undefined;
  const said = Object.keys(delta).filter((key) => !silent.has(key) && isSaid(delta[key]));
  const key = said[0];
  if (key === undefined || said.length !== 1) return undefined;
  const value = delta[key];
  if (key === "tool_calls") return findInput(value);
  if (typeof value !== "string") return undefined;
  if (key === "content") return { hole: { kind: "text" }, key, value };
  return fields.includes(key) ? { hole: { kind: "thinking", field: key }, key, value } : undefined;
}

const silent: ReadonlySet<string> = new Set(["role", "token_id", "channel"]);

const isSaid = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0);

function findInput(calls: unknown): FoundHole | undefined {
  if (!Array.isArray(calls) || calls.length !== 1) return undefined;
  const call: unknown = calls[0];
  if (!isJsonObject(call) || typeof call["index"] !== "number") return undefined;
  const said = Object.keys(call).filter(
    (key) => key !== "index" && key !== "type" && isSaid(call[key]),
  );
  const body = call["function"];
  if (said.length !== 1 || !isJsonObject(body) || isSaid(body["name"])) return undefined;
  const value = body["arguments"];
  if (typeof value !== "string") return undefined;
  return { hole: { kind: "input", call: call["index"] }, key: "arguments", value };
}
