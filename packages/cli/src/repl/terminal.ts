import type { Readable } from "node:stream";
import { constants } from "node:os";
import { emitKeypressEvents, type Interface } from "node:readline";

import { guardDrawn } from "../session/to-terminal.ts";

/** A terminal as the chat sees it. Tests hand in one of their own. */
export interface Terminal {
  /** The bytes of the keyboard. */
  readonly input: Readable;
  readonly setRaw: (raw: boolean) => void;
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Each returns how to stop listening. */
  readonly onResize: (listener: () => void) => () => void;
  /** The window was closed, or the process was told to end. */
  readonly onHangup: (listener: () => void) => () => void;
  /** Ctrl-C if the keyboard is not raw. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Back to the shell until it says to go on. */
  readonly suspend: () => Promise<void>;
  /** Runs a program that uses the terminal itself, e.g. an editor. */
  readonly run: (command: string, words: readonly string[]) => Promise<number>;
}

/** Reads the keyboard; `stop` gives it to another program, and `start` takes it back. */
export interface KeyboardReader {
  readonly stop: () => void;
  readonly start: () => void;
}

export interface ReplClock {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Calls later; returns how to prevent it. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export const replClock: ReplClock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Longer than it takes to be stopped. */
const stopMs = 100;

/** The terminal this process was started in. */
export function nodeTerminal(host: NodeJS.Process = process): Terminal {
  const { stdin, stdout } = host;
  /** The chat handles the signal; earlier listeners are put back afterwards. */
  const listen = (events: readonly NodeJS.Signals[], listener: () => void): (() => void) => {
    const before = events.map((event) => [event, host.listeners(event)] as const);
    for (const event of events) host.removeAllListeners(event).on(event, listener);
    return () => {
      for (const event of events) host.off(event, listener);
      for (const [event, listeners] of before) for (const old of listeners) host.on(event, old);
    };
  };
  return {
    input: stdin,
    setRaw: (raw) => {
      if (stdin.isTTY) stdin.setRawMode(raw);
    },
    write: (text) => {
      stdout.write(guardDrawn(text));
    },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize: (listener) => {
      stdout.on("resize", listener);
      return () => stdout.off("resize", listener);
    },
    onHangup: (listener) => {
      // A terminal that is gone fails its next write or read; that must not end the process unsaved.
      stdout.on("error", listener);
      stdin.on("error", listener);
      const silence = listen(["SIGHUP", "SIGTERM"], listener);
      return () => {
        silence();
        stdout.off("error", listener);
        stdin.off("error", listener);
      };
    },
    onInterrupt: (listener) => listen(["SIGINT"], listener),
    suspend: () =>
      new Promise((resume) => {
        host.kill(0, constants.signals.SIGTSTP);
        // A stopped process counts no time, so this is over as soon as it goes on. Without a shell
        // that could continue it, the system does not stop it at all, and nobody would say so.
        setTimeout(resume, stopMs);
      }),
    run: async (command, words) => {
      const { spawn } = await import("node:child_process");
      return new Promise((finish, fail) => {
        stdin.pause();
        const child = spawn(command, words, { stdio: "inherit" });
        child.on("error", fail);
        child.on("close", (code) => {
          stdin.resume();
          finish(code ?? 1);
        });
      });
    },
  };
}

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
  clock: ReplClock,
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
  readonly #clock: ReplClock;
  #take: (stroke: Stroke) => void;
  #pasted: string[] | undefined;
  #lastAt = -Infinity;
  #isMultiLine = false;
  #cancelEnter: (() => void) | undefined;

  constructor(clock: ReplClock, take: (stroke: Stroke) => void) {
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

  /** Decides a waiting Enter, then ignores the rest of the burst. */
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
