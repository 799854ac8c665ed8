import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WireId } from "mull";
import type { Count } from "./count.ts";

const child = fileURLToPath(new URL("allocation-child.ts", import.meta.url));

const flags = [
  "--conditions=@mull/source",
  "--expose-gc",
  "--no-opt",
  "--min-semi-space-size=256",
  "--max-semi-space-size=256",
];

/** A contestant by its module and its name there. */
export interface Exported {
  readonly module: string;
  readonly name: string;
}

const contestant = (file: string, name: string): Exported => ({
  module: new URL(`../contestants/${file}.ts`, import.meta.url).href,
  name,
});

function bytesPerEvent({ module, name }: Exported, wires: readonly WireId[]): readonly number[] {
  const args = [...flags, "--import", "tsx", child, module, name, ...wires];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8" }),
  ) as readonly number[];
}

/** As a ratio to the floor, because the size of an object depends on the runtime. */
const mostOverFloor: Readonly<Record<WireId, number>> = {
  "anthropic-messages": 1.4,
  "openai-responses": 1.2,
  "openai-chat": 0.95,
  "google-generate": 0.85,
};

/** What an event costs the heap, read through the public API. */
export function countAllocation(
  wires: readonly WireId[],
  reader = contestant("mull", "mull"),
): readonly Count[] {
  const floor = bytesPerEvent(contestant("floor", "floor"), wires);
  const own = bytesPerEvent(reader, wires);
  return wires.map((wire, at) => ({
    what: `${wire}: bytes allocated per event, x floor (${Math.round(own[at]!)} bytes)`,
    most: mostOverFloor[wire],
    counted: own[at]! / floor[at]!,
  }));
}
