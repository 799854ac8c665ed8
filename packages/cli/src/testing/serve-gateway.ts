import { EventEmitter, once } from "node:events";

import { emptyHome, mull, type Ran } from "./fake-io.ts";

/** `mull gateway` on a port. */
export interface ServedGateway {
  readonly url: string;
  readonly home: string;
  readonly stop: () => Promise<Ran>;
}

/** Starts `mull gateway` on a free port. */
export const serveGateway = async (
  argv: readonly string[] = ["--simulate"],
  env: Record<string, string> = {},
  home = emptyHome(),
): Promise<ServedGateway> => {
  const stop = new AbortController();
  const address = new EventEmitter();
  const url = once(address, "url") as Promise<[string]>;
  const ran = mull(["gateway", "--port", "0", ...argv], {
    home,
    env,
    signal: stop.signal,
    out: async (text) => void address.emit("url", /http:\S+/.exec(text)?.[0]),
  });
  return {
    url: await Promise.race([
      url.then(([text]) => text),
      ran.then(({ err }) => Promise.reject(new Error(err))),
    ]),
    home,
    stop: () => {
      stop.abort();
      return ran;
    },
  };
};

/** A question of a client of Claude. */
export const askClaude = (
  url: string,
  model: string,
  headers: Record<string, string> = {},
  fields: Record<string, unknown> = {},
): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers },
    body: JSON.stringify({
      model,
      max_tokens: 4000,
      messages: [{ role: "user", content: "What is 23 * 47?" }],
      ...fields,
    }),
  });
