import type { Readable } from "node:stream";

/** A terminal as the chat sees it. Tests hand in one of their own. */
export interface Terminal {
  /** The bytes of the keyboard. */
  readonly input: Readable;
  readonly setRaw: (raw: boolean) => void;
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Each returns how to stop listening. */
  readonly onResize: (listener: () => void) => () => void;
  /** The window went away, or somebody asked the process to end. */
  readonly onHangup: (listener: () => void) => () => void;
  /** Ctrl-C where the keyboard is not raw. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Back to the shell until it says to go on. */
  readonly suspend: () => Promise<void>;
  /** Runs a program that uses the terminal itself, e.g. an editor. */
  readonly run: (command: string, words: readonly string[]) => Promise<number>;
}

/** Whoever reads the keyboard, and can leave it to something else for a while. */
export interface KeyboardReader {
  readonly stop: () => void;
  readonly start: () => void;
}

export interface Clock {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Calls later; returns how to prevent it. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
