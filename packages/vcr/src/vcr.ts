import { isAbsolute, join } from "node:path";

import { VcrError } from "./error.ts";
import type { CassetteFetch, LiveFetch, Mode } from "./fetch.ts";
import { modes, withEnd } from "./fetch.ts";
import type { PlayOptions } from "./play.ts";
import { play } from "./play.ts";
import type { RecordOptions } from "./record.ts";
import { record } from "./record.ts";
import type { RedactOptions } from "./redact.ts";
import { refresh } from "./refresh.ts";
import { seeRequest } from "./request.ts";

/** Settings of `vcr` and `useCassette`. */
export interface VcrOptions
  extends PlayOptions, Omit<RecordOptions, "fetch" | "cassette" | "ignore" | "redact"> {
  /** Overrides `VCR_MODE` and `VCR_RECORD`. */
  readonly mode?: Mode;
  /** Makes the real calls; the global `fetch` unless given. */
  readonly fetch?: LiveFetch;
  /** The folder of named cassettes. */
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * A cassette by name (`anthropic/thinking_low`) or path (ends in `.jsonl`), in the mode the
 * environment asks for: replay unless `VCR_RECORD=1`, or `VCR_MODE` names another. Every value in
 * the environment that is a key by its name is hidden in recordings.
 */
export const vcr = (name: string, options: VcrOptions = {}): CassetteFetch => {
  const env = options.env ?? process.env;
  const mode = options.mode === undefined ? chooseMode(env) : readMode(options.mode, "mode");
  const cassette = cassettePath(name, options.directory);
  const live: LiveFetch = options.fetch ?? ((input, init) => fetch(input, init));
  const settings = { ...options, redact: withKnownSecrets(options.redact, env) };
  switch (mode) {
    case "replay":
      return play(cassette, settings);
    case "record":
      return record({ ...settings, fetch: live, cassette });
    case "refresh":
      return refresh({ ...settings, fetch: live, cassette });
    case "passthrough":
      return passThrough(live);
    default:
      return mode satisfies never;
  }
};

const passThrough = (live: LiveFetch): CassetteFetch =>
  withEnd(async (input, init) => (await seeRequest(input, init)).send(live), "passthrough", {
    done: nothing,
    discard: nothing,
  });

const nothing = async (): Promise<void> => undefined;

/** `VCR_MODE` if it is set, else `record` if `VCR_RECORD` is, else `replay`. */
export const chooseMode = (env: Readonly<Record<string, string | undefined>>): Mode => {
  const asked = env["VCR_MODE"];
  if (asked !== undefined && asked !== "") return readMode(asked, "VCR_MODE");
  return ["1", "true"].includes(env["VCR_RECORD"] ?? "") ? "record" : "replay";
};

const readMode = (asked: string, name: string): Mode => {
  const mode = modes.find((known) => known === asked);
  if (mode !== undefined) return mode;
  throw new VcrError(`${name}: ${asked} is not allowed. Allowed: ${modes.join(" ")}`, {
    code: "bad-option",
  });
};

const cassettePath = (name: string, directory = join("test", "fixtures", "vcr")): string => {
  if (name.endsWith(".jsonl") || isAbsolute(name)) return name;
  return join(directory, `${name}.jsonl`);
};

const secretVariable = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?$/i;

/** The values of environment variables whose names say that they are secret. */
export const secretsInEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && secretVariable.test(name) ? [value] : [],
  );

const withKnownSecrets = (
  redact: RedactOptions | false | undefined,
  env: Readonly<Record<string, string | undefined>>,
): RedactOptions | false =>
  redact === false
    ? false
    : { ...redact, secrets: [...(redact?.secrets ?? []), ...secretsInEnvironment(env)] };
