import { emitKeypressEvents, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import type { Clock } from "./terminal.ts";

/** What the keyboard said. `soft-enter` is an Enter inside pasted text that came without brackets. */
export type Stroke =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "key"; readonly name: string };

interface Keypress {
  readonly name?: string | undefined;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** Nobody types this fast; pasting does. */
const burstMs = 8;
const escapeMs = 50;

/** Sequences Node's decoder has no name for. */
const named: ReadonlyMap<string, string> = new Map([
  ["\u001b[13;2u", "alt-return"],
  ["\u001b[27;2;13~", "alt-return"],
  ["\u001b[Z", "shift-tab"],
  ["\u001b", "escape"],
  ["\u001b\u001b", "escape"],
]);

/** Turns bytes into strokes. Returns how to stop. */
export function readKeys(
  input: Readable,
  clock: Clock,
  take: (stroke: Stroke) => void,
): () => void {
  const reader = new KeyReader(clock, take);
  const onKeypress = (text: string | undefined, key: Keypress): void => reader.push(text, key);
  emitKeypressEvents(input, { escapeCodeTimeout: escapeMs } as unknown as Interface);
  input.on("keypress", onKeypress);
  return () => {
    input.off("keypress", onKeypress);
    reader.end();
  };
}

class KeyReader {
  readonly #clock: Clock;
  #take: (stroke: Stroke) => void;
  #pasted: string[] | undefined;
  #lastAt = -Infinity;
  #isMultiLine = false;
  #cancelEnter: (() => void) | undefined;

  constructor(clock: Clock, take: (stroke: Stroke) => void) {
    this.#clock = clock;
    this.#take = take;
  }

  push(text: string | undefined, key: Keypress): void {
    if (key.name === "paste-start") {
      this.flush();
      this.#pasted = [];
    } else if (key.name === "paste-end") {
      const pasted = this.#pasted?.join("") ?? "";
      this.#pasted = undefined;
      if (pasted !== "") this.#take({ type: "paste", text: pasted.replaceAll(/\r\n?/g, "\n") });
    } else if (this.#pasted !== undefined) {
      this.#pasted.push(key.sequence ?? text ?? "");
    } else {
      this.#type(toStroke(text, key));
    }
  }

  /** An Enter that waited for more is decided now. */
  flush(): void {
    if (this.#cancelEnter === undefined) return;
    this.#cancelEnter();
    this.#cancelEnter = undefined;
    this.#take({ type: "key", name: this.#isMultiLine ? "soft-enter" : "return" });
  }

  /** What is left of the keys that came together is nobody's any more. */
  end(): void {
    this.flush();
    this.#take = () => undefined;
  }

  #type(stroke: Stroke | undefined): void {
    if (stroke === undefined) return;
    const now = this.#clock.now();
    const isBurst = now - this.#lastAt <= burstMs;
    this.#lastAt = now;
    if (!isBurst && this.#cancelEnter === undefined) this.#isMultiLine = false;
    if (this.#cancelEnter !== undefined) {
      this.#cancelEnter();
      this.#cancelEnter = undefined;
      if (stroke.type === "text" || isEnter(stroke)) {
        this.#isMultiLine = true;
        this.#take({ type: "key", name: "soft-enter" });
      } else {
        this.#take({ type: "key", name: "return" });
      }
    }
    if (isBurst && isEnter(stroke)) {
      this.#cancelEnter = this.#clock.after(burstMs, () => this.flush());
    } else {
      this.#take(stroke);
    }
  }
}

const isEnter = (stroke: Stroke): boolean => stroke.type === "key" && stroke.name === "return";

function toStroke(text: string | undefined, key: Keypress): Stroke | undefined {
  const known = named.get(key.sequence ?? "");
  if (known !== undefined) return { type: "key", name: known };
  const { name } = key;
  if (name === "space" && !key.ctrl && !key.meta) return { type: "text", text: " " };
  if (name !== undefined && (key.ctrl || key.meta || name.length > 1)) {
    const prefix = `${key.ctrl ? "ctrl-" : ""}${key.meta ? "alt-" : ""}${key.shift && name === "tab" ? "shift-" : ""}`;
    // `\n` alone is Ctrl-J: the Enter key sends `\r`.
    return { type: "key", name: name === "enter" ? "ctrl-j" : prefix + name };
  }
  if (text === undefined || text === "" || text.startsWith("\u001b")) return undefined;
  return { type: "text", text };
}
