import type { Contestant } from "../contestants/contestant.ts";
import { floor } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { type Entrant, type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { makeStream, type RecordedStream } from "../streams.ts";

const streams = 200;
const fewStreams = 40;
const wire = "anthropic-messages";

/** Chunks that arrive one by one, each in its own turn of the event loop. */
const slowFetch = (stream: RecordedStream) => (): Promise<Response> => {
  let at = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise((resolve) => {
          setImmediate(() => {
            if (isCancelled) return resolve();
            if (at >= stream.bytes.length) controller.close();
            else controller.enqueue(stream.bytes.slice(at, (at += 1400)));
            resolve();
          });
        }),
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
};

type Read = Contestant["read"];

const entrantsOf = (
  contestants: readonly Contestant[],
  count: number,
  fetch: Parameters<Read>[1],
): readonly Entrant[] =>
  contestants
    .filter(({ wires }) => wires.includes(wire))
    .map(({ name, read }) => ({
      name,
      run: () => Promise.all(Array.from({ length: count }, () => read(wire, fetch))),
    }));

const table = (name: string, rows: readonly Measured[]): Table => ({
  name,
  columns: ["", "CPU, x floor", "spread", "wall, x floor", "wall, ms"],
  rows: rows.map((row) => [row.name, row.cpuRatio, row.spread, row.wallRatio, row.wall]),
});

const barOf = (what: string, rows: readonly Measured[]): Bar => ({
  what: `${streams} streams of ${what}, CPU, x floor`,
  most: 1.2,
  measured: rows.find(({ name }) => name === "mull")?.cpuRatio ?? NaN,
});

async function run(): Promise<ScenarioReport> {
  const long = slowFetch(makeStream(wire, { thinking: 500, text: 500, input: 50 }));
  const short = slowFetch(makeStream(wire, { thinking: 100, text: 100, input: 10 }));
  // Code that runs once per stream is compiled only after some thousand streams.
  const ownShort = await race(entrantsOf([floor, mull], streams, short), 31, 60);
  const ownLong = await race(entrantsOf([floor, mull], streams, long), 9, 4);
  const peers = await loadPeers();
  const few = await race(entrantsOf([floor, mull, ...peers], fewStreams, short), 7, 5);
  return {
    id: "s5",
    title: "S5: 200 streams at once",
    text: `${streams} answers, their chunks of 1,400 bytes interleaved, in one process. Short answers show what a request costs, long ones what a stream costs. ${fewStreams} short ones beside other libraries, because those need seconds for all.`,
    tables: [
      table(`${streams} streams of 1,000 deltas`, ownLong),
      table(`${streams} streams of 200 deltas`, ownShort),
      table(`${fewStreams} streams of 200 deltas`, few),
    ],
    bars: [barOf("1,000 deltas", ownLong), barOf("200 deltas", ownShort)],
    charts: [
      {
        name: "concurrency",
        title: `${fewStreams} streams at once: CPU time`,
        unit: "x floor",
        limit: 1,
        values: few.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
      },
    ],
  };
}

export const concurrency: Scenario = { id: "s5", run };
