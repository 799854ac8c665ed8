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

const whiteSpace = /\s/;
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** What may come next. */
type State = "before" | "value" | "key" | "colon" | "next" | "text" | "name" | "word" | "over";

/**
 * Reads JSON while it is written. The value grows in place, so that a long answer costs no more than its
 * length; texts grow letter by letter, numbers and words come when they are whole. Text around the JSON
 * is skipped.
 */
export class GrowingObject {
  #value: Container | undefined;
  readonly #around: Container[] = [];
  #state: State = "before";
  /** The field whose value comes next. */
  #name = "";
  /** A number, a word or an escape that is not whole yet. */
  #token = "";
  #escape = "";

  /** The value so far, the same object every time; `undefined` before it begins. */
  get value(): unknown {
    return this.#value;
  }

  /** Takes the next piece of text. True when the value has grown. */
  push(text: string): boolean {
    let hasGrown = false;
    for (let at = 0; at < text.length && this.#state !== "over";) {
      if ((this.#state === "text" || this.#state === "name") && this.#escape === "") {
        const end = endOfRun(text, at);
        if (end > at) {
          hasGrown = this.#write(text.slice(at, end)) || hasGrown;
          at = end;
          continue;
        }
      }
      hasGrown = this.#step(text[at]!) || hasGrown;
      at++;
    }
    return hasGrown;
  }

  #step(character: string): boolean {
    switch (this.#state) {
      case "before":
        if (character !== "{" && character !== "[") return false;
        this.#value = character === "{" ? {} : [];
        this.#enter(this.#value);
        return true;
      case "text":
      case "name":
        return this.#inText(character);
      case "word":
        if (!/[\s,\]}]/.test(character)) {
          this.#token += character;
          return false;
        }
        return this.#endWord() && (this.#step(character), true);
      case "over":
        return false;
      case "value":
      case "key":
      case "colon":
      case "next":
      default:
        return !whiteSpace.test(character) && this.#between(character);
    }
  }

  /** Brackets, commas and colons, and the first letter of what they hold. */
  #between(character: string): boolean {
    const inner = this.#around.at(-1);
    if (character === "]" || character === "}") {
      this.#around.pop();
      this.#state = this.#around.length === 0 ? "over" : "next";
      return false;
    }
    if (this.#state === "next" && character === ",")
      this.#state = Array.isArray(inner) ? "value" : "key";
    else if (this.#state === "colon" && character === ":") this.#state = "value";
    else if (this.#state === "key" && character === '"') {
      this.#name = "";
      this.#state = "name";
    } else if (this.#state === "value") return this.#begin(character);
    else this.#state = "over";
    return false;
  }

  #begin(character: string): boolean {
    if (character === "{" || character === "[") {
      const inner: Container = character === "{" ? {} : [];
      this.#put(inner);
      this.#enter(inner);
      return true;
    }
    if (character === '"') {
      this.#put("");
      this.#state = "text";
      return true;
    }
    this.#token = character;
    this.#state = "word";
    return false;
  }

  #enter(container: Container): void {
    this.#around.push(container);
    this.#state = Array.isArray(container) ? "value" : "key";
  }

  #inText(character: string): boolean {
    if (this.#escape !== "") return this.#inEscape(character);
    if (character === "\\") {
      this.#escape = character;
      return false;
    }
    // The quote: all else was written as a run.
    this.#state = this.#state === "name" ? "colon" : "next";
    return false;
  }

  #inEscape(character: string): boolean {
    this.#escape += character;
    if (this.#escape[1] !== "u") {
      this.#escape = "";
      return this.#write(escapes[character] ?? character);
    }
    if (this.#escape.length < 6) return false;
    const code = Number.parseInt(this.#escape.slice(2), 16);
    this.#escape = "";
    return this.#write(String.fromCharCode(code));
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

  #endWord(): boolean {
    this.#state = "next";
    try {
      this.#put(JSON.parse(this.#token));
      return true;
    } catch {
      this.#state = "over";
      return false;
    }
  }

  #put(value: unknown): void {
    const inner = this.#around.at(-1)!;
    if (Array.isArray(inner)) inner.push(value);
    else setField(inner, this.#name, value);
  }
}

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

/** Where the letters end that stand for themselves. */
function endOfRun(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== '"' && text[end] !== "\\") end++;
  return end;
}
