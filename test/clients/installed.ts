import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
const modules = join(folder, "node_modules");
const platform = `${process.platform}-${process.arch}`;

/** Several clients need Node 22; the oldest Node that mull runs on is 20. */
const newNode = (): string =>
  Number(process.versions.node.split(".")[0]) >= 22
    ? process.execPath
    : join(modules, `node-${platform}`, "bin", "node");

const script = (path: string): readonly string[] => [newNode(), join(modules, path)];

/** Command lines without arguments. No install script runs, so that binaries are started where they lie. */
export const commands = {
  claude: [join(modules, "@anthropic-ai", `claude-code-${platform}`, "claude")],
  codex: script("@openai/codex/bin/codex.js"),
  gemini: script("@google/gemini-cli/bundle/gemini.js"),
  opencode: [join(modules, `opencode-${platform}`, "bin", "opencode")],
  pi: script("@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A program of `sdk/`, run by a Node that every SDK takes. */
export const sdkCommand = (name: string): readonly string[] => [
  newNode(),
  join(folder, "sdk", `${name}.mjs`),
];

/** Why a client cannot be run here; `undefined` when it can. */
export function whyMissing(command: readonly string[], packageName: string): string | undefined {
  if (!existsSync(join(modules, packageName))) return "not installed";
  const missing = command.find((word) => word.startsWith("/") && !existsSync(word));
  return missing === undefined ? undefined : `no binary for ${platform}`;
}

/** The version that is installed. */
export const versionOf = (packageName: string): string => {
  const path = join(modules, packageName, "package.json");
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version
    : "–";
};
