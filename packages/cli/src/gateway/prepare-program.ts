import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { JsonObject } from "mull";

import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { parseJson } from "../wire-tools/input.ts";
import {
  commonVariables,
  findProgram,
  type GatewayPlace,
  type SettingsOverlay,
} from "./programs.ts";

/** A command line and its environment, ready to start. */
export interface PreparedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Takes away what was made for this run. */
  readonly cleanUp: () => void;
}

/** Points a program at the gateway. Its own files stay as they are. */
export function prepareProgram(
  line: readonly [string, ...string[]],
  place: GatewayPlace,
  { env, home }: Pick<Io, "env" | "home">,
): PreparedProgram {
  const found = findProgram(line);
  const setup = found?.program.setUp(place) ?? {};
  const { overlay } = setup;
  const isFolderNeeded = setup.files !== undefined || overlay !== undefined;
  const folder = isFolderNeeded ? mkdtempSync(join(tmpdir(), "mull-run-")) : "";
  const ownHome = (overlay && env[overlay.homeVariable]) || home;
  const cleanUp = (): void => {
    if (overlay !== undefined) keepNew(overlay, ownHome, folder);
    if (isFolderNeeded) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [name, text] of Object.entries(setup.files ?? {}))
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (overlay !== undefined) layOver(overlay, ownHome, folder);
    const fill = (text: string): string => text.replaceAll("{folder}", folder);
    const wordsFrom = found?.wordsFrom ?? line.length;
    const [command, ...args] = [
      ...line.slice(0, wordsFrom),
      ...(setup.args ?? []).map(fill),
      ...line.slice(wordsFrom),
    ];
    return {
      command: command ?? line[0],
      args,
      env: definedOnly({
        ...env,
        ...commonVariables(place),
        ...withLoopbackDirect(env),
        ...(overlay !== undefined && { [overlay.homeVariable]: folder }),
        ...Object.fromEntries(
          Object.entries(setup.env ?? {}).map(([name, value]) => [
            name,
            value === undefined ? undefined : fill(value),
          ]),
        ),
      }),
      cleanUp,
    };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

const definedOnly = (env: Io["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A proxy of the company must not be asked for an address of this machine. */
const withLoopbackDirect = (env: Io["env"]): Record<string, string> =>
  Object.fromEntries(
    ["NO_PROXY", "no_proxy"].flatMap((name) => {
      const isProxied = ["http_proxy", "https_proxy", "all_proxy"].some(
        (proxy) => (env[proxy] ?? env[proxy.toUpperCase()] ?? "") !== "",
      );
      const listed = env[name] ?? "";
      return isProxied ? [[name, listed === "" ? "127.0.0.1" : `${listed},127.0.0.1`]] : [];
    }),
  );

function layOver({ folder, file, change }: SettingsOverlay, home: string, made: string): void {
  const own = join(home, folder);
  const seen = join(made, folder);
  mkdirSync(seen, { mode: 0o700 });
  for (const name of entriesOf(own))
    if (name !== file) symlinkSync(join(own, name), join(seen, name));
  const path = join(seen, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(change(readSettings(join(own, file)))), { mode: 0o600 });
}

/**
 * What the program made goes where it would have put it: its first conversations, and files that it
 * replaced by renaming a new one over the link.
 */
function keepNew({ folder, file }: SettingsOverlay, home: string, made: string): void {
  const seen = join(made, folder);
  for (const name of entriesOf(seen)) {
    const path = join(seen, name);
    if (name === file || lstatSync(path).isSymbolicLink()) continue;
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
    cpSync(path, join(home, folder, name), { recursive: true, preserveTimestamps: true });
  }
}

const entriesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

function readSettings(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const value = parseJson(text, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UsageError(`${path} is not a JSON object. Repair it first.`);
}
