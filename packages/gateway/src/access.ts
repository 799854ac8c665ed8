import { MullError } from "mull";

import type { ClientHeaders } from "./client-exchange.ts";

/** Who may ask a gateway. */
export interface AccessOptions {
  /** SHA-256 hashes of the keys of its clients, as hex; absent: anyone on this machine may ask. */
  readonly clientKeys?: readonly string[] | undefined;
  /** Host headers that are allowed besides those of this machine. */
  readonly hosts?: readonly string[] | undefined;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

const hostName = (host: string): string => host.trim().replace(/:\d+$/, "").toLowerCase();

const refuse = (message: string, code: string, fix: string): MullError =>
  new MullError(message, { category: "permission", code, fix });

/**
 * Refuses requests that may not ask. A page of another site can reach a server on this machine
 * under a name of its own, which is why the Host header is checked.
 */
export async function checkAccess(
  headers: ClientHeaders,
  key: string | undefined,
  { clientKeys, hosts = [] }: AccessOptions,
): Promise<MullError | undefined> {
  const host = hostName(headers.get("host") ?? "");
  const isHere = loopback.test(host);
  if (!isHere && !hosts.some((allowed) => hostName(allowed) === host))
    return refuse(
      `host: ${host.slice(0, 100)} is not allowed`,
      "host_not_allowed",
      "allow a name with --host-name, or with `hosts` of createGateway",
    );
  const origin = headers.get("origin");
  if (origin !== undefined && !isAllowedOrigin(origin, host, hosts))
    return refuse(
      "origin: pages of other sites may not use this gateway",
      "origin_not_allowed",
      "ask from a program, or from a page of this address",
    );
  if (clientKeys === undefined) {
    return isHere
      ? undefined
      : refuse(
          "without client keys this gateway answers on this machine only",
          "keys_needed",
          "start it with MULL_GATEWAY_KEYS",
        );
  }
  if (key !== undefined && (await isKnown(key, clientKeys))) return undefined;
  return new MullError(
    key === undefined ? "this gateway needs a key" : "this gateway does not know this key",
    { category: "auth", code: "invalid_api_key", fix: "send a key of MULL_GATEWAY_KEYS" },
  );
}

function isAllowedOrigin(origin: string, host: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const name = hostName(new URL(origin).host);
  return (
    name === host || loopback.test(name) || hosts.some((allowed) => hostName(allowed) === name)
  );
}

/** The hash of a key, as `clientKeys` has it. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Takes as long for a wrong key as for a right one, so that its time tells nothing. */
async function isKnown(key: string, hashes: readonly string[]): Promise<boolean> {
  const own = await hashKey(key);
  let found = 0;
  for (const hash of hashes) {
    const known = hash.trim().toLowerCase();
    let differs = known.length ^ own.length;
    for (let at = 0; at < own.length; at++)
      differs |= own.charCodeAt(at) ^ (known.charCodeAt(at) || 0);
    found |= Number(differs === 0);
  }
  return found === 1;
}
