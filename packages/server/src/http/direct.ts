import { isIPv4 } from "node:net";
import type { RequestedUrl } from "./asked.ts";

/** Host names by which a browser reaches its own machine. */
export const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Headers that proxies and tunnels add. Some add none, which is why a link is needed as well. */
const forwardingHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-forwarded-user",
  "x-original-host",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "fly-client-ip",
  "tailscale-user-login",
] as const;

/** A request as it reached the server. */
export interface Arrival {
  readonly request: Pick<RequestedUrl, "headers">;
  readonly url: URL;
  /** `local`: from inside this process. */
  readonly address: string;
}

/**
 * Whether a request was sent on this machine, to this machine, with no proxy that says so in
 * between.
 */
export const isDirect = ({ request, url, address }: Arrival): boolean =>
  loopbackNames.has(url.hostname) &&
  isLoopback(address) &&
  forwardingHeaders.every((name) => request.headers.get(name) === null);

/** Node writes IPv4 addresses on an IPv6 socket as `::ffff:127.0.0.1`. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return plain === "local" || plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
