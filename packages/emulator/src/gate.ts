/** Who may use an emulator on a port. */
export interface EmulatorGate {
  /** Origins let in beside the pages of this machine, e.g. `http://app.test:3000`. */
  readonly origins: readonly string[];
  /** Names it answers for beside those of this machine, e.g. `emulator` in a network of containers. */
  readonly hosts: readonly string[];
  /** Lets in everybody: pages of any site, and any name that is asked for, unless `hosts` has some. */
  readonly isOpen: boolean;
}

/** The headers of a request that tell who asks, and whom. */
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

/** `undefined` comes from programs of an older HTTP alone: every browser names whom it asks. */
function isKnownHost(host: string | undefined, { hosts, isOpen }: EmulatorGate): boolean {
  if (host === undefined || (isOpen && hosts.length === 0)) return true;
  const address = `http://${host}`;
  if (isOfThisMachine(address)) return true;
  return URL.canParse(address) && hosts.includes(new URL(address).hostname);
}

/**
 * Why a request is sent away; `undefined` lets it in. Any site a developer visits can reach
 * loopback, and one that has its own name point there is no stranger to the browser, which then
 * says nothing of where the page comes from: it is known by the host it asks for.
 */
export const whyShut = (visitor: Visitor, gate: EmulatorGate): Shut | undefined => {
  const { origin, host } = visitor;
  if (!isKnownHost(host, gate)) return foreignHost(`${host}`);
  if (origin === undefined || gate.isOpen) return undefined;
  return isOfThisMachine(origin) || gate.origins.includes(origin) ? undefined : foreignPage(origin);
};
