import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** One measured run: CPU time of the process and wall time, in milliseconds. */
export interface Sample {
  readonly cpu: number;
  readonly wall: number;
}

export interface Measured {
  readonly name: string;
  /** Medians. */
  readonly cpu: number;
  readonly wall: number;
  /** Median of the ratios to the reference of the same round. */
  readonly cpuRatio: number;
  readonly wallRatio: number;
  /** Distance of the quartiles of `cpuRatio`. */
  readonly spread: number;
  readonly rounds: number;
}

export interface Entrant {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which the share `q` of all values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at % 1);
}

export async function sample(run: () => Promise<unknown>): Promise<Sample> {
  const wallStart = performance.now();
  const cpuStart = process.cpuUsage();
  await run();
  const cpu = process.cpuUsage(cpuStart);
  return { cpu: (cpu.user + cpu.system) / 1000, wall: performance.now() - wallStart };
}

/** Medians of samples and of their ratios to the reference of the same round. */
export function measuredOf(
  name: string,
  samples: readonly Sample[],
  reference: readonly Sample[],
): Measured {
  const ratios = samples.map(({ cpu }, round) => cpu / reference[round]!.cpu);
  return {
    name,
    cpu: median(samples.map(({ cpu }) => cpu)),
    wall: median(samples.map(({ wall }) => wall)),
    cpuRatio: median(ratios),
    wallRatio: median(samples.map(({ wall }, round) => wall / reference[round]!.wall)),
    spread: quantile(ratios, 0.75) - quantile(ratios, 0.25),
    rounds: samples.length,
  };
}

/**
 * Runs all entrants in every round, each round in another order, so that what the machine does
 * meanwhile hits all alike. The first entrant is the reference of the ratios.
 */
export async function race(
  entrants: readonly Entrant[],
  rounds: number,
  warmUps = 2,
  beforeEach: () => void = () => undefined,
): Promise<readonly Measured[]> {
  for (let i = 0; i < warmUps; i++) for (const { run } of entrants) await run();
  const samples = entrants.map((): Sample[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < entrants.length; i++) {
      const at = (i + round) % entrants.length;
      beforeEach();
      samples[at]!.push(await sample(entrants[at]!.run));
    }
  }
  return entrants.map(({ name }, at) => measuredOf(name, samples[at]!, samples[0]!));
}

/** A full garbage collection, which V8 runs only when it has to. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
