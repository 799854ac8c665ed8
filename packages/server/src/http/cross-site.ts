import type { RequestedUrl } from "./asked.ts";
import { loopbackNames } from "./direct.ts";
import { crossSite, foreignHost } from "./refusals.ts";

/** A page under another name that resolves to this machine isn't ours (DNS rebinding). */
export function checkHost(url: URL, hosts: readonly string[]): void {
  const isKnown =
    hosts.length === 0 ? loopbackNames.has(url.hostname) : hosts.includes(url.hostname);
  if (!isKnown) throw foreignHost();
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Browsers say where a request comes from, and pages can't change it. A request that changes
 * something without saying so is refused, cookie or not.
 */
export function checkOrigin(request: RequestedUrl, url: URL): void {
  if (safeMethods.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site !== null && site !== "same-origin") throw crossSite();
  if (origin !== null && !isSameHost(origin, url)) throw crossSite();
  if (site === null && origin === null) {
    throw crossSite(`Non-browser clients must send the header Origin: ${url.origin}`);
  }
}

/** Don't compare the scheme: behind a proxy that ends TLS, we only see http. */
const isSameHost = (origin: string, url: URL): boolean =>
  origin === `http://${url.host}` || (URL.canParse(origin) && new URL(origin).host === url.host);
