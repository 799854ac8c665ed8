import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "mull";

import { makeFolder } from "../config/make-folder.ts";
import { pathsOf } from "../config/paths.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";
import { joinSettings } from "./join-settings.ts";
import { commonVariables, findProgram, type GatewayPlace } from "./programs.ts";
import { keepNew, layOver, replaceFile } from "./settings-overlay.ts";

/** A command line and its environment, ready to start. */
export interface PreparedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Copies what the program wrote to the user's own folder. */
  readonly cleanUp: () => void;
}

/** Points a program at the gateway. Its own files stay as they are. */
export function prepareProgram(
  line: readonly [string, ...string[]],
  place: GatewayPlace,
  { env, home, cwd }: Pick<Io, "env" | "home" | "cwd">,
): PreparedProgram {
  const found = findProgram(line);
  const setup = found?.program.setUp(place) ?? {};
  const { overlay, files = {} } = setup;
  const ownHome = (overlay && env[overlay.homeVariable]) || home;
  // The same in every run: gemini-cli tells the model where its files are, and Claude binds its
  // thoughts to every word before them.
  const { programs } = pathsOf({ env, home, cwd });
  const folder = join(programs, `${found?.program.names[0]}-${shortHash(ownHome)}`);
  try {
    if (Object.keys(files).length > 0) makeFolder(folder);
    for (const [name, text] of Object.entries(files)) replaceFile(folder, name, text);
    if (overlay !== undefined) layOver(overlay, ownHome, folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot write ${folder}: ${fileTrouble(error)}`);
  }
  const wordsFrom = found?.wordsFrom ?? line.length;
  const words = line.slice(wordsFrom);
  const { settings } = setup;
  const joined = settings && joinSettings(settings, words, cwd);
  const file = joined && writeJoined(folder, joined.settings);
  const given = settings === undefined ? [] : ["--settings", file ?? JSON.stringify(settings)];
  const fill = (text: string): string => text.replaceAll("{folder}", folder);
  const [command, ...args] = [
    ...line.slice(0, wordsFrom),
    ...given,
    ...(setup.args ?? []).map(fill),
    ...(joined?.words ?? words),
  ];
  return {
    command: command ?? line[0],
    args,
    env: definedOnly({
      ...env,
      ...commonVariables(place),
      ...withLoopbackDirect(env),
      ...(overlay !== undefined && { [overlay.homeVariable]: folder }),
      ...setup.env,
    }),
    cleanUp: () => {
      if (file !== undefined) rmSync(file, { force: true });
      if (overlay !== undefined) keepNew(overlay, ownHome, folder);
    },
  };
}

/** In a file: the user's settings may hold keys, and other people see command lines. */
function writeJoined(folder: string, settings: JsonObject): string {
  const text = JSON.stringify(settings);
  const name = `settings-${shortHash(text)}.json`;
  try {
    makeFolder(folder);
    replaceFile(folder, name, text);
  } catch (error) {
    throw new UsageError(`Cannot write ${folder}: ${fileTrouble(error)}`);
  }
  return join(folder, name);
}

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 8);

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
