/** API keys from a file, for programs on Node. */
import type { Environment } from "./chat/connection.ts";
import { providers } from "./providers/index.ts";
import { MullError } from "./types/error.ts";
import { isJsonObject } from "./types/json.ts";

/** The few functions of `node:fs` used here; the library itself has no Node types. */
interface FileSystem {
  readonly readFileSync: (path: string, encoding: "utf8") => string;
  readonly statSync: (path: string) => { readonly mode: number };
}

interface NodeProcess {
  readonly env: Environment;
  readonly platform: string;
  readonly getBuiltinModule: (name: string) => unknown;
}

/** Where `loadCredentials` looks. */
export interface CredentialOptions {
  /** Default `credentials.json` in the working directory. */
  readonly path?: string;
  readonly env?: Environment;
  /** Called with a warning where others can read the file. */
  readonly warn?: (message: string) => void;
}

/**
 * The environment plus the keys of `credentials.json`, for the `env` option. The file has variable
 * names or provider ids: `{"ANTHROPIC_API_KEY": "…"}` or `{"anthropic": "…"}`. Variables that are
 * set win over the file; a missing file is fine.
 */
export function loadCredentials(options: CredentialOptions = {}): Environment {
  const process = Reflect.get(globalThis, "process") as NodeProcess;
  const env = options.env ?? process.env;
  const path = options.path ?? "credentials.json";
  const fs = process.getBuiltinModule("node:fs") as FileSystem;
  const text = readIfPresent(fs, path);
  if (text === undefined) return env;
  if (process.platform !== "win32" && (fs.statSync(path).mode & 0o077) !== 0) {
    options.warn?.(`${path} can be read by others. Make it yours alone: chmod 600 ${path}`);
  }
  return { ...readKeys(text, path), ...definedOnly(env) };
}

function readIfPresent(fs: FileSystem, path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8");
  } catch (error) {
    // Accounts without a home often have `/dev/null` for one: that is no folder, and no fault.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw broken(path, "cannot be read");
  }
}

function readKeys(text: string, path: string): Environment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(path, "is not valid JSON");
  }
  if (!isJsonObject(value)) throw broken(path, "is not a JSON object of keys");
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, key]) =>
      typeof key === "string" && key.trim() !== "" ? [[variableOf(name), key.trim()]] : [],
    ),
  );
}

const variableOf = (name: string): string =>
  providers.find((provider) => provider.id === name)?.keyVariables[0] ?? name;

const definedOnly = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );

/** The content never goes into the message: it holds keys. */
const broken = (path: string, what: string): MullError =>
  new MullError(`${path} ${what}. Expected e.g. {"ANTHROPIC_API_KEY": "…"}.`, {
    category: "invalid_argument",
    code: "credentials",
    field: path,
  });
