import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import {
  mcpTools,
  readMcpServers,
  type McpOptions,
  type McpServer,
  type McpServers,
  type McpTools,
} from "@mull/mcp";

import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";

/** What `--mcp` takes, for help and errors. */
const forms = "a command, an http address, or a .json file with mcpServers";

/** `npx` fetches a server first: that can take a while. */
export const startingMcp = "… starting the MCP servers";

/** Starts the servers that `--mcp` names. Without `onTrouble`, one that does not start is thrown. */
export async function openMcp(
  given: readonly string[],
  io: Pick<Io, "cwd" | "env">,
  options: Pick<McpOptions, "signal" | "onTrouble">,
): Promise<McpTools> {
  const servers: Record<string, McpServer> = {};
  for (const words of given) Object.assign(servers, await readServers(words, io));
  return mcpTools(servers, { approval: "writes", ...options });
}

/** The servers behind one `--mcp`. */
export async function readServers(
  words: string,
  { cwd, env }: Pick<Io, "cwd" | "env">,
): Promise<McpServers> {
  if (words.trim() === "") throw new UsageError(`--mcp is empty. It takes ${forms}.`);
  if (/^\S+\.json$/.test(words)) return readFileServers(resolve(cwd, words), env);
  const [, name, rest = words] = /^([\w-]+)=(.+)$/s.exec(words) ?? [];
  if (/^https?:\/\//i.test(rest)) {
    if (!URL.canParse(rest)) throw new UsageError(`--mcp: ${rest} is not an address.`);
    // Names of tools begin with it, and services want a letter there: not `127`.
    const [host = ""] = new URL(rest).hostname.split(".");
    return { [name ?? (/^[a-z]/i.test(host) ? host : "mcp")]: { url: rest } };
  }
  const [command = "", ...args] = splitWords(rest);
  return { [name ?? nameOf([command, ...args])]: { command, args, cwd } };
}

async function readFileServers(path: string, env: Io["env"]): Promise<McpServers> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}`);
  });
  try {
    return readMcpServers(text, env);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

/** Words as a shell cuts them: quotes hold a word with spaces together. */
const splitWords = (line: string): readonly string[] =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => double ?? single ?? "",
    ),
  );

const starters: ReadonlySet<string> = new Set([
  "npx",
  "bunx",
  "pnpm",
  "uvx",
  "node",
  "python",
  "dlx",
]);

/** `filesystem` for `npx -y @scope/server-filesystem@1 docs`. */
export function nameOf(words: readonly string[]): string {
  const program =
    words.find((word) => !word.startsWith("-") && !starters.has(basename(word))) ?? "mcp";
  const plain = basename(program)
    .replace(/(?<=.)@.*$/, "")
    .replace(/\.\w+$/, "")
    .replaceAll(/^(?:mcp-)?server-|^mcp-|-mcp$|-server$/g, "");
  return plain === "" ? "mcp" : plain;
}
