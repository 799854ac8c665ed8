/** Gives a line back. */
export type Release = () => void;

/** The lines that all tabs of a browser have together. */
export interface Lines {
  /** `undefined`: all of them are taken. */
  readonly take: () => Promise<Release | undefined>;
}

/** Of the six connections that a browser makes to a server; what is asked and stopped needs the rest. */
const mostLines = 4;

export const manyLines: Lines = { take: async () => () => undefined };

type Locks = Pick<LockManager, "request">;

/** Tabs that are in sight together, each in a window of its own, share the lines by locks of the browser. */
export const shareLines = (locks: Locks): Lines => ({
  take: async () => {
    for (let nth = 0; nth < mostLines; nth++) {
      const release = await takeLock(locks, `mull.line.${nth}`);
      if (release !== undefined) return release;
    }
    return undefined;
  },
});

const takeLock = (locks: Locks, name: string): Promise<Release | undefined> =>
  new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<void> =>
      new Promise((release) => {
        resolve(lock === null ? undefined : release);
        if (lock === null) release();
      });
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => undefined));
  });

/** The browser, as far as it says how it reaches the server. */
export interface LineWorld {
  readonly navigator?: { readonly locks?: Locks };
  readonly performance: Pick<Performance, "getEntriesByType">;
}

/** Over HTTP/2 there is room for as many as anybody opens. What came from the cache does not say how. */
const isMultiplexed = ({ performance }: LineWorld): boolean =>
  ["navigation", "resource"]
    .flatMap((type) => performance.getEntriesByType(type))
    .some((entry) => "nextHopProtocol" in entry && /^h[23]/.test(String(entry.nextHopProtocol)));

export function openLines(world: LineWorld): Lines {
  // A page that came without TLS from another machine has no locks.
  const locks = world.navigator?.locks;
  if (locks === undefined) return manyLines;
  const shared = shareLines(locks);
  return { take: () => (isMultiplexed(world) ? manyLines : shared).take() };
}
