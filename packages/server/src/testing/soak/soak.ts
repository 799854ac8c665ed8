import { setTimeout as sleep } from "node:timers/promises";
import { pgDriver, postgresStore, type Store } from "@mull/store";
import { seededRandom } from "@mull/store/testing";
import { askOn, type Asked } from "./asker.ts";
import type { Fleet } from "./fleet.ts";
import { judge, type Kept, type Verdict } from "./judge.ts";

export interface SoakOptions {
  readonly seconds: number;
  readonly askers: number;
  readonly seed: number;
  /** Called with what is done to the servers. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface SoakReport extends Verdict {
  readonly seconds: number;
  readonly kills: number;
  /** Servers whose log said that Redis was gone, and that it was back. */
  readonly saidAway: number;
  readonly saidBack: number;
  readonly servers: number;
  readonly hasRedis: boolean;
}

const killEverySeconds = 20;

/**
 * Keeps asking while servers are killed and Postgres and Redis are restarted; then checks what is
 * stored.
 */
export async function soak(fleet: Fleet, options: SoakOptions): Promise<SoakReport> {
  const { seconds, askers, say } = options;
  const random = seededRandom(options.seed);
  const noted: Asked[] = [];
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  let isOver = false;
  const asking = Promise.all(
    Array.from({ length: askers }, () =>
      askOn(
        {
          url: fleet.url,
          random,
          leaves: 0.3,
          perTalk: 8,
          events: { least: 15, most: 300 },
          isOver: () => isOver,
          signal,
        },
        noted,
      ).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    ),
  );
  // Checked once the trouble is over.
  asking.catch(() => undefined);
  const kills = await makeTrouble(fleet, options, random);
  isOver = true;
  say(`${noted.length} questions; waiting for the last answers`);
  const patience = setTimeout(() => ending.abort(), 120_000);
  await asking;
  clearTimeout(patience);
  const verdict = await lookAt(fleet, noted);
  const said = (event: string): number =>
    fleet.servers.filter((server) => server.said().includes(event)).length;
  if (fleet.redis !== undefined) {
    await waitUntil(async () => said("redis-back") === fleet.servers.length);
  }
  return {
    ...verdict,
    seconds,
    kills,
    saidAway: said("redis-away"),
    saidBack: said("redis-back"),
    servers: fleet.servers.length,
    hasRedis: fleet.redis !== undefined,
  };
}

/** A disturbance, in seconds from the start. */
interface Trouble {
  readonly at: number;
  readonly what: "kill" | "postgres" | "redis-away" | "redis-back";
}

/**
 * Postgres crashes between two kills: text that is read meanwhile isn't stored yet, and would be
 * lost by design.
 */
export function planTrouble(seconds: number): readonly Trouble[] {
  const kills: Trouble[] = [];
  for (let at = killEverySeconds / 2; at < seconds; at += killEverySeconds) {
    kills.push({ at, what: "kill" });
  }
  const middle = Math.max(0, Math.floor(kills.length / 2) - 1);
  const after = (nth: number, more: number): number =>
    Math.min(seconds, killEverySeconds * (nth + 0.5) + more);
  const others: readonly Trouble[] = [
    { at: after(middle, 8), what: "postgres" },
    { at: after(middle + 1, 8), what: "redis-away" },
    { at: after(middle + 2, 5), what: "redis-back" },
  ];
  return [...kills, ...others].toSorted((a, b) => a.at - b.at);
}

/** Returns how many servers were killed. */
async function makeTrouble(
  fleet: Fleet,
  { seconds, say, signal }: SoakOptions,
  random: () => number,
): Promise<number> {
  const { servers, postgres, redis } = fleet;
  const startedAt = performance.now();
  const passed = (): number => (performance.now() - startedAt) / 1000;
  let kills = 0;
  const work: Readonly<Record<Trouble["what"], () => Promise<unknown>>> = {
    kill: () => {
      kills++;
      return servers.at(random() * servers.length)!.crash();
    },
    postgres: async () => {
      await postgres.stop("immediate");
      await postgres.start();
    },
    "redis-away": async () => redis?.stop(),
    "redis-back": fleet.startRedis,
  };
  for (const { at, what } of planTrouble(seconds)) {
    await sleep(Math.max(0, (at - passed()) * 1000), undefined, { signal });
    say(`${passed().toFixed(0)} s: ${what}`);
    await work[what]();
  }
  await sleep(Math.max(0, (seconds - passed()) * 1000), undefined, { signal });
  return kills;
}

/** Wait until nothing runs any more: other processes end the turns of killed ones. */
export async function lookAt(fleet: Fleet, noted: readonly Asked[]): Promise<Verdict> {
  const store = await postgresStore(pgDriver(fleet.postgres.url));
  try {
    const owners = new Map(noted.map(({ conversation, userId }) => [conversation, userId]));
    const kept = new Map<string, Kept>();
    for (const [conversation, userId] of owners) {
      kept.set(conversation, await readEnded(store, userId, conversation));
    }
    const nothing: Kept = { messages: [], turns: [] };
    return judge(noted, (conversation) => kept.get(conversation) ?? nothing);
  } finally {
    await store.close();
  }
}

async function readEnded(store: Store, userId: string, conversation: string): Promise<Kept> {
  let turns: Kept["turns"] = [];
  await waitUntil(async () => {
    turns = await store.listTurns(userId, conversation);
    return turns.every(({ state }) => state !== "running");
  });
  return { turns, messages: await store.listMessages(userId, conversation) };
}

/** Wait at most a minute; what still runs then shows in the figures. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await isSo()) && performance.now() < until) await sleep(100);
}
