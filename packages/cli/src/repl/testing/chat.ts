import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emulate, type Emulator, type Script } from "@mull/emulator";
import { resolveModel, type CacheHints, type Level, type Tool } from "mull";
import type { Settings } from "../../config/settings.ts";
import type { Io } from "../../frame/io.ts";
import { startRepl } from "../index.ts";
import type { AskRegistry } from "../update-notice.ts";
import { fakeTerminal, type FakeTerminal, type FakeTerminalOptions } from "./fake-terminal.ts";

/** A whole chat in this process, driven by keys and read from its screen. */
export interface TestChat extends FakeTerminal {
  readonly emulator: Emulator;
  readonly home: string;
  /** Waits until all lines together hold this text, and returns them. */
  readonly sees: (text: string | RegExp) => Promise<readonly string[]>;
  /** Waits until the text is nowhere on the screen. */
  readonly losesSight: (text: string) => Promise<void>;
  /** Types a line, sends it and waits for the prompt to be free again. */
  readonly say: (line: string) => Promise<readonly string[]>;
  readonly leave: () => Promise<number>;
  readonly code: Promise<number>;
}

export interface TestChatOptions extends FakeTerminalOptions {
  readonly scripts?: readonly Script[];
  readonly model?: string;
  readonly level?: Level;
  readonly settings?: Settings;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly resume?: string;
  readonly faults?: string;
  readonly tools?: readonly Tool[];
  readonly fallback?: readonly string[];
  readonly cache?: CacheHints;
  /** Real keys instead of the emulator's own. */
  readonly isKeyed?: boolean;
  readonly secret?: string;
  /** The registry's answers. */
  readonly fetch?: AskRegistry;
  /** Let the chat choose who answers, as the command does; `model` is then the one named. */
  readonly isUnprepared?: boolean;
  /** Runs before the chat writes anything. */
  readonly before?: (terminal: FakeTerminal) => void;
}

const homes: string[] = [];
// A script draws the chat too, outside of any test; it removes its folder itself.
if (process.env["VITEST"] !== undefined) {
  const { afterAll } = await import("vitest");
  afterAll(() => {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });
}

function ownHome(): string {
  const home = mkdtempSync(join(tmpdir(), "mull-chat-"));
  homes.push(home);
  return home;
}

export function startChat(options: TestChatOptions = {}): TestChat {
  const home = options.home ?? ownHome();
  const fake = fakeTerminal({ isCooked: options.settings?.plain === true, ...options });
  options.before?.(fake);
  const emulator = emulate({
    scripts: options.scripts ?? [],
    secret: options.secret ?? "test",
    note: false,
    ...(options.faults !== undefined && { faults: options.faults }),
  });
  const env = { LANG: "C.UTF-8", TERM: "xterm-256color", NO_COLOR: "1", ...options.env };
  const io: Io = {
    stdin: fake.terminal.input,
    out: () => Promise.resolve(),
    err: () => undefined,
    env,
    cwd: home,
    home,
    terminal: { stdin: true, stdout: true, stderr: true },
    get columns() {
      return fake.terminal.size().columns;
    },
    get rows() {
      return fake.terminal.size().rows;
    },
    mayBeSilent: false,
    signal: new AbortController().signal,
    now: Date.now,
  };
  const target = resolveModel(options.model ?? "claude-opus-5-5");
  const { model } = options;
  const prepared = {
    target: { ...target, level: options.level ?? target.level ?? "med" },
    isSimulated: options.isKeyed !== true,
    options: { fetch: emulator, apiKey: "emulated", env },
  };
  const code = startRepl({
    io,
    terminal: fake.terminal,
    ...(options.isUnprepared
      ? {
          settings: { ...options.settings, ...(model !== undefined && { model }) },
          isModelGiven: model !== undefined,
        }
      : { settings: { ...options.settings }, backend: prepared }),
    ...(options.resume !== undefined && { resume: options.resume }),
    ...(options.tools !== undefined && { tools: options.tools }),
    ...(options.fallback !== undefined && { fallback: options.fallback }),
    ...(options.cache !== undefined && { cache: options.cache }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
  });
  const sees = (text: string | RegExp): Promise<readonly string[]> =>
    waitFor(
      fake,
      (all) => (typeof text === "string" ? all.includes(text) : text.test(all)),
      `to see ${text}`,
    );
  return {
    ...fake,
    emulator,
    home,
    code,
    sees,
    losesSight: async (text) => {
      await waitFor(fake, (all) => !all.includes(text), `to lose sight of ${text}`);
    },
    say: async (line) => {
      fake.type(line);
      await sees(line);
      fake.type("\r");
      await waitFor(
        fake,
        (all) => all.includes(`❯ ${line}`) && isFree(all),
        `an answer to ${line}`,
      );
      return fake.lines();
    },
    leave: () => {
      fake.type("\u0004");
      return code;
    },
  };
}

const isFree = (all: string): boolean => /❯\n[^\n]*\? for keys\s*$/.test(all);

async function waitFor(
  fake: FakeTerminal,
  holds: (all: string) => boolean,
  what: string,
): Promise<readonly string[]> {
  const limit = performance.now() + 15_000;
  for (;;) {
    const lines = await fake.lines();
    if (holds(lines.join("\n"))) return lines;
    if (performance.now() > limit)
      throw new Error(`Waited ${what}. The terminal shows:\n${lines.join("\n")}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
