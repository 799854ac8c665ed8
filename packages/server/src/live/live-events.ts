import type { Signals } from "@mull/store/parts";
import type { UIChunk } from "@mull/ui-messages";

/** Something a turn said, and the number before it. */
export interface LiveEntry {
  readonly from: number;
  readonly chunks: readonly UIChunk[];
  /** The last entry. `cutAs`: what to tell a reader who has seen more than there is. */
  readonly isLast?: true;
  readonly cutAs?: UIChunk;
}

/** Follows a turn of another process. */
export interface LiveHearer {
  /** How far it has read. */
  readonly position: () => number;
  readonly onEntry: (entry: LiveEntry) => void;
  /** The store has news. */
  readonly onNews: () => void;
}

/**
 * How processes that share a store hear of each other's turns. The store stays the source of truth:
 * any of these messages may get lost, and the reader then reads the store.
 */
export interface LiveEvents {
  /**
   * What can be relied on right now. `events`: what turns say arrives by itself; `news`: changes to
   * the store are announced; `nothing`: look into the store.
   */
  readonly reach: () => "events" | "news" | "nothing";
  /** Sends what a turn of this process says. */
  readonly tell: (turnId: string, entry: LiveEntry) => void;
  /** Something of these turns of this process was stored. */
  readonly tellNews: (turnIds: readonly string[]) => void;
  /** Follows a turn of another process until you call the function it returns. */
  readonly follow: (turnId: string, hearer: LiveHearer) => () => void;
  /** Tells the process that runs a turn to look for stops. */
  readonly tellStop: (owner: string) => void;
  readonly onStop: (look: () => void) => void;
  readonly close: () => Promise<void>;
}

/** For a single process, or without a way to send messages: readers look into the store. */
export const noEvents: LiveEvents = {
  reach: () => "nothing",
  tell: () => undefined,
  tellNews: () => undefined,
  follow: () => () => undefined,
  tellStop: () => undefined,
  onStop: () => undefined,
  close: async () => undefined,
};

/** Followers repeat that they follow, so that a vanished one is forgotten. */
const followMs = 10_000;
const followedMs = 3 * followMs;
/** A notification has room for 8000 bytes. */
const idsInWord = 150;

/**
 * Wake-ups through the database. A notification costs every listening process something, and the
 * database a lock, so none is sent for a turn that nobody follows elsewhere.
 */
export function signalEvents(signals: Signals, owner: string): LiveEvents {
  const followed = new Map<string, number>();
  const hearers = new Map<string, LiveHearer>();
  const stops = new Set<() => void>();
  const send = (...words: readonly string[]): void => {
    signals.send(words.join(" ")).catch(() => undefined);
  };
  signals.hear((word) => {
    const [kind, ...ids] = word.split(" ");
    if (kind === "follow") for (const id of ids) followed.set(id, Date.now() + followedMs);
    else if (kind === "news") for (const id of ids) hearers.get(id)?.onNews();
    else if (kind === "stop" && ids[0] === owner) for (const look of stops) look();
  });
  const again = setInterval(() => {
    for (const [id, until] of followed) if (until < Date.now()) followed.delete(id);
    const ids = [...hearers.keys()];
    for (let at = 0; at < ids.length; at += idsInWord) {
      send("follow", ...ids.slice(at, at + idsInWord));
    }
  }, followMs).unref();

  return {
    reach: () => (signals.isHeard() ? "news" : "nothing"),
    tell: () => undefined,
    tellNews: (turnIds) => {
      const ids = turnIds.filter((id) => followed.has(id));
      for (let at = 0; at < ids.length; at += idsInWord) {
        send("news", ...ids.slice(at, at + idsInWord));
      }
    },
    follow: (turnId, hearer) => {
      hearers.set(turnId, hearer);
      send("follow", turnId);
      return () => {
        if (hearers.get(turnId) === hearer) hearers.delete(turnId);
      };
    },
    tellStop: (runner) => send("stop", runner),
    onStop: (look) => void stops.add(look),
    close: async () => clearInterval(again),
  };
}
