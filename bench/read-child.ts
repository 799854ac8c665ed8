import { type Contestant, everyWire } from "./contestants/contestant.ts";
import { floor, pump } from "./contestants/floor.ts";
import { mull } from "./contestants/mull.ts";
import { fetchOf, makeStream } from "./streams.ts";

/** Reads one long stream in a process of its own and prints the peak of its memory in KiB. */
const [name, wire, deltas] = process.argv.slice(2);
const contestant = ([floor, mull, pump] as readonly Contestant[]).find(
  (each) => each.name === name,
);
const id = everyWire.find((each) => each === wire);
if (contestant === undefined || id === undefined)
  throw new Error("read-child <name> <wire> <deltas>");
const half = Number(deltas) / 2;
const stream = makeStream(id, { thinking: half, text: half, input: 0 });
await contestant.read(id, fetchOf(stream, 16_384));
console.log(process.resourceUsage().maxRSS);
