import { providers, type Environment } from "mull";
import { secretsIn } from "../config.ts";
import type { ServerKeys } from "./server-keys.ts";

/** The server's settings and keys. */
export interface KeysNow {
  readonly env: Environment;
  readonly secrets: readonly string[];
}

/** The settings with the current keys; the same object until a key changes. */
export function watchKeys(env: Environment, keys: ServerKeys | undefined): () => KeysNow {
  const variables = new Set(providers.flatMap(({ keyVariables }) => keyVariables));
  const isKey = ([name]: readonly [string, unknown]): boolean => variables.has(name);
  const withKeys = (found: Environment): KeysNow => {
    const settings = Object.entries(env).filter((entry) => !isKey(entry));
    const merged = Object.fromEntries([...settings, ...Object.entries(found).filter(isKey)]);
    return { env: merged, secrets: secretsIn(merged) };
  };
  let seen = keys?.env();
  let now = seen === undefined ? { env, secrets: secretsIn(env) } : withKeys(seen);
  return () => {
    const latest = keys?.env();
    if (latest !== undefined && latest !== seen) [seen, now] = [latest, withKeys(latest)];
    return now;
  };
}
