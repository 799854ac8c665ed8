import type { Store } from "@mull/store";

export interface Revocations {
  /** Calls `end` when the session is closed; returns what stops that. */
  readonly follow: (session: string, end: () => void) => () => void;
  /** Ends the streams of sessions that were closed, anywhere, and the turns of accounts that are gone. */
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
 * A stream that was begun before a sign-out would show its words to anyone who sits at that screen
 * now. Every process asks the store for all of its readers at once: the session may have been
 * closed in another one.
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
