import { MullError, type Environment } from "mull";
import type { McpServer, McpServers } from "./mcp-server.ts";

/**
 * The servers of a configuration in the usual form, `{ "mcpServers": { name: { "command" | "url": … } } }`, as JSON or
 * as a value. `${NAME}` and `${NAME:-otherwise}` are replaced by variables of `env`; servers that are `disabled` are left out.
 */
export function readMcpServers(config: unknown, env: Environment = {}): McpServers {
  const value = typeof config === "string" ? parse(config) : config;
  const servers = isRecord(value) && "mcpServers" in value ? value["mcpServers"] : value;
  if (!isRecord(servers)) throw wrong("mcpServers", "an object with a server for each name");
  const rows = Object.entries(servers).filter(
    ([, server]) => !(isRecord(server) && server["disabled"] === true),
  );
  return Object.fromEntries(rows.map(([name, server]) => [name, readServer(name, server, env)]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(config: string): unknown {
  try {
    return JSON.parse(config);
  } catch {
    throw wrong("mcpServers", "JSON, which is the text of the file and not its path");
  }
}

const wrong = (field: string, expected: string): MullError =>
  new MullError(`${field}: expected ${expected}.`, {
    category: "invalid_argument",
    code: "INVALID_ARG",
    field,
    fix: 'write {"mcpServers": {"files": {"command": "npx", "args": ["…"]}, "wiki": {"url": "https://…"}}}',
  });

function readServer(name: string, value: unknown, env: Environment): McpServer {
  const at = `mcpServers.${name}`;
  if (!isRecord(value)) throw wrong(at, "an object with command or url");
  const { command, args, env: variables, cwd, url, headers, approval, timeoutMs } = value;
  const common = {
    ...(approval !== undefined && { approval: readApproval(`${at}.approval`, approval) }),
    ...(timeoutMs !== undefined && { timeoutMs: readMs(`${at}.timeoutMs`, timeoutMs) }),
  };
  if (url !== undefined) {
    const address = readText(`${at}.url`, url, env);
    if (!/^https?:/i.test(address) || !URL.canParse(address))
      throw wrong(`${at}.url`, "an address such as https://wiki.example/mcp");
    return {
      url: address,
      ...(headers !== undefined && { headers: readTexts(`${at}.headers`, headers, env) }),
      ...common,
    };
  }
  if (command === undefined) throw wrong(at, "an object with command or url");
  return {
    command: readText(`${at}.command`, command, env),
    ...(args !== undefined && { args: readList(`${at}.args`, args, env) }),
    ...(variables !== undefined && { env: readTexts(`${at}.env`, variables, env) }),
    ...(cwd !== undefined && { cwd: readText(`${at}.cwd`, cwd, env) }),
    ...common,
  };
}

const readApproval = (at: string, value: unknown): NonNullable<McpServer["approval"]> => {
  if (value === "never" || value === "writes" || value === "always") return value;
  throw wrong(at, '"never", "writes" or "always"');
};

const readMs = (at: string, value: unknown): number => {
  if (typeof value === "number" && value >= 1) return value;
  throw wrong(at, "milliseconds from 1");
};

function readText(at: string, value: unknown, env: Environment): string {
  if (typeof value !== "string") throw wrong(at, "a string");
  return value.replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, name: string, otherwise: string | undefined) => {
      const found = env[name] || otherwise;
      if (found === undefined) throw wrong(at, `the variable ${name} to be set`);
      return found;
    },
  );
}

function readList(at: string, value: unknown, env: Environment): readonly string[] {
  if (!Array.isArray(value)) throw wrong(at, "a list of texts");
  return value.map((each, index) => readText(`${at}[${index}]`, each, env));
}

function readTexts(at: string, value: unknown, env: Environment): Readonly<Record<string, string>> {
  if (!isRecord(value)) throw wrong(at, "an object of texts");
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, readText(`${at}.${name}`, each, env)]),
  );
}
