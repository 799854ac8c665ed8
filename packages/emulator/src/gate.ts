/** Who may use an emulator on a port. */
export interface EmulatorGate {
  /** Origins let in beside the pages of this machine, e.g. `http://app.test:3000`. */
  readonly origins: readonly string[];
  /** Host names it answers to besides those of this machine, e.g. `emulator` in a network of containers. */
  readonly hosts: readonly string[];
  /** Answers everyone: pages of any site, and any host name unless `hosts` lists some. */
  readonly isOpen: boolean;
}

/** The headers of a request that say which page asks, and which host is asked. */
export interface Visitor {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

const isOfThisMachine = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
};

export interface Shut {
  readonly status: 403 | 421;
  readonly message: string;
}

const foreignPage = (origin: string): Shut => ({
  status: 403,
  message: `Pages of ${origin} may not use this emulator. Allowed: pages of this machine, and those that \`origins\` names.`,
});

const foreignHost = (host: string): Shut => ({
  status: 421,
  message: `This emulator does not answer for ${host}. Allowed: localhost, 127.0.0.1, [::1], and the names in \`hosts\` (mull emulate --host-name).`,
});

/** Only old HTTP/1.0 programs send no host: every browser names the host it asks. */
function isKnownHost(host: string | undefined, { hosts, isOpen }: EmulatorGate): boolean {
  if (host === undefined || (isOpen && hosts.length === 0)) return true;
  const address = `http://${host}`;
  if (isOfThisMachine(address)) return true;
  return URL.canParse(address) && hosts.includes(new URL(address).hostname);
}

/**
 * Why a request is refused; `undefined` lets it in. The trap: any site that a developer visits can send
 * requests to loopback. A site whose own name resolves to 127.0.0.1 is same-origin to the browser, which
 * then sends no `origin` header. Such a page is recognised by the host name that it asks for.
 */
export const whyShut = (visitor: Visitor, gate: EmulatorGate): Shut | undefined => {
  const { origin, host } = visitor;
  if (!isKnownHost(host, gate)) return foreignHost(`${host}`);
  if (origin === undefined || gate.isOpen) return undefined;
  return isOfThisMachine(origin) || gate.origins.includes(origin) ? undefined : foreignPage(origin);
};
