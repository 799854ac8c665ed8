import { isIPv4 } from "node:net";
import type { RequestedUrl } from "./asked.ts";

/** Names under which a browser reaches the machine it runs on. */
export const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What proxies and tunnels add. One that adds nothing is why a link is needed as well. */
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

/** Whether it was sent on this machine, to this machine, by nobody in between who says so. */
export const isDirect = ({ request, url, address }: Arrival): boolean =>
  loopbackNames.has(url.hostname) &&
  isLoopback(address) &&
  forwardingHeaders.every((name) => request.headers.get(name) === null);

/** Node writes addresses of IPv4 on a socket of IPv6 as `::ffff:127.0.0.1`. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return plain === "local" || plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
