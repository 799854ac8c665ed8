/** Whether somebody looks at the page, or it has a reason of its own to go on reading. */
export interface Sight {
  readonly isAway: () => boolean;
  /** Calls back when nobody looks any more; returns what ends that. */
  readonly onAway: (cut: () => void) => () => void;
  /** Resolves when somebody looks again, or the reader leaves. */
  readonly untilBack: (signal: AbortSignal) => Promise<void>;
}

type Watched = Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;

/**
 * A browser makes six connections to a server that speaks HTTP/1.1, for all tabs together: the
 * seventh one that follows an answer would wait for ever. So a tab out of sight lets go of its line.
 */
export function watchSight(page: Watched, isWaitedFor: () => boolean): Sight {
  const isAway = (): boolean => page.visibilityState === "hidden" && !isWaitedFor();
  const listen = (onChange: () => void): (() => void) => {
    page.addEventListener("visibilitychange", onChange);
    return () => page.removeEventListener("visibilitychange", onChange);
  };
  return {
    isAway,
    onAway: (cut) =>
      listen(() => {
        if (isAway()) cut();
      }),
    untilBack: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          stop();
          signal.removeEventListener("abort", done);
          resolve();
        };
        const stop = listen(() => {
          if (!isAway()) done();
        });
        signal.addEventListener("abort", done);
        if (signal.aborted || !isAway()) done();
      }),
  };
}
