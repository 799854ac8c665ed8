import type { Loaded, Stage } from "../children.ts";
import { ask, repeat } from "../client.ts";
import { count, median, ratios, shuffled, spread, type Line, type Row } from "../row.ts";

const streams = 200;
const rounds = 6;

/** Streams per second when this many start at once. */
async function measure(server: Loaded): Promise<number> {
  const startedAt = performance.now();
  await repeat(streams, streams, async () => {
    await ask(server, { kind: "burst", events: 500 });
  });
  return streams / ((performance.now() - startedAt) / 1000);
}

const speed = (values: readonly number[]): string => `${count(median(values))} streams/s`;

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const bare = await stage.start({ kind: "bare" });
  const mull = await stage.start({ kind: "mull", upstream });
  const found = new Map<Loaded, number[]>([
    [bare, []],
    [mull, []],
  ]);
  for (const server of found.keys()) await measure(server);
  for (let round = 0; round < rounds; round++) {
    for (const server of shuffled([bare, mull])) found.get(server)!.push(await measure(server));
  }
  await mull.read();
  const [own, other] = [found.get(mull)!, found.get(bare)!];
  return [
    {
      measure: `${streams} streams at once, as fast as possible`,
      mull: speed(own),
      beside: `bare ${speed(other)}`,
      ratio: spread(ratios(own, other)),
      target: "≥ 0.4 x",
      holds: median(ratios(own, other)) >= 0.4,
    },
  ];
}

export const atOnce: Row = { name: "at-once", run };
