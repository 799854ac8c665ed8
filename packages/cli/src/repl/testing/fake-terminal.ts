import { PassThrough } from "node:stream";
// The package is CommonJS without named exports that Node can see.
import xterm from "@xterm/headless";
import { guardDrawn } from "../../session/to-terminal.ts";
import type { Terminal } from "../terminal.ts";

/** A terminal in memory: what a program writes is read back as a person would see it. */
export interface FakeTerminal {
  readonly terminal: Terminal;
  /** Everything that was written, byte for byte, and in how many writes. */
  readonly written: () => string;
  readonly writes: () => readonly string[];
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly hangUp: () => void;
  readonly interrupt: () => void;
  /** What is on the screen, and all lines that ever scrolled off it before. */
  readonly screen: () => Promise<readonly string[]>;
  readonly lines: () => Promise<readonly string[]>;
  readonly cursor: () => Promise<{ readonly row: number; readonly column: number }>;
  readonly isRaw: () => boolean;
}

export interface FakeTerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** A newline also goes to the start of the line, as terminals do while keys are not raw. */
  readonly isCooked?: boolean;
  /** Programs that would have the terminal for themselves. */
  readonly run?: Terminal["run"];
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { columns = 80, rows = 24 } = options;
  const emulator = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    convertEol: options.isCooked ?? false,
  });
  const input = new PassThrough();
  const writes: string[] = [];
  const listeners = {
    resize: new Set<() => void>(),
    hangup: new Set<() => void>(),
    interrupt: new Set<() => void>(),
  };
  let isRaw = false;
  const settled = (): Promise<void> => new Promise((done) => emulator.write("", done));
  const read = (first: number, count: number): readonly string[] =>
    Array.from(
      { length: count },
      (_, row) =>
        emulator.buffer.active
          .getLine(first + row)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
  return {
    terminal: {
      input,
      setRaw: (raw) => {
        isRaw = raw;
      },
      write: (text) => {
        const passed = guardDrawn(text);
        writes.push(passed);
        emulator.write(passed);
      },
      size: () => ({ columns: emulator.cols, rows: emulator.rows }),
      onResize: listen(listeners.resize),
      onHangup: listen(listeners.hangup),
      onInterrupt: listen(listeners.interrupt),
      suspend: () => Promise.resolve(),
      run: options.run ?? (() => Promise.resolve(0)),
    },
    written: () => writes.join(""),
    writes: () => writes,
    type: (keys) => {
      input.write(keys);
    },
    resize: (nextColumns, nextRows) => {
      emulator.resize(nextColumns, nextRows);
      for (const listener of listeners.resize) listener();
    },
    hangUp: () => {
      for (const listener of listeners.hangup) listener();
    },
    interrupt: () => {
      for (const listener of listeners.interrupt) listener();
    },
    screen: async () => {
      await settled();
      return read(emulator.buffer.active.viewportY, emulator.rows);
    },
    lines: async () => {
      await settled();
      const { baseY, length } = emulator.buffer.active;
      const all = read(0, Math.min(length, baseY + emulator.rows));
      return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
    },
    cursor: async () => {
      await settled();
      const { cursorX, cursorY } = emulator.buffer.active;
      return { row: cursorY, column: cursorX };
    },
    isRaw: () => isRaw,
  };
}

const listen = (set: Set<() => void>) => (listener: () => void) => {
  set.add(listener);
  return () => void set.delete(listener);
};
