import type { Stage } from "../children.ts";
import { ask, repeat } from "../client.ts";
import { dataFolder } from "../data-folder.ts";
import { count, megabytes, pause, type Line, type Row } from "../row.ts";

/** Run this many first, until code and caches have reached their full size. */
const warmUp = 3000;
const samples = 12;
const turnsEach = 500;
const script = { kind: "burst", events: 20 } as const;

const mean = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0) / of.length;

/** Slope of the best-fitting line. */
function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const x = mean(points.map((point) => point.x));
  const y = mean(points.map((point) => point.y));
  const rise = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return rise / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const mull = await stage.start({ kind: "mull", upstream, data: await dataFolder() });
  const work = (turns: number): Promise<void> =>
    repeat(turns, 8, async () => {
      await ask(mull, script);
    });
  await work(warmUp);
  const held: { readonly x: number; readonly y: number }[] = [];
  const baseline = (await mull.read({ collect: true })).sockets;
  for (let sample = 0; sample < samples; sample++) {
    await work(turnsEach);
    const { held: y } = await mull.read({ collect: true });
    held.push({ x: sample * turnsEach, y });
  }
  const slope = slopeOf(held) * 10_000;
  // Idle connections to the service are closed after some seconds.
  await pause(6000);
  const { sockets } = await mull.read({ collect: true });
  return [
    {
      measure: `memory held per 10,000 turns, from ${count(samples * turnsEach)} after ${count(warmUp)}`,
      mull: megabytes(slope),
      beside: `held ${megabytes(held.at(-1)!.y)}`,
      ratio: "",
      target: "≤ 1 MB",
      holds: slope <= 1024 * 1024,
    },
    {
      measure: "sockets over the baseline afterwards",
      mull: String(Math.max(0, sockets - baseline)),
      beside: "",
      ratio: "",
      target: "0",
      holds: sockets <= baseline,
    },
  ];
}

export const longRun: Row = { name: "long-run", run };
