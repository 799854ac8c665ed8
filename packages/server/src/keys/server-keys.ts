import { dirname, join } from "node:path";
import { makeFolder } from "@mull/store/parts";
import { findKey, type Environment, type Provider } from "mull";
import { loadCredentials, removeCredential, storeCredential } from "mull/node";

/** Keys of the whole server, which the person who runs it may change at any time. */
export interface ServerKeys {
  /** The current environment with the keys from files; the same object until a key changes. */
  readonly env: () => Environment;
  /** Where the current key comes from. Never the key. */
  readonly sourceOf: (provider: Provider) => KeySource | undefined;
  /** Stores it where `mull keys set` does. An environment variable still wins. */
  readonly store: (provider: Provider, key: string) => Promise<void>;
  /** `false`: the file had no such key. */
  readonly remove: (provider: Provider) => Promise<boolean>;
}

/** An environment variable, or a `credentials.json`. */
export type KeySource = "environment" | "file";

/** Where the user's own keys are, by the XDG rules. */
export const userCredentials = (env: Environment, home: string): string =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "mull", "credentials.json");

/** Where `openServerKeys` looks. */
export interface ServerKeyPlaces {
  readonly env: Environment;
  /** The file that stores keys: the user's own. */
  readonly file: string;
  /** A file that overrides it, for example in the working directory. */
  readonly projectFile?: string;
  /** Called with a warning if others can read a file. */
  readonly warn?: (message: string) => void;
}

/** Reads the server's keys: first the environment, then the files. */
export function openServerKeys({ env, file, projectFile, warn }: ServerKeyPlaces): ServerKeys {
  const files = projectFile === undefined ? [file] : [projectFile, file];
  const read = (say?: (message: string) => void): Environment =>
    files.reduce<Environment>(
      (before, path) =>
        loadCredentials({ path, env: before, ...(say !== undefined && { warn: say }) }),
      env,
    );
  let current = read(warn);
  return {
    env: () => current,
    sourceOf: (provider) => {
      if (findKey(provider, env) !== undefined) return "environment";
      return findKey(provider, current) === undefined ? undefined : "file";
    },
    async store(provider, key) {
      await makeFolder(dirname(file));
      storeCredential(file, provider, key);
      current = read();
    },
    async remove(provider) {
      const wasThere = removeCredential(file, provider);
      current = read();
      return wasThere;
    },
  };
}
