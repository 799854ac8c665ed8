import type { Store } from "@mull/store";
import type { LogEntry } from "../parts.ts";
import { noEvents, signalEvents, type LiveEvents } from "./live-events.ts";
import { redisEvents } from "./redis-events.ts";

export interface EventsParts {
  readonly store: Promise<Store>;
  /** Other processes use the store. */
  readonly isShared: boolean;
  readonly redisUrl?: string;
  readonly log: (entry: LogEntry) => void;
  readonly scrub: (text: string) => string;
}

/** How this process hears of turns elsewhere. It hears nothing until its store is open. */
export function openEvents(parts: EventsParts): LiveEvents {
  let events = noEvents;
  let isOver = false;
  const looks = new Set<() => void>();
  const open = async (store: Store): Promise<void> => {
    const found = await choose(parts, store);
    for (const look of looks) found.onStop(look);
    if (isOver) await found.close();
    else events = found;
  };
  const say = (error: unknown): void =>
    parts.log({ event: "events-broken", error: parts.scrub(String(error)) });
  // A store that can't be opened is somebody else's news.
  parts.store.then(
    (store) => open(store).catch(say),
    () => undefined,
  );
  return {
    reach: () => events.reach(),
    tell: (turnId, entry) => events.tell(turnId, entry),
    tellNews: (turnIds) => events.tellNews(turnIds),
    follow: (turnId, hearer) => events.follow(turnId, hearer),
    tellStop: (owner) => events.tellStop(owner),
    onStop: (look) => {
      looks.add(look);
      events.onStop(look);
    },
    close: async () => {
      isOver = true;
      await events.close();
    },
  };
}

async function choose(
  { isShared, redisUrl: url, log, scrub }: EventsParts,
  { owner, signals }: Store,
): Promise<LiveEvents> {
  if (url !== undefined) return redisEvents({ url, owner, log, scrub });
  return isShared && signals !== undefined ? signalEvents(signals, owner) : noEvents;
}
