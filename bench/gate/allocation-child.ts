import type { WireId } from "mull";
import type { Contestant } from "../contestants/contestant.ts";
import { fetchOf, makeStream } from "../streams.ts";

/**
 * Prints bytes allocated per event, wire by wire: what the heap has grown by while a long stream was
 * read and nothing was collected. Started with a young generation that holds all of it, and without
 * the optimiser, which leaves allocations out when it pleases: then runs differ by half a percent.
 */
const [module, name, ...wires] = process.argv.slice(2);
const contestant = ((await import(module!)) as Readonly<Record<string, Contestant>>)[name!]!;
const collect = (globalThis as { readonly gc?: () => void }).gc!;

async function bytesPerEvent(wire: WireId): Promise<number> {
  const stream = makeStream(wire, { thinking: 10_000, text: 10_000, input: 1000 });
  let least = Infinity;
  for (let i = 0; i < 4; i++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    await contestant.read(wire, fetchOf(stream, 16_384));
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / stream.events);
  }
  return least;
}

const found: number[] = [];
for (const wire of wires) found.push(await bytesPerEvent(wire as WireId));
console.log(JSON.stringify(found));
