import type { UIChunk } from "@mull/ui-messages";

/** Something a turn said, and the number before it. */
export interface LiveEntry {
  readonly from: number;
  readonly chunks: readonly UIChunk[];
  /** The last one. `cutAs`: what a reader hears who was told more than there is. */
  readonly isLast?: true;
  readonly cutAs?: UIChunk;
}

/** What follows a turn of another process. */
export interface LiveHearer {
  /** How far it has heard. */
  readonly position: () => number;
  readonly onEntry: (entry: LiveEntry) => void;
  /** There is news in the store. */
  readonly onNews: () => void;
}

/**
 * How processes that share a store hear of each other's turns. The store stays the source of truth:
 * everything said here may be lost, and is read there then.
 */
export interface LiveEvents {
  /**
   * What can be relied on at the moment. `events`: what turns say comes by itself; `news`: what is
   * stored is announced; `nothing`: somebody must look.
   */
  readonly reach: () => "events" | "news" | "nothing";
  /** What a turn of this process says. */
  readonly tell: (turnId: string, entry: LiveEntry) => void;
  /** Something of these turns of this process was stored. */
  readonly tellNews: (turnIds: readonly string[]) => void;
  /** Hears a turn of another process until the returned function is called. */
  readonly follow: (turnId: string, hearer: LiveHearer) => () => void;
  /** Makes the process that runs a turn look for stops. */
  readonly tellStop: (owner: string) => void;
  readonly onStop: (look: () => void) => void;
  readonly close: () => Promise<void>;
}

/** For a process on its own, and where nothing travels: whoever follows looks into the store. */
export const noEvents: LiveEvents = {
  reach: () => "nothing",
  tell: () => undefined,
  tellNews: () => undefined,
  follow: () => () => undefined,
  tellStop: () => undefined,
  onStop: () => undefined,
  close: async () => undefined,
};
