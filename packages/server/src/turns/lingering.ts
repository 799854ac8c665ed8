/** Keeps what is over for a while, for readers that come back. */
export interface Lingering {
  readonly add: (key: string) => void;
}

export interface LingeringOptions {
  readonly ms: number;
  /** Kept at most; who came first goes first. */
  readonly most: number;
  readonly drop: (key: string) => unknown;
  readonly now?: () => number;
}

/** One clock for all of them: a timer each would outlive by far what it is for. */
export function createLingering(options: LingeringOptions): Lingering {
  const { ms, most, drop, now = () => performance.now() } = options;
  const kept: { readonly key: string; readonly until: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const dropFirst = (): unknown => drop(kept.shift()!.key);
  const wait = (): void => {
    const [first] = kept;
    if (first !== undefined) timer ??= setTimeout(sweep, first.until - now()).unref();
  };
  const sweep = (): void => {
    timer = undefined;
    while (kept.length > 0 && kept[0]!.until <= now()) dropFirst();
    wait();
  };
  return {
    add(key) {
      kept.push({ key, until: now() + ms });
      while (kept.length > most) dropFirst();
      wait();
    },
  };
}
