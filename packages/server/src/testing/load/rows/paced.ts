import type { Loaded, Stage } from "../children.ts";
import { newConversation, repeat, streamOf } from "../client.ts";
import { follow } from "../follow.ts";
import { count, ms, quantile, type Line, type Row } from "../row.ts";
import { createStampReader, sharedClock } from "../stamps.ts";

const perSecond = 30;
const seconds = 10;
const events = perSecond * seconds;

interface Delays {
  /** Whether all streams were open at the same time. */
  readonly isTogether: boolean;
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
  /** Share of one processor that the main thread used. */
  readonly busy: number;
}

/**
 * This many streams at once, each with an event every 33 ms. Delays count while all of them run.
 */
export async function measureDelays(server: Loaded, streams: number): Promise<Delays> {
  const writtenAt: number[] = [];
  const seenAt: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let lost = 0;
  const before = await server.read();
  const startedAt = sharedClock();
  await repeat(streams, streams, async (at) => {
    // Not all at once: real readers don't arrive like that.
    await new Promise((resolve) => {
      setTimeout(resolve, (at / streams) * 2000);
    });
    let came = 0;
    const read = createStampReader((stamp) => {
      const now = sharedClock();
      if (came++ === 0) starts.push(now);
      writtenAt.push(stamp);
      seenAt.push(now);
    });
    const script = { kind: "paced", events, perSecond } as const;
    await follow(server, streamOf(server, script, newConversation()), read);
    ends.push(sharedClock());
    lost += events - came;
  });
  const after = await server.read();
  const from = Math.max(...starts);
  const to = Math.min(...ends);
  // A machine that can't open them all before the first one ends never has all open.
  const isTogether = from < to;
  const delays = writtenAt.flatMap((at, index) =>
    isTogether && (at <= from || at >= to) ? [] : [((seenAt[index] ?? at) - at) / 1000],
  );
  return {
    isTogether,
    lost,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    busy: (after.mainThread - before.mainThread) / 1000 / (sharedClock() - startedAt),
  };
}

const share = (value: number): string => `${Math.round(value * 100)} %`;

function lineOf(streams: number, own: Delays, bare: Delays): Line {
  const p50 = own.p50 - bare.p50;
  const p99 = own.p99 - bare.p99;
  return {
    measure: `${count(streams)} streams at ${perSecond} events/s, added delay`,
    mull: `p50 ${ms(own.p50)}, p99 ${ms(own.p99)}, ${own.lost} lost, ${share(own.busy)} of a core`,
    beside: `bare p50 ${ms(bare.p50)}, p99 ${ms(bare.p99)}, ${share(bare.busy)} of a core`,
    ratio: `+${ms(p50)}, +${ms(p99)}`,
    target: "0 lost, p50 ≤ 5 ms, p99 ≤ 50 ms",
    holds: own.isTogether && own.lost === 0 && p50 <= 5 && p99 <= 50,
  };
}

/** From many to fewer, until the machine manages; the rows it fails are in the table, too. */
async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const lines: Line[] = [];
  for (const streams of [1000, 300, 100]) {
    const bare = await stage.start({ kind: "bare" });
    const mull = await stage.start({ kind: "mull", upstream });
    await measureDelays(mull, 20);
    lines.push(
      lineOf(streams, await measureDelays(mull, streams), await measureDelays(bare, streams)),
    );
    await Promise.all([bare.kill(), mull.kill()]);
    if (lines.at(-1)!.holds) break;
  }
  return lines;
}

export const paced: Row = { name: "paced", run };
