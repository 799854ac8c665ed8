import { findModel, providers, type Model } from "mull";

import type { World } from "../world/world.ts";

interface Host {
  readonly id: string;
  readonly address: URL;
  /** A local server: it needs no key and serves whatever model was loaded. */
  readonly isLocal: boolean;
  /** The provider whose rows are used if the catalogue has none for the host. */
  readonly like?: string;
}

/** Makers whose models only they serve: a request for such a model at a local address is meant for them. */
const makers: ReadonlySet<string> = new Set(["anthropic", "openai", "openai-chat", "google"]);

/** LM Studio runs llama.cpp. */
const lmStudio: Host = {
  id: "lmstudio",
  address: new URL("http://localhost:1234/v1"),
  isLocal: true,
  like: "llamacpp",
};

const hosts: readonly Host[] = [
  ...providers
    .filter(({ id }) => !makers.has(id))
    .map(({ id, baseUrl, auth }) => ({ id, address: new URL(baseUrl), isLocal: auth === "none" })),
  lmStudio,
];

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const isAt = ({ hostname, port }: URL, { address, isLocal }: Host): boolean =>
  isLocal
    ? loopback.has(hostname) && port === address.port
    : hostname === address.hostname && port === address.port;

/**
 * The host that an address names: by host name and port in process, or by the first segment of the path, e.g.
 * `/ollama/v1/chat/completions`, where host name and port are the emulator's own.
 */
const hostOf = (url: URL): Host | undefined =>
  hosts.find((host) => url.pathname.startsWith(`/${host.id}/`) || isAt(url, host));

/** The local server that is asked. */
export const localServerOf = (url: URL): string | undefined => {
  const host = hostOf(url);
  return host?.isLocal === true ? host.id : undefined;
};

export const isLocalServer = (provider: string): boolean =>
  hosts.some(({ id, isLocal }) => isLocal && id === provider);

/** The row a request is judged by: the host's own if one is asked, else the maker's. */
export const modelAsked = (id: string, url: URL, { options: { models } }: World): Model => {
  const own = models === undefined ? {} : { models };
  const made = findModel(id, own);
  const host = hostOf(url);
  if (host === undefined) return made;
  const isMakers = host.isLocal && made.assumed !== true && makers.has(made.provider);
  if (isMakers) return made;
  const row = findModel(id, { ...own, provider: host.like ?? host.id });
  return host.like === undefined ? row : { ...row, provider: host.id };
};
