import type { Loaded, Stage } from "../children.ts";
import { newConversation, streamOf } from "../client.ts";
import { startDatabases } from "../databases.ts";
import { follow } from "../follow.ts";
import { ms, pause, quantile, type Line, type Row } from "../row.ts";
import { createStampReader, sharedClock } from "../stamps.ts";

const perSecond = 30;
const seconds = 12;
const events = perSecond * seconds;
const followers = 100;
const resumes = 20;

interface Following {
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
  /**
   * From requesting a stream that nobody follows there to the first event that was said after the
   * request.
   */
  readonly first: readonly number[];
}

const streamPath = (conversation: string): string => `/api/chat/${conversation}/stream?after=0`;

/** A turn on one process, with its readers on another. */
async function measureFollowers(here: Loaded, there: Loaded): Promise<Following> {
  const conversation = newConversation();
  const script = { kind: "paced", events, perSecond } as const;
  const asked = follow(here, streamOf(here, script, conversation), () => undefined);
  await pause(1000);
  const lags: number[] = [];
  let lost = 0;
  const readers = Array.from({ length: followers }, async () => {
    const from = sharedClock();
    let came = 0;
    const read = createStampReader((stamp) => {
      came++;
      if (stamp > from) lags.push((sharedClock() - stamp) / 1000);
    });
    await follow(there, { method: "GET", path: streamPath(conversation) }, read);
    lost += events - came;
  });
  await Promise.all([asked, ...readers]);
  const first = await measureFirst(here, there);
  return { lost, p50: quantile(lags, 0.5), p99: quantile(lags, 0.99), first };
}

/** Each turn has one reader, who arrives in the middle of its only block. */
async function measureFirst(here: Loaded, there: Loaded): Promise<readonly number[]> {
  const firsts: number[] = [];
  const each = async (): Promise<void> => {
    const conversation = newConversation();
    const script = { kind: "paced", events: 150, perSecond } as const;
    const asked = follow(here, streamOf(here, script, conversation), () => undefined);
    await pause(1500);
    const from = sharedClock();
    let isFirst = true;
    const read = createStampReader((stamp) => {
      if (stamp <= from || !isFirst) return;
      isFirst = false;
      firsts.push((sharedClock() - from) / 1000);
    });
    await Promise.all([
      asked,
      follow(there, { method: "GET", path: streamPath(conversation) }, read),
    ]);
  };
  await Promise.all(
    Array.from({ length: resumes }, async (_, at) => {
      await pause(at * 100);
      await each();
    }),
  );
  return firsts;
}

function linesOf(way: string, found: Following, most: { lag: number; first: number }): Line[] {
  const { lost, p50, p99, first } = found;
  const firstMs = quantile(first, 0.5);
  return [
    {
      measure: `${followers} followers on another process, ${way}, lag`,
      mull: `p50 ${ms(p50)}, p99 ${ms(p99)}, ${lost} lost`,
      beside: "",
      ratio: "",
      target: `0 lost, p50 ≤ ${most.lag} ms`,
      holds: lost === 0 && p50 <= most.lag,
    },
    {
      measure: `taken up on another process in mid block, ${way}, first event`,
      mull: `p50 ${ms(firstMs)}, longest of ${first.length} ${ms(Math.max(...first))}`,
      beside: "",
      ratio: "",
      target: `p50 ≤ ${most.first} ms`,
      holds: first.length === resumes && firstMs <= most.first,
    },
  ];
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const databases = await startDatabases();
  if (databases === undefined) return [];
  const lines: Line[] = [];
  try {
    const { postgres, redis } = databases;
    const upstream = (await stage.start({ kind: "upstream" })).port;
    for (const way of ["with Redis", "without Redis"] as const) {
      const hasRedis = way === "with Redis";
      if (hasRedis && redis === undefined) continue;
      const url = redis?.url ?? "";
      const plan = {
        kind: "mull",
        upstream,
        postgres: postgres.url,
        ...(hasRedis && { redis: url }),
      } as const;
      const here = await stage.start(plan);
      const there = await stage.start(plan, here.cookie);
      await measureFirst(here, there);
      const most = hasRedis ? { lag: 50, first: 150 } : { lag: 600, first: 600 };
      lines.push(...linesOf(way, await measureFollowers(here, there), most));
      await Promise.all([here.kill(), there.kill()]);
    }
    return lines;
  } finally {
    await stage.clear();
    await databases.end();
  }
}

export const followersRow: Row = { name: "followers", run };
