import { floor } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { race } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";
import { makeStream, type RecordedStream } from "../streams.ts";

const streams = 200;
const wire = "anthropic-messages";

/** Chunks that come one by one, each in a turn of the event loop of its own. */
const slowFetch = (stream: RecordedStream) => (): Promise<Response> => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise((resolve) => {
          setImmediate(() => {
            if (at >= stream.bytes.length) controller.close();
            else controller.enqueue(stream.bytes.slice(at, (at += 1400)));
            resolve();
          });
        }),
    },
    { highWaterMark: 0 },
  );
  return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
};

async function run(): Promise<ScenarioReport> {
  const fetch = slowFetch(makeStream(wire, { thinking: 250, text: 250, input: 20 }));
  const entrants = [floor, mull, ...(await loadPeers())]
    .filter(({ wires }) => wires.includes(wire))
    .map(({ name, read }) => ({
      name,
      run: () => Promise.all(Array.from({ length: streams }, () => read(wire, fetch))),
    }));
  const rows = await race(entrants, 7, 3);
  const own = rows.find(({ name }) => name === "mull");
  return {
    id: "s5",
    title: "S5: 200 streams at once",
    text: "200 answers of 500 deltas, their chunks of 1,400 bytes interleaved, in one process.",
    tables: [
      {
        name: "200 streams",
        columns: ["", "CPU, x floor", "spread", "wall, x floor", "wall, ms"],
        rows: rows.map((row) => [row.name, row.cpuRatio, row.spread, row.wallRatio, row.wall]),
      },
    ],
    bars: [{ what: "200 streams, CPU, x floor", most: 1.1, measured: own?.cpuRatio ?? NaN }],
    charts: [
      {
        name: "concurrency",
        title: "200 streams at once: CPU time",
        unit: "x floor",
        limit: 1,
        values: rows.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
      },
    ],
  };
}

export const concurrency: Scenario = { id: "s5", run };
