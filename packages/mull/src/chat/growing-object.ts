import type { StreamEvent } from "../types/event.ts";
import type { DeepPartial } from "../types/json.ts";

/** The object in the text of an answer, each time it has grown. An answer that begins anew begins a new one. */
export async function* growingObjects<T>(
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<DeepPartial<T>, void, undefined> {
  let growing = new GrowingObject();
  for await (const event of events) {
    if (event.type === "start") growing = new GrowingObject();
    if (event.type === "text" && growing.push(event.delta)) yield growing.value as DeepPartial<T>;
  }
}

type Container = unknown[] | Record<string, unknown>;

/** What may come next. */
type State = "before" | "value" | "key" | "colon" | "next" | "text" | "name" | "over";

/** Inside a text: the letters up to the next quote or escape, or one of these. */
const letters = /[^"\\]+|"|\\(?:u[^]{4}|[^u])/y;
/** Where a value begins: a bracket, a quote, or a number or word that has come to its end. */
const beginning = /[{["\s\]},]|[^\s,\]}]+(?=[\s,\]}])/y;
const anything = /[^]/y;
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const openings: ReadonlyMap<string, () => Container | ""> = new Map<string, () => Container | "">([
  ["{", () => ({})],
  ["[", () => []],
  ['"', () => ""],
]);

/** Numbers have fewer digits. Without an end, a word of a megabyte would be read again with every piece. */
const longestWord = 1000;

/**
 * Reads JSON while it is written. The value grows in place, so that a long answer costs no more than its
 * length; texts grow letter by letter, numbers and words come when they are whole. Text around the JSON
 * is skipped.
 */
export class GrowingObject {
  /** The value so far, the same object every time; `undefined` before it begins. */
  value: unknown;
  readonly #around: Container[] = [];
  #state: State = "before";
  /** The field whose value comes next. */
  #name = "";
  /** A number, a word or an escape that is not whole yet. */
  #held = "";

  /** Takes the next piece of text. True when the value has grown. */
  push(piece: string): boolean {
    const text = this.#held + piece;
    let hasGrown = false;
    let at = 0;
    while (at < text.length && this.#state !== "over") {
      const pattern = this.#inText() ? letters : this.#state === "value" ? beginning : anything;
      pattern.lastIndex = at;
      const token = pattern.exec(text)?.[0];
      if (token === undefined) break;
      at += token.length;
      if (this.#take(token)) hasGrown = true;
    }
    this.#held = text.slice(at);
    if (this.#held.length > longestWord) this.#state = "over";
    return hasGrown;
  }

  #inText(): boolean {
    return this.#state === "text" || this.#state === "name";
  }

  #take(token: string): boolean {
    if (this.#inText()) {
      if (token !== '"') return this.#write(token.startsWith("\\") ? unescape(token) : token);
      this.#state = this.#state === "name" ? "colon" : "next";
      return false;
    }
    if (this.#state === "before") return (token === "{" || token === "[") && this.#begin(token);
    if (/^\s/.test(token)) return false;
    if (token === "]" || token === "}") {
      this.#around.pop();
      this.#state = this.#around.length === 0 ? "over" : "next";
      return false;
    }
    if (this.#state === "value") return this.#begin(token);
    if (this.#state === "next" && token === ",")
      this.#state = Array.isArray(this.#around.at(-1)) ? "value" : "key";
    else if (this.#state === "colon" && token === ":") this.#state = "value";
    else if (this.#state === "key" && token === '"') {
      this.#name = "";
      this.#state = "name";
    } else this.#state = "over";
    return false;
  }

  /** Puts the value that begins with a bracket or a quote, or is a whole number or word. */
  #begin(token: string): boolean {
    const opened = openings.get(token)?.();
    const value = opened ?? parseWord(token);
    this.#state = value === undefined ? "over" : "next";
    if (value === undefined) return false;
    if (this.#around.length === 0) this.value = value;
    else this.#put(value);
    if (opened === "") this.#state = "text";
    else if (opened !== undefined) {
      this.#around.push(opened);
      this.#state = token === "[" ? "value" : "key";
    }
    return true;
  }

  #write(piece: string): boolean {
    if (this.#state === "name") {
      this.#name += piece;
      return false;
    }
    const inner = this.#around.at(-1)!;
    if (Array.isArray(inner)) inner[inner.length - 1] = String(inner.at(-1)) + piece;
    else setField(inner, this.#name, String(Reflect.get(inner, this.#name)) + piece);
    return true;
  }

  #put(value: unknown): void {
    const inner = this.#around.at(-1)!;
    if (Array.isArray(inner)) inner.push(value);
    else setField(inner, this.#name, value);
  }
}

/** A number, `true`, `false` or `null`; `undefined` for any other word. */
function parseWord(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return undefined;
  }
}

const unescape = (escape: string): string =>
  escape[1] === "u"
    ? String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    : (escapes[escape[1]!] ?? escape.slice(1));

/** A field called `__proto__` is a field like any other. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}
