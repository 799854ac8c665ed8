import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { limits } from "../../common/limits.ts";

type ArgumentStep = string | number;
/** An object or, where the steps are numbers, a list. Not a plain object: a step may be `__proto__`. */
type Branch = Map<ArgumentStep, Branch | JsonValue>;

/** Arguments that Vertex streams as values with a JSON path. */
export class PartialArgs {
  readonly #root: Branch = new Map();
  /** The path whose string goes on in the next piece. */
  #growing: string | undefined;

  constructor(seed: JsonObject) {
    for (const [key, value] of Object.entries(seed))
      if (value !== undefined) this.#root.set(key, value);
  }

  /** Returns what is wrong with `piece`, or nothing. */
  add(piece: JsonValue): string | undefined {
    if (!isJsonObject(piece)) return "a partial argument is not an object";
    const path = piece["jsonPath"];
    const steps = typeof path === "string" ? readPath(path) : [];
    if (typeof path !== "string" || steps.length === 0)
      return "a partial argument has no usable path";
    const value = pieceValue(piece);
    const isMore = this.#growing === path;
    this.#growing = piece["willContinue"] === true ? path : undefined;
    return value === undefined || place(this.#root, steps, value, isMore)
      ? undefined
      : "a partial argument does not fit the ones before it";
  }

  value(): JsonObject {
    return Object.fromEntries(grown(this.#root));
  }
}

const stepPattern = /\.([^.[\]'"]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function readPath(path: string): readonly ArgumentStep[] {
  const steps: ArgumentStep[] = [];
  if (!path.startsWith("$")) return steps;
  const pattern = new RegExp(stepPattern);
  for (pattern.lastIndex = 1; pattern.lastIndex < path.length;) {
    const match = pattern.exec(path);
    if (match === null || steps.length >= limits.jsonDepth) return [];
    const [, name, index, single, double = ""] = match;
    steps.push(index === undefined ? (name ?? unescape(single ?? double)) : Number(index));
  }
  return steps;
}

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, "$1");

function pieceValue(piece: JsonObject): JsonValue | undefined {
  if ("nullValue" in piece) return null;
  return piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"];
}

/** Writes `value` at the end of the path, making what is missing on the way. */
function place(
  root: Branch,
  steps: readonly ArgumentStep[],
  value: JsonValue,
  isMore: boolean,
): boolean {
  let branch = root;
  for (const step of steps.slice(0, -1)) {
    if (!isFit(branch, step, root)) return false;
    const next = branch.get(step) ?? new Map<ArgumentStep, Branch | JsonValue>();
    if (!(next instanceof Map)) return false;
    branch.set(step, next);
    branch = next;
  }
  const last = steps.at(-1);
  if (last === undefined || !isFit(branch, last, root)) return false;
  const held = branch.get(last);
  const isGrowing = isMore && typeof held === "string" && typeof value === "string";
  branch.set(last, isGrowing ? held + value : value);
  return true;
}

/** Names go into objects, numbers into lists without gaps: `$.a[4000000000]` must not allocate. */
function isFit(branch: Branch, step: ArgumentStep, root: Branch): boolean {
  const [first] = branch.keys();
  const isList = first === undefined ? branch !== root && typeof step === "number" : first === 0;
  return isList ? typeof step === "number" && step <= branch.size : typeof step === "string";
}

const grown = (branch: Branch): [string, JsonValue][] =>
  Array.from(branch, ([step, value]) => [
    String(step),
    value instanceof Map ? grownValue(value) : value,
  ]);

const grownValue = (branch: Branch): JsonValue =>
  branch.has(0) ? grown(branch).map(([, value]) => value) : Object.fromEntries(grown(branch));
