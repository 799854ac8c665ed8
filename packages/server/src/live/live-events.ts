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
