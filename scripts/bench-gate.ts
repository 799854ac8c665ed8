import { everyWire } from "../bench/contestants/contestant.ts";
import { countAllocation } from "../bench/gate/allocation.ts";
import { type Count, isWithin } from "../bench/gate/count.ts";
import { countDecoding } from "../bench/gate/decoding.ts";
import { countChecking, countEncoding } from "../bench/gate/encoding.ts";
import { countBundles, countModules, type Loaded } from "../bench/gate/loading.ts";

/** What makes programs slow and can be counted without a clock: fails when there is more of it than there was. */
const entries: readonly Omit<Loaded, "entry">[] = [
  { name: "lean", mostModules: 2, mostBytes: 128_000 },
  { name: "anthropic", mostModules: 3, mostBytes: 165_000 },
  { name: "core", mostModules: 6, mostBytes: 800_000 },
  { name: "index", mostModules: 6, mostBytes: 800_000 },
];

const builtEntry = (name: string): URL =>
  new URL(`../packages/mull/dist/${name}.js`, import.meta.url);

const counts: readonly Count[] = [
  ...everyWire.flatMap((wire) => countDecoding(wire)),
  ...everyWire.flatMap((wire) => countEncoding(wire)),
  ...everyWire.flatMap((wire) => countChecking(wire)),
  ...countAllocation(everyWire),
  ...entries.flatMap((each) => countModules({ ...each, entry: builtEntry(each.name) })),
  ...countBundles(),
];

for (const count of counts) {
  const { what, most, counted } = count;
  const word = isWithin(count) ? "ok  " : "FAIL";
  console.log(`${word} ${what}: ${Number(counted.toFixed(2))} of at most ${most}`);
}
process.exitCode = counts.every(isWithin) ? 0 : 1;
