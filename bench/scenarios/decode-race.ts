import type { WireId } from "mull";
import type { Contestant } from "../contestants/contestant.ts";
import { type Measured, race } from "../measure.ts";
import {
  type ChunkSize,
  fetchOf,
  makeStream,
  type RecordedStream,
  type StreamShape,
} from "../streams.ts";

export const chunkings = [
  { name: "16 KiB chunks", size: 16 * 1024 },
  { name: "512 byte chunks", size: 512 },
] as const;

export interface Chunking {
  readonly name: string;
  readonly size: ChunkSize;
}

export const fullStream: StreamShape = { thinking: 20_000, text: 20_000, input: 2_000 };
export const tenthOfStream: StreamShape = { thinking: 2_000, text: 2_000, input: 200 };

/** Checks that no contestant leaves text out. Returns which of them read thinking: not all do, on every wire. */
export async function readsThinking(
  contestant: Contestant,
  stream: RecordedStream,
): Promise<boolean> {
  const got = await contestant.read(stream.wire, fetchOf(stream, 4096));
  const misses = Math.abs(got.text - stream.tally.text) / stream.tally.text;
  if (contestant.kind !== "pump" && misses > 0.03) {
    throw new Error(`${contestant.name} read ${got.text} of ${stream.tally.text} characters`);
  }
  return got.thinking >= stream.tally.thinking;
}

export function raceReaders(
  wire: WireId,
  contestants: readonly Contestant[],
  shape: StreamShape,
  chunking: Chunking,
  rounds: number,
  warmUps: number,
  beforeEach?: () => void,
): Promise<readonly Measured[]> {
  const fetch = fetchOf(makeStream(wire, shape), chunking.size);
  const entrants = contestants.map(({ name, read }) => ({ name, run: () => read(wire, fetch) }));
  return race(entrants, rounds, warmUps, beforeEach);
}

export const ratioOf = (rows: readonly Measured[], name: string): number =>
  rows.find((row) => row.name === name)?.cpuRatio ?? NaN;
