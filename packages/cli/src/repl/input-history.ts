import { appendFileSync, chmodSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../config/make-folder.ts";

/** Lines people typed before, oldest first, kept between runs. */
export interface InputHistory {
  /** Remembers a line; the same one twice in a row only once. */
  readonly add: (text: string) => void;
  /** One line back or on from where browsing is; `draft` is what was being typed. */
  readonly older: (draft: string) => string | undefined;
  readonly newer: () => string | undefined;
  /** Typing ends the browsing. */
  readonly settle: () => void;
  /** The `skip`-th latest line with `text` in it. */
  readonly search: (text: string, skip: number) => string | undefined;
}

const kept = 1000;
/** What is longer is remembered while the chat runs; the conversation itself keeps it. */
const longest = 100_000;

/** What is in the file is read at the first need. A file that cannot be written costs nothing but memory. */
export function inputHistory(path: string | undefined): InputHistory {
  let lines: string[] | undefined;
  let at: number | undefined;
  let draft = "";
  const all = (): string[] => (lines ??= path === undefined ? [] : readLines(path));
  return {
    add: (text) => {
      at = undefined;
      if (text.trim() === "" || all().at(-1) === text) return;
      all().push(text);
      // Its first letter is enough to run it, and what follows may be a key.
      const isKept = text.length <= longest && !text.startsWith("/k");
      if (path !== undefined && isKept) keepLine(path, text);
    },
    older: (typed) => {
      if (at === undefined) draft = typed;
      const next = (at ?? all().length) - 1;
      if (next < 0) return undefined;
      at = next;
      return all()[at];
    },
    newer: () => {
      if (at === undefined) return undefined;
      at++;
      if (at < all().length) return all()[at];
      at = undefined;
      return draft;
    },
    settle: () => {
      at = undefined;
    },
    search: (text, skip) =>
      all()
        .filter((line) => line.toLowerCase().includes(text.toLowerCase()))
        .at(-1 - skip),
  };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .slice(-kept - 1)
      .flatMap((line) => {
        try {
          const value: unknown = JSON.parse(line);
          return typeof value === "string" ? [value] : [];
        } catch {
          return [];
        }
      });
  } catch {
    return [];
  }
}

/** One short append is whole even when two chats share the file. */
function keepLine(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch {
    // The line is still in memory; a full or read-only disk must not stop the chat.
  }
}
