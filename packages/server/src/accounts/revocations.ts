import type { Store } from "@mull/store";

export interface Revocations {
  /** Calls `end` when the session is closed. Returns a function that stops watching. */
  readonly follow: (session: string, end: () => void) => () => void;
  /**
   * Ends the streams of sessions that were closed in any process, and the turns of deleted
   * accounts.
   */
  readonly check: () => Promise<void>;
}

export interface RevocationParts {
  readonly store: () => Promise<Pick<Store, "findGone">>;
  readonly running: () => readonly {
    readonly userId: string;
    readonly stop: (why: "user") => void;
  }[];
}

/**
 * A stream that started before a sign-out would go on showing words to anyone at that screen. Each
 * process asks the store about all of its readers at once, because another process may have closed
 * the session.
 */
export function createRevocations({ store, running }: RevocationParts): Revocations {
  const readers = new Map<string, Set<() => void>>();
  return {
    follow(session, end) {
      const ends = readers.get(session) ?? new Set();
      readers.set(session, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && readers.get(session) === ends) readers.delete(session);
      };
    },
    async check() {
      const sessions = [...readers.keys()];
      const users = [...new Set(running().map(({ userId }) => userId))];
      if (sessions.length === 0 && users.length === 0) return;
      const gone = await (await store()).findGone({ sessions, users });
      for (const session of gone.sessions) for (const end of readers.get(session) ?? []) end();
      for (const turn of running()) if (gone.users.includes(turn.userId)) turn.stop("user");
    },
  };
}
