/** Which pages in a browser may use an emulator on a port. */
export interface EmulatorGate {
  /** Origins let in beside the pages of this machine, e.g. `http://app.test:3000`. */
  readonly origins: readonly string[];
  /** Lets in everybody. */
  readonly isOpen: boolean;
}

/** The headers of a request that tell a page from a program. */
export interface Visitor {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** `Sec-Fetch-Site`: sent by every browser, by nothing else. */
  readonly site: string | undefined;
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

const shut = (status: Shut["status"], page: string): Shut => ({
  status,
  message: `Pages of ${page} may not use this emulator. Allowed: pages of this machine, and those that \`origins\` names.`,
});

/**
 * Why a page is sent away; `undefined` lets it in. Any site a developer visits can reach loopback,
 * and one that has its own name point there is no stranger to the browser: it is known by its host.
 */
export const whyShut = (visitor: Visitor, { origins, isOpen }: EmulatorGate): Shut | undefined => {
  const { origin, host, site } = visitor;
  if (isOpen) return undefined;
  if (origin !== undefined) {
    return isOfThisMachine(origin) || origins.includes(origin) ? undefined : shut(403, origin);
  }
  return site === undefined || isOfThisMachine(`http://${host}`) ? undefined : shut(421, `${host}`);
};
