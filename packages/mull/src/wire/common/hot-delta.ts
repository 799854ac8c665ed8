import type { JsonObject } from "../../types/json.ts";
import type { FindDelta, HotDelta, HotFrame, HotReader } from "../../types/wire.ts";
import { endOfJsonString, valueOfJsonString } from "./json-reading.ts";

type Hole = "text" | "kept" | "skipped";

interface Template<T> {
  readonly to: T;
  readonly steps: readonly { readonly literal: string; readonly hole: Hole }[];
  readonly end: string;
}

/** Random text that servers add against traffic analysis. It is skipped. */
const padding = ["obfuscation", "p"];

const probe = "\uE000probe\uE000";

/** Learning parses a frame twice. Each pattern costs two, each frame that fits gives one back; at zero nothing more is learned. */
const mostCredit = 8;

/**
 * Frames of a stream differ in one text and a few other values: `{"delta":{"text":"Hel"}}`, `{"delta":{"text":"lo"}}`.
 * A frame that is otherwise equal to one that was parsed is cut up instead of parsed. `kept` names a value that changes too: a
 * whole number, or an object.
 */
export function createHotReader<T>(find: FindDelta<T>, kept = ""): HotReader<T> {
  let template: Template<T> | undefined;
  let frame: HotFrame<T> | undefined;
  let credit = mostCredit;
  return {
    read: (data) => {
      if (template === undefined || frame === undefined) return undefined;
      if (!fits(data, template, frame)) return undefined;
      if (credit < mostCredit) credit++;
      return frame;
    },
    learn: (data, parsed) => {
      template = undefined;
      const found = credit > 0 ? find(parsed) : undefined;
      if (found === undefined) return;
      credit -= 2;
      template = learnTemplate(data, found, kept, find);
      frame = { to: found.to, text: "", keptFrom: 0, keptTo: 0 };
    },
  };
}

function learnTemplate<T>(
  data: string,
  { key, to }: HotDelta<T>,
  kept: string,
  find: FindDelta<T>,
): Template<T> | undefined {
  const text = findValue(data, key, "text");
  if (text === undefined) return undefined;
  // The trap: `{"text":"a","delta":{"text":"b"}}` has the key twice, and only the parser knows which one counts.
  const probed = `${data.slice(0, text.from)}${probe}${data.slice(text.to - 1)}`;
  const again = find(JSON.parse(probed) as JsonObject);
  if (again?.text !== probe || again.key !== key) return undefined;
  const beside = [
    findValue(data, kept, "kept"),
    ...padding.map((name) => findValue(data, name, "skipped")),
  ].filter((value) => value !== undefined);
  let at = 0;
  const steps = [text, ...beside]
    .toSorted((a, b) => a.from - b.from)
    .map(({ hole, from, to: behind }) => {
      const literal = data.slice(at, from);
      at = behind;
      return { literal, hole };
    });
  return { to, steps, end: data.slice(at) };
}

interface ValuePlace {
  readonly hole: Hole;
  readonly from: number;
  readonly to: number;
}

/** Where a value is that changes from frame to frame: a string (from after its opening quote), a number or an object. */
function findValue(data: string, key: string, hole: Hole): ValuePlace | undefined {
  const at = data.indexOf(`"${key}":`);
  if (at < 0) return undefined;
  let from = at + key.length + 3;
  if (data[from] === " ") from++;
  const isString = data[from] === '"';
  if (isString !== (hole !== "kept")) return undefined;
  if (isString) from++;
  const to = behindValue(data, from, hole);
  return to === 0 ? undefined : { hole, from, to };
}

/** 0 if there is no such value. */
function behindValue(data: string, from: number, hole: Hole): number {
  if (hole !== "kept") return endOfJsonString(data, from);
  // `},"` occurs nowhere inside a kept object: the objects inside it are items of lists, followed by `},{` or `}]`.
  if (data.charCodeAt(from) === 123) return data.indexOf('},"', from) + 1;
  let to = from;
  while (data.charCodeAt(to) >= 48 && data.charCodeAt(to) <= 57) to++;
  const isNumber = to - from < 16 && (data.charCodeAt(from) !== 48 || to - from === 1);
  return isNumber && to > from ? to : 0;
}

/** Fills `frame` and says whether `data` fits. */
function fits<T>(data: string, { steps, end }: Template<T>, frame: HotFrame<T>): boolean {
  let at = 0;
  for (const { literal, hole } of steps) {
    const from = at + literal.length;
    // Comparing slices compares memory; `startsWith` goes character by character.
    if (data.slice(at, from) !== literal) return false;
    at = behindValue(data, from, hole);
    if (at === 0) return false;
    if (hole === "kept") {
      frame.keptFrom = from;
      frame.keptTo = at;
      continue;
    }
    const text = valueOfJsonString(data, from, at);
    if (text === undefined) return false;
    if (hole === "text") frame.text = text;
  }
  return frame.text !== "" && isEnd(data.slice(at), end);
}

/** Anthropic pads with spaces between the last braces. */
const isEnd = (tail: string, end: string): boolean =>
  tail === end || (/^[} ]*$/.test(tail) && tail.replaceAll(" ", "") === end.replaceAll(" ", ""));
