import type { ChatTarget, Provider, WireId } from "mull";
import { findKey, findProvider, MullError } from "mull";
import { connect, type Connection } from "mull/wire";

import type { GatewayParts } from "./client-call.ts";
import type { ClientHeaders } from "./client-exchange.ts";

/** The vendor that a client of a wire has a key of. */
const ownVendors: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai",
  "google-generate": "google",
};

/** Headers that hold a client's key. */
export const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;

/** The key a client sends, wherever its wire puts it. */
export function clientKeyOf(headers: ClientHeaders, url: URL): string | undefined {
  const bearer = /^bearer +(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const key =
    headers.get("x-api-key") ??
    headers.get("x-goog-api-key") ??
    headers.get("api-key") ??
    bearer ??
    url.searchParams.get("key");
  const text = key?.trim();
  return text === undefined || text === "" ? undefined : text;
}

/** Whether a client of this wire would have asked this provider itself: the same address. */
export const isOwnVendor = (provider: Provider, wire: WireId): boolean =>
  findProvider(ownVendors[wire]).baseUrl === provider.baseUrl;

/** How a request reaches the model that answers. */
export interface ServiceConnection {
  readonly connection: Connection;
  /** For the library, which makes the connection itself. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Finds address and key of the model that answers: the gateway's own key, or else the client's,
 * which goes only to its own vendor.
 */
export function connectTo(
  { provider }: ChatTarget,
  wire: WireId,
  client: {
    readonly headers: ClientHeaders;
    readonly key: string | undefined;
    readonly isTrusted: boolean;
  },
  { env, isSimulated, ownConnections }: GatewayParts,
): ServiceConnection {
  const needsKey = !isSimulated;
  const own = findKey(provider, env);
  const known = ownConnections.get(provider.id);
  if (known !== undefined && known.connection.key === own) return known;
  const { key, headers } = client;
  if (own === undefined && client.isTrusted && key !== undefined && isOwnVendor(provider, wire)) {
    // A client that is signed in to Claude has a token, which only this header takes.
    const authorization = headers.get("authorization");
    const isToken = provider.auth === "x-api-key" && !headers.has("x-api-key");
    const signed =
      isToken && authorization !== undefined ? { headers: { authorization } } : { apiKey: key };
    return { connection: connect(provider, { ...signed, env }, false), ...signed };
  }
  if (own === undefined && needsKey && provider.auth !== "none") {
    throw new MullError(
      `No key for ${provider.name}: the gateway has none, and your key is for another provider.`,
      {
        category: "auth",
        code: "missing_key",
        fix: `set ${provider.keyVariables.join(" or ")} where the gateway runs`,
      },
    );
  }
  // An emulator lets nobody in without a key, and takes any.
  const anyKey = own === undefined && !needsKey ? { apiKey: "emulated" } : {};
  const opened = { connection: connect(provider, { ...anyKey, env }, false), ...anyKey };
  if (own !== undefined) ownConnections.set(provider.id, opened);
  return opened;
}
