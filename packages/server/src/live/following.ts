import type { Store, Turn } from "@mull/store";
import type { LoopShare } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { createStoredChunks, cutOf, type StoredChunks } from "../turns/turn-chunks.ts";
import {
  createTurnLog,
  isDelta,
  lengthOf,
  type LogReader,
  type TurnLog,
} from "../turns/turn-log.ts";
import type { LiveEntry, LiveEvents } from "./live-events.ts";

/** Reads the turns of other processes. */
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
  /** Events that arrived before the ones they follow; the store has those. */
  early: LiveEntry[];
  readers: number;
  failure?: unknown;
  unfollow: () => void;
}

/** How often to look into the store, by what else can be relied on. */
const lookMs = { events: 1000, news: 500, nothing: 120 } as const;

/** If events are missing, how often to look until the store has them. */
const gapMs = 100;

/** One query for all turns that are followed here, however many readers they have. */
export function createFollowing(parts: FollowingParts): Following {
  const follower = new Follower(parts);
  return { read: (userId, turn, after) => follower.read(userId, turn, after) };
}

class Follower {
  readonly #parts: FollowingParts;
  readonly #followed = new Map<string, Followed>();
  /** Turns with announced news, or with a gap in their events. */
  readonly #wanted = new Set<string>();
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
  }

  read(userId: string, turn: Turn, after: number): LogReader {
    const known = this.#followed.get(turn.id);
    if (known !== undefined && known.userId !== userId) throw noSuch("turn");
    const each = known ?? this.#begin(userId, turn);
    const reader = each.log.read(after);
    each.readers++;
    let isLeft = false;
    return {
      async next() {
        const frames = await reader.next();
        // A client reconnects after a broken connection; it would believe a clean end.
        if (frames === undefined && each.failure !== undefined) throw each.failure;
        return frames;
      },
      cancel: () => {
        reader.cancel();
        if (!isLeft && --each.readers === 0) this.#drop(each);
        isLeft = true;
      },
    };
  }

  #begin(userId: string, turn: Turn): Followed {
    const each: Followed = {
      userId,
      turn,
      log: createTurnLog(this.#parts.loop),
      stored: createStoredChunks(userId, turn.id),
      storedUntil: 0,
      early: [],
      readers: 0,
      unfollow: () => undefined,
    };
    this.#followed.set(turn.id, each);
    each.unfollow = this.#parts.events.follow(turn.id, {
      position: each.log.position,
      onEntry: (entry) => this.#onEntry(each, entry),
      onNews: () => this.#lookAt(turn.id),
    });
    this.#lookAt(turn.id);
    return each;
  }

  #drop(each: Followed): void {
    each.unfollow();
    if (this.#followed.get(each.turn.id) === each) this.#followed.delete(each.turn.id);
  }

  #fail(each: Followed, failure: unknown): void {
    this.#drop(each);
    each.failure = failure;
    each.log.end();
  }

  #onEntry(each: Followed, entry: LiveEntry): void {
    each.early.push(entry);
    hear(each);
    if (each.log.isOver()) this.#drop(each);
    else if (each.early.length === 1) this.#lookAt(each.turn.id);
  }

  #lookAt(turnId: string): void {
    this.#wanted.add(turnId);
    this.#look(this.#wanted);
  }

  /** Looks at all followed turns, or at these. */
  #look(ids?: ReadonlySet<string>): void {
    if (this.#isLooking) return;
    const some = [...this.#followed.values()].filter(({ turn }) => ids?.has(turn.id) ?? true);
    this.#wanted.clear();
    if (some.length === 0) {
      this.#plan();
      return;
    }
    this.#isLooking = true;
    this.#take(some)
      .catch((error: unknown) => {
        // Events still arrive; the store is read when it is back.
        if (this.#parts.events.reach() === "events") return;
        for (const each of some) this.#fail(each, error);
      })
      .finally(() => {
        this.#isLooking = false;
        if (this.#wanted.size > 0) this.#look(this.#wanted);
        else this.#plan();
      });
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#followed.size === 0) return;
    const hasGap = [...this.#followed.values()].some(({ early }) => early.length > 0);
    const ms = Math.min(lookMs[this.#parts.events.reach()], hasGap ? gapMs : Infinity);
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  async #take(some: readonly Followed[]): Promise<void> {
    const { store, loop } = this.#parts;
    const missing = new Map(some.map((each) => [each.turn.id, each]));
    const news = await (await store()).readNews(some.map(({ stored }) => stored.place()));
    for (const one of news) {
      const each = missing.get(one.turn.id);
      missing.delete(one.turn.id);
      if (each === undefined || each.log.isOver()) continue;
      await loop.take();
      const chunks = each.stored.take(one);
      const from = each.storedUntil;
      for (const chunk of chunks) each.storedUntil += lengthOf(chunk);
      hear(each, { from, chunks });
      if (one.turn.state === "running" || each.log.isOver()) continue;
      this.#drop(each);
      each.log.end(cutOf(one.turn));
    }
    for (const gone of missing.values()) this.#fail(gone, noSuch("turn"));
  }
}

/**
 * Adds the new part of an entry, and of those that waited for it. An entry that comes too early
 * waits.
 */
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

/** The same number means the same place, from every source. */
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
