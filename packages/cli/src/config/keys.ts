import { existsSync } from "node:fs";

import { findKey, providers, type Environment, type MullError, type Provider } from "mull";
import { loadCredentials } from "mull/node";

import type { Io } from "../frame/io.ts";
import { pathsOf } from "./paths.ts";

/**
 * The environment, followed by the keys of both credential files. Warns when others can read the
 * files. `replaced`: providers whose key in the user's folder wins over all others.
 */
export function loadKeys(
  io: Io,
  warn: (message: string) => void = io.err,
  replaced: ReadonlySet<string> = new Set(),
): Environment {
  const { projectCredentials, userCredentials } = pathsOf(io);
  const say = (message: string): void => warn(`⚠ ${message}\n`);
  const withUser = loadCredentials({ path: userCredentials, env: {}, warn: say });
  const withProject = loadCredentials({ path: projectCredentials, env: {}, warn: say });
  const before = { ...withProject, ...definedOnly(io.env) };
  return { ...withUser, ...withoutKeysOf(replaced, before) };
}

/** The environment without the key variables of these providers. */
export function withoutKeysOf(ids: ReadonlySet<string>, env: Environment): Environment {
  const variables = new Set(
    providers.filter(({ id }) => ids.has(id)).flatMap(({ keyVariables }) => keyVariables),
  );
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.has(name)));
}

const definedOnly = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );

export interface KeyStatus {
  readonly provider: string;
  readonly name: string;
  readonly variables: readonly string[];
  /** Where the key in use comes from; absent when there is none. Never the key. */
  readonly source?: string;
}

/** Which providers have a key, and from where. */
export function keyStatuses(io: Io): readonly KeyStatus[] {
  const { projectCredentials, userCredentials } = pathsOf(io);
  const quiet = { env: {}, warn: () => {} };
  const sources: readonly (readonly [string | undefined, Environment])[] = [
    [undefined, io.env],
    ...[projectCredentials, userCredentials]
      .filter((path) => existsSync(path))
      .map((path) => [path, loadCredentials({ path, ...quiet })] as const),
  ];
  return providers
    .filter((provider) => provider.auth !== "none")
    .map((provider) => {
      const source = sources.map(([path, env]) => sourceOf(provider, path, env)).find(Boolean);
      return {
        provider: provider.id,
        name: provider.name,
        variables: provider.keyVariables,
        ...(source !== undefined && { source }),
      };
    });
}

function sourceOf(
  provider: Provider,
  path: string | undefined,
  env: Environment,
): string | undefined {
  if (findKey(provider, env) === undefined) return undefined;
  return path ?? provider.keyVariables.find((name) => env[name]?.trim());
}

/** What to run after a refused key. A variable wins over a kept key, so it must go first. */
export function keyAdvice({ category, provider }: MullError, io: Io): string | undefined {
  if (category !== "auth") return undefined;
  const status = keyStatuses(io).find((row) => row.provider === provider);
  if (status === undefined) return undefined;
  const set = `mull keys set ${status.provider}`;
  const isVariable = status.source !== undefined && status.variables.includes(status.source);
  return isVariable ? `export ${status.source}=…   or   unset ${status.source}; ${set}` : set;
}
