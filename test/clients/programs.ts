/** Where the programs of test/clients lie once `npm run clients:install` has put them there. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
const modules = join(folder, "node_modules");
const platform = `${process.platform}-${process.arch}`;

/** Several need Node 22; the oldest Node that mull runs on is 20. */
const newNode = (): string =>
  Number(process.versions.node.split(".")[0]) >= 22
    ? process.execPath
    : join(modules, `node-${platform}`, "bin", "node");

const script = (...path: readonly string[]): readonly string[] => [newNode(), join(modules, ...path)];
const binary = (...path: readonly string[]): readonly string[] => [join(modules, ...path)];

/** The command line of each program, without its arguments. Packages run no install scripts, so binaries are named where they lie. */
export const commandOf = {
  claude: () => binary("@anthropic-ai", `claude-code-${platform}`, "claude"),
  codex: () => script("@openai", "codex", "bin", "codex.js"),
  gemini: () => script("@google", "gemini-cli", "bundle", "gemini.js"),
  opencode: () => binary(`opencode-${platform}`, "bin", "opencode"),
  pi: () => script("@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js"),
  sdk: () => [newNode()],
} satisfies Record<string, () => readonly string[]>;

export const isInstalled = (line: readonly string[]): boolean =>
  line.every((word) => !word.startsWith("/") || existsSync(word));
