/** API keys from a file, for programs on Node. */
import type { Environment } from "./chat/connection.ts";
import { providers } from "./providers/index.ts";
import type { Provider } from "./types/provider.ts";
import { invalidArgument, MullError } from "./types/error.ts";
import { isJsonObject, type JsonObject } from "./types/json.ts";

/** The few functions of `node:fs` used here; the library itself has no Node types. */
interface FileSystem {
  readonly readFileSync: (path: string, encoding: "utf8") => string;
  readonly statSync: (path: string) => { readonly mode: number };
  readonly openSync: (path: string, flags: "wx", mode: number) => number;
  readonly writeSync: (file: number, text: string) => number;
  readonly fsyncSync: (file: number) => void;
  readonly closeSync: (file: number) => void;
  readonly renameSync: (from: string, to: string) => void;
  readonly rmSync: (path: string, options: { readonly force: true }) => void;
}

interface NodeProcess {
  readonly pid: number;
  readonly env: Environment;
  readonly platform: string;
  readonly getBuiltinModule: (name: string) => unknown;
}

/** Where `loadCredentials` looks. */
export interface CredentialOptions {
  /** Default `credentials.json` in the working directory. */
  readonly path?: string;
  readonly env?: Environment;
  /** Called with a warning if others can read the file. */
  readonly warn?: (message: string) => void;
}

/**
 * The environment plus the keys of `credentials.json`, for the `env` option. The file has variable
 * names or provider ids: `{"ANTHROPIC_API_KEY": "…"}` or `{"anthropic": "…"}`. Variables that are
 * set win over the file; a missing file is fine.
 */
export function loadCredentials(options: CredentialOptions = {}): Environment {
  const process = nodeProcess();
  const env = options.env ?? process.env;
  const path = options.path ?? "credentials.json";
  const fs = fileSystem();
  const text = readIfPresent(fs, path);
  if (text === undefined) return env;
  if (process.platform !== "win32" && (fs.statSync(path).mode & 0o077) !== 0) {
    options.warn?.(`${path} can be read by others. Make it yours alone: chmod 600 ${path}`);
  }
  return { ...readKeys(text, path), ...definedOnly(env) };
}

/**
 * Stores a key in the `credentials.json` at `path`, which only its owner can read. `provider` is what
 * `findProvider` returns. The file is written completely or not at all, and keeps its other entries.
 * The folder must exist.
 */
export function storeCredential(path: string, provider: Provider, key: string): void {
  // The key itself is never shown.
  if (typeof key !== "string" || key === "")
    throw invalidArgument("key", key === "" ? key : typeof key, "the key as text");
  const entries = readEntries(path);
  takeOut(entries, provider);
  entries.set(provider.keyVariables[0] ?? provider.id, key);
  writeEntries(path, entries);
}

/** Removes a provider's key from the `credentials.json` at `path`. Returns `false` if there was none. */
export function removeCredential(path: string, provider: Provider): boolean {
  const entries = readEntries(path);
  if (!takeOut(entries, provider)) return false;
  writeEntries(path, entries);
  return true;
}

function takeOut(entries: Map<string, unknown>, provider: Provider): boolean {
  if (!isJsonObject(provider) || !Array.isArray(provider.keyVariables))
    throw invalidArgument("provider", provider, 'what findProvider("openai") returns');
  const { id, keyVariables } = provider;
  return [id, ...keyVariables].filter((name) => entries.delete(name)).length > 0;
}

/** Entries of other programs and other kinds are kept as well. */
const readEntries = (path: string): Map<string, unknown> => {
  const text = readIfPresent(fileSystem(), path);
  return new Map(text === undefined ? [] : Object.entries(parseObject(text, path)));
};

function writeEntries(path: string, entries: ReadonlyMap<string, unknown>): void {
  const fs = fileSystem();
  const draft = `${path}.${nodeProcess().pid}.tmp`;
  try {
    const file = fs.openSync(draft, "wx", 0o600);
    try {
      fs.writeSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(draft, path);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new MullError(`${path} cannot be written${reason}. Nothing was changed.`, {
      category: "invalid_argument",
      code: "credentials",
      field: path,
    });
  }
}

const nodeProcess = (): NodeProcess => Reflect.get(globalThis, "process") as NodeProcess;
const fileSystem = (): FileSystem => nodeProcess().getBuiltinModule("node:fs") as FileSystem;

function readIfPresent(fs: FileSystem, path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8");
  } catch (error) {
    // Accounts without a home often have `/dev/null` for one: that isn't a folder, and isn't a fault either.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw broken(path, "cannot be read");
  }
}

function parseObject(text: string, path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(path, "is not valid JSON");
  }
  if (!isJsonObject(value)) throw broken(path, "is not a JSON object of keys");
  return value;
}

function readKeys(text: string, path: string): Environment {
  return Object.fromEntries(
    Object.entries(parseObject(text, path)).flatMap(([name, key]) =>
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
