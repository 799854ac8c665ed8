import { findModel, providers, type Model } from "mull";

import type { World } from "../world/world.ts";

interface LocalServer {
  readonly id: string;
  readonly port: string;
}

/** Servers people run themselves: they ask for no key and serve whatever was loaded. */
const localServers: readonly LocalServer[] = providers
  .filter(({ auth }) => auth === "none")
  .map(({ id, baseUrl }) => ({ id, port: new URL(baseUrl).port }));

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The server of this machine that an address names: by its usual port in process, or by the first
 * step of the path, e.g. `/ollama/v1/chat/completions`, where the port is the emulator's own.
 */
export const localServerOf = ({ hostname, port, pathname }: URL): string | undefined =>
  localServers.find(
    (server) =>
      pathname.startsWith(`/${server.id}/`) || (loopback.has(hostname) && port === server.port),
  )?.id;

export const isLocalServer = (provider: string): boolean =>
  localServers.some(({ id }) => id === provider);

/** Nobody runs these at home: whoever names one means the vendor, wherever the address points. */
const closed = new Set(["anthropic", "openai", "google"]);

/** The row a request is judged by: the server's own where one is asked, else the maker's. */
export const modelAsked = (id: string, url: URL, { options: { models } }: World): Model => {
  const own = models === undefined ? {} : { models };
  const made = findModel(id, own);
  const server = localServerOf(url);
  const isMakers = server === undefined || (made.assumed !== true && closed.has(made.provider));
  return isMakers ? made : findModel(id, { ...own, provider: server });
};
