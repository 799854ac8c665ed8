import type { createClient } from "@redis/client";
import type { LogEntry } from "../parts.ts";
import { isDelta, lengthOf } from "../turns/turn-log.ts";
import type { LiveEntry, LiveEvents, LiveHearer } from "./live-events.ts";

/** Blocking reads time out, so that a silently dead connection is noticed. */
const blockMs = 2000;
const longestPauseMs = 2000;

const newClient = (create: typeof createClient, url: string) =>
  create({
    url,
    name: "mull",
    RESP: 2,
    // What can't be sent now is in the store, and is read there.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 2 * blockMs,
      reconnectStrategy: (retries) => Math.min(longestPauseMs, 50 * 2 ** retries),
    },
    pingInterval: blockMs,
  });
type Client = ReturnType<typeof newClient>;

/** One frame on a screen: what is said within it travels together. */
const batchMs = 16;
/** Readers that are further behind read the store. */
const mostEntries = 2000;
const keptSeconds = 60;
const renewMs = 20_000;

export interface RedisOptions {
  readonly url: string;
  /** Identifies this process to the others. */
  readonly owner: string;
  readonly log: (entry: LogEntry) => void;
  readonly scrub: (text: string) => string;
}

const turnKey = (turnId: string): string => `mull:turn:${turnId}`;
const processKey = (owner: string): string => `mull:process:${owner}`;

/** What a turn has said since the last write. */
interface Pending {
  readonly from: number;
  readonly chunks: LiveEntry["chunks"][number][];
  end: number;
  last?: LiveEntry;
}

interface Heard {
  readonly hearer: LiveHearer;
  /** The id of the last entry that was read. */
  at: string;
}

/**
 * Sends events through Redis streams, one for each turn. An entry's id is the number after it, so a
 * reader asks for what follows its own number; an entry that is written twice is there once.
 */
export async function redisEvents(options: RedisOptions): Promise<LiveEvents> {
  const { owner } = options;
  const hearers = new Map<string, Heard>();
  const stops = new Set<() => void>();
  const { writer, reader, isUp } = await openClients(options, () => {
    // The store has what was said meanwhile.
    for (const heard of hearers.values()) heard.at = idOf(heard.hearer.position());
  });
  const publisher = createPublisher(writer);
  const own = processKey(owner);
  let ownAt = "0-0";
  const ending = new AbortController();

  const call = (runner: string, word: string): void => {
    if (isUp()) callProcess(writer, runner, word);
  };

  const readOnce = async (): Promise<void> => {
    const keys = [...hearers].map(([id, { at }]) => ({ key: turnKey(id), id: at }));
    const found = await reader.xRead([{ key: own, id: ownAt }, ...keys], { BLOCK: blockMs });
    for (const { name, messages } of found ?? []) {
      if (name === own) {
        ownAt = messages.at(-1)?.id ?? ownAt;
        if (messages.some(({ message }) => message["word"] === "stop"))
          for (const look of stops) look();
        continue;
      }
      const heard = hearers.get(name.slice(turnKey("").length));
      for (const { id, message } of heard === undefined ? [] : messages) {
        heard!.at = id;
        heard!.hearer.onEntry(JSON.parse(message["entry"] ?? "{}") as LiveEntry);
      }
    }
  };
  const readAlways = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const startedAt = performance.now();
      await (isUp() ? readOnce() : undefined)?.catch(() => undefined);
      // Reads single events together, and doesn't keep asking a Redis that is away.
      const restMs = (isUp() ? batchMs : 100) - (performance.now() - startedAt);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs).unref());
    }
  };
  void readAlways();
  let isCalling = false;

  return {
    reach: () => (isUp() ? "events" : "nothing"),
    tell: (turnId, entry) => {
      if (isUp()) publisher.tell(turnId, entry);
      else if (entry.isLast === true) publisher.forget(turnId);
    },
    tellNews: () => undefined,
    follow: (turnId, hearer) => {
      const heard = { hearer, at: idOf(hearer.position()) };
      hearers.set(turnId, heard);
      if (!isCalling) {
        isCalling = true;
        setImmediate(() => {
          isCalling = false;
          call(owner, "look");
        });
      }
      return () => {
        if (hearers.get(turnId) === heard) hearers.delete(turnId);
      };
    },
    tellStop: (runner) => call(runner, "stop"),
    onStop: (look) => void stops.add(look),
    close: async () => {
      ending.abort();
      await publisher.flush().catch(() => undefined);
      for (const client of [writer, reader]) client.destroy();
    },
  };
}

