import type { Store, Turn } from "@mull/store";
import type { LoopShare } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { createStoredChunks, type StoredChunks } from "../turns/stored-chunks.ts";
import { cutOf } from "../turns/turn-chunks.ts";
import {
  createTurnLog,
  isDelta,
  lengthOf,
  type LogReader,
  type TurnLog,
} from "../turns/turn-log.ts";
import type { LiveEntry, LiveEvents } from "./live-events.ts";

/** Turns of other processes, read here. */
export interface Following {
  readonly read: (userId: string, turn: Turn, after: number) => LogReader;
}

export interface FollowingParts {
  readonly store: () => Promise<Store>;
  readonly events: LiveEvents;
  readonly loop: LoopShare;
}

/** A turn that somebody here follows. All of its readers share one log. */
interface Followed {
  readonly userId: string;
  readonly turn: Turn;
  readonly log: TurnLog;
  readonly stored: StoredChunks;
  /** The number up to which the store was read. */
  storedUntil: number;
  /** Heard before what comes before it, which is then read from the store. */
  early: LiveEntry[];
  readers: number;
  failure?: unknown;
  unfollow: () => void;
}

/** How often the store is looked at, by what can be relied on beside it. */
const lookMs = { events: 1000, news: 500, nothing: 120 } as const;

/** Where events are missing, until the store has what was in them. */
const gapMs = 100;

/** One look at the store for all turns that are followed here, however many read them. */
export function createFollowing({ store, events, loop }: FollowingParts): Following {
  const followed = new Map<string, Followed>();
  /** Turns whose news somebody announced, or whose events have a gap. */
  const wanted = new Set<string>();
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (each: Followed): void => {
    each.unfollow();
    if (followed.get(each.turn.id) === each) followed.delete(each.turn.id);
  };
  const fail = (each: Followed, failure: unknown): void => {
    drop(each);
    each.failure = failure;
    each.log.end();
  };
  const look = async (some: readonly Followed[]): Promise<void> => {
    const all = new Map(some.map((each) => [each.turn.id, each]));
    const news = await (await store()).readNews(some.map(({ stored }) => stored.place()));
    for (const one of news) {
      const each = all.get(one.turn.id);
      all.delete(one.turn.id);
      if (each === undefined || each.log.isOver()) continue;
      await loop.take();
      const chunks = each.stored.take(one);
      const from = each.storedUntil;
      for (const chunk of chunks) each.storedUntil += lengthOf(chunk);
      hear(each, { from, chunks });
      if (one.turn.state !== "running" && !each.log.isOver()) {
        drop(each);
        each.log.end(cutOf(one.turn));
      }
    }
    for (const gone of all.values()) fail(gone, noSuch("turn"));
  };
  const lookNow = (ids?: Iterable<string>): void => {
    for (const id of ids ?? []) wanted.add(id);
    if (isLooking) return;
    const some = [...followed.values()].filter(
      ({ turn }) => ids === undefined || wanted.has(turn.id),
    );
    wanted.clear();
    if (some.length === 0) return plan();
    isLooking = true;
    look(some)
      .catch((error: unknown) => {
        // What turns say still comes: the store is read when it is back.
        if (events.reach() !== "events") for (const each of some) fail(each, error);
      })
      .finally(() => {
        isLooking = false;
        if (wanted.size > 0) lookNow([]);
        else plan();
      });
  };
  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (followed.size === 0) return;
    const hasGap = [...followed.values()].some(({ early }) => early.length > 0);
    const ms = Math.min(lookMs[events.reach()], hasGap ? gapMs : Infinity);
    timer = setTimeout(() => lookNow(), ms).unref();
  };

  const onEntry = (each: Followed, entry: LiveEntry): void => {
    each.early.push(entry);
    hear(each);
    if (each.early.length === 1) lookNow([each.turn.id]);
    if (each.log.isOver()) drop(each);
  };
  const begin = (userId: string, turn: Turn): Followed => {
    const each: Followed = {
      userId,
      turn,
      log: createTurnLog(loop),
      stored: createStoredChunks(userId, turn.id),
      storedUntil: 0,
      early: [],
      readers: 0,
      unfollow: () => undefined,
    };
    followed.set(turn.id, each);
    each.unfollow = events.follow(turn.id, {
      position: each.log.position,
      onEntry: (entry) => onEntry(each, entry),
      onNews: () => lookNow([turn.id]),
    });
    lookNow([turn.id]);
    return each;
  };

  return {
    read(userId, turn, after) {
      const known = followed.get(turn.id);
      if (known !== undefined && known.userId !== userId) throw noSuch("turn");
      const each = known ?? begin(userId, turn);
      const reader = each.log.read(after);
      each.readers++;
      let isLeft = false;
      return {
        async next() {
          const frames = await reader.next();
          // A broken line is taken up again; an end would be believed.
          if (frames === undefined && each.failure !== undefined) throw each.failure;
          return frames;
        },
        cancel() {
          reader.cancel();
          if (!isLeft && --each.readers === 0) drop(each);
          isLeft = true;
        },
      };
    },
  };
}

/** Adds what is new of an entry, and of those that waited for it. What comes too early waits. */
function hear(each: Followed, stored?: LiveEntry): void {
  const { log } = each;
  if (stored !== undefined) add(log, stored);
  while (!log.isOver()) {
    const [next] = each.early;
    if (next === undefined || next.from > log.position()) return;
    each.early.shift();
    add(log, next);
    if (next.isLast === true) log.end(next.cutAs);
  }
}

/** The same number means the same place, whoever tells of it. */
function add(log: TurnLog, { from, chunks }: LiveEntry): void {
  let at = from;
  for (const chunk of chunks) {
    const known = log.position() - at;
    const length = lengthOf(chunk);
    at += length;
    if (known >= length) continue;
    log.append(known > 0 && isDelta(chunk) ? { ...chunk, delta: chunk.delta.slice(known) } : chunk);
  }
}
