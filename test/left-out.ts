/** What a test run may lack, and how to include it. The end of a run lists each that it lacked, once. */
const reasons = {
  recordings: [
    "real traffic read and judged again",
    "set MULL_RECORDINGS to a recordings.jsonl of your own",
  ],
  postgres: [
    "stores and servers on a real Postgres",
    "install it (Debian: apt install postgresql) or set DATABASE_URL",
  ],
  pgbouncer: ["stores behind PgBouncer", "install it (Debian: apt install pgbouncer)"],
  redis: ["events that travel through Redis", "install it (Debian: apt install redis-server)"],
  fleet: [
    "servers behind nginx that are killed and restarted",
    "install Postgres and nginx (Debian: apt install postgresql nginx-light)",
  ],
  browser: [
    "the page in a real browser",
    "set CHROME_PATH to a Chromium; on Linux install the libraries it asks for",
  ],
  terminal: ["the chat behind a real terminal", "install `script` of util-linux"],
  bash: ["completion in bash", "install bash"],
  zsh: ["completion in zsh", "install zsh"],
  fish: ["completion in fish", "install fish"],
  curl: ["the calls that docs/guides/server.md shows", "install curl"],
  disk: ["a disk that is full", "run as root on Linux, where a small one can be mounted"],
  clients: [
    "Claude Code, Codex and the SDKs through the gateway",
    "npm run clients:install (1.7 GB; with CI=1 it is tried by itself)",
  ],
  heavy: [
    "browser, terminal, crashes, packages, examples, leaks and most runs of properties",
    "npm run check",
  ],
} satisfies Readonly<Record<string, readonly [what: string, toInclude: string]>>;

export type Reason = keyof typeof reasons;

/** Tells the runner from a test what else is printed there. */
export const mark = "left out of this run: ";

export const describeLeftOut = (reason: Reason): string =>
  reasons[reason].join("; to include it, ");

/** Says that something is not tested here. It reaches the runner from any worker. */
export const leaveOut = (reason: Reason): void => console.warn(mark + describeLeftOut(reason));

const heading = "Not tested in this run:";

export const listLeftOut = (lines: ReadonlySet<string>): string =>
  [heading, ...[...lines].map((line) => `  ${line}`), ""].join("\n");

/** The lines of such a list at the end of what a run printed. */
export const readLeftOut = (printed: string): readonly string[] =>
  (printed.split(`${heading}\n`)[1] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());