function callProcess(writer: Client, runner: string, word: string): void {
  const key = processKey(runner);
  writer
    .multi()
    .xAdd(key, "*", { word }, { TRIM: { strategy: "MAXLEN", threshold: 100 } })
    .expire(key, keptSeconds)
    .exec()
    .catch(() => undefined);
}

/** An entry by its number: content that ends there, or the mark that nothing follows. */
const idOf = (end: number, isLast = false): string => `${end}-${isLast ? 1 : 0}`;

interface Clients {
  readonly writer: Client;
  /** This connection mostly waits on the server, so nothing else can use it. */
  readonly reader: Client;
  readonly isUp: () => boolean;
}

/** Loaded only if an address is set. */
async function openClients(
  { url, log, scrub }: RedisOptions,
  onBack: () => void,
): Promise<Clients> {
  const redis = await import("@redis/client");
  const [writer, reader] = [newClient(redis.createClient, url), newClient(redis.createClient, url)];
  let isKnownAway = false;
  const isUp = (): boolean => writer.isReady && reader.isReady;
  const seeAway = (error: unknown): void => {
    if (isKnownAway) return;
    isKnownAway = true;
    log({
      event: "redis-away",
      error: scrub(String(error)),
      now: "events travel through Postgres",
    });
  };
  const seeReady = (): void => {
    if (!isUp()) return;
    onBack();
    if (isKnownAway) log({ event: "redis-back" });
    isKnownAway = false;
  };
  for (const client of [writer, reader]) {
    client.on("error", seeAway);
    client.on("ready", seeReady);
    client.connect().catch(seeAway);
  }
  return { writer, reader, isUp };
}

interface Publisher {
  readonly tell: (turnId: string, entry: LiveEntry) => void;
  /** The turn ended while Redis was away. */
  readonly forget: (turnId: string) => void;
  readonly flush: () => Promise<void>;
}

/** One write for what all turns said within a frame. */
function createPublisher(writer: Client): Publisher {
  let pending = new Map<string, Pending>();
  /** How often the expiry of running turns' streams is renewed. */
  const renewAt = new Map<string, number>();
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let flushedAt = -Infinity;

  const flush = async (): Promise<void> => {
    timer = undefined;
    flushedAt = performance.now();
    const all = pending;
    pending = new Map();
    const batch = writer.multi();
    for (const [turnId, { from, chunks, end, last }] of all) {
      const key = turnKey(turnId);
      const entry = JSON.stringify({ ...last, from, chunks });
      const trim = { TRIM: { strategy: "MAXLEN", strategyModifier: "~", threshold: mostEntries } };
      batch.xAdd(key, idOf(end, last !== undefined), { entry }, trim as object);
      if ((renewAt.get(turnId) ?? 0) < flushedAt || last !== undefined) {
        renewAt.set(turnId, flushedAt + renewMs);
        batch.expire(key, keptSeconds);
      }
      if (last !== undefined) renewAt.delete(turnId);
    }
    await batch.execAsPipeline();
  };
  const go = (): void => void flush().catch(() => undefined);
  const plan = (): void => {
    if (timer !== undefined) return;
    const restMs = flushedAt + batchMs - performance.now();
    timer = restMs > 0 ? setTimeout(go, restMs) : setImmediate(go);
  };

  return {
    flush,
    forget: (turnId) => void renewAt.delete(turnId),
    tell: (turnId, entry) => {
      const known = pending.get(turnId);
      const into = known ?? { from: entry.from, chunks: [], end: entry.from };
      if (known === undefined) pending.set(turnId, into);
      for (const chunk of entry.chunks) {
        into.end += lengthOf(chunk);
        const before = into.chunks.at(-1);
        const isMore = before !== undefined && isDelta(chunk) && isDelta(before);
        if (isMore && before.id === chunk.id && before.type === chunk.type) {
          into.chunks[into.chunks.length - 1] = { ...before, delta: before.delta + chunk.delta };
        } else into.chunks.push(chunk);
      }
      if (entry.isLast === true) into.last = entry;
      plan();
    },
  };
}
