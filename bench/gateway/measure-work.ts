import { median, quantile } from "../measure.ts";
import { ask } from "./client.ts";
import type { Contestant } from "./contestants.ts";

/** The work that each contestant is given. */
export interface Work {
  readonly body: string;
  /** Streams at the same time. */
  readonly atOnce: number;
  /** Turns in a round, and to warm up. */
  readonly turns: number;
  readonly warmUp: number;
  readonly rounds: number;
}

/** What one contestant needed for a piece of work, in milliseconds. */
export interface Figures {
  readonly name: string;
  /** Of a turn: from the first request to the end of the last answer. */
  readonly p50: number;
  readonly p99: number;
  /** Of its process, per stream: the median of the rounds. */
  readonly cpu: number;
}

/** Asks for all streams of a turn at once, and returns how long they took. */
async function takeTurn(contestant: Contestant, { body, atOnce }: Work): Promise<number> {
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, () => ask(contestant, body)));
  return performance.now() - started;
}

/**
 * An order drawn anew. In a fixed one, each contestant would always follow the same neighbour, whose garbage is collected while
 * the next one is asked: after a busy neighbour everyone is slower.
 */
const drawOrder = (length: number): readonly number[] =>
  Array.from({ length }, (_, at) => ({ at, lot: Math.random() }))
    .toSorted((a, b) => a.lot - b.lot)
    .map(({ at }) => at);

/** The contestants run in turns, each turn in another order, so that other load on the machine affects all of them. */
async function takeTurns(
  contestants: readonly Contestant[],
  work: Work,
  turns: number,
): Promise<readonly (readonly number[])[]> {
  const taken = contestants.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const at of drawOrder(contestants.length)) {
      const contestant = contestants[at]!;
      if (turn % contestant.every === 0) taken[at]!.push(await takeTurn(contestant, work));
    }
  }
  return taken;
}

/** Measures everyone at the same work. */
export async function measureWork(
  contestants: readonly Contestant[],
  work: Work,
): Promise<readonly Figures[]> {
  await takeTurns(contestants, work, work.warmUp);
  const times = contestants.map((): number[] => []);
  const cpus = contestants.map((): number[] => []);
  const readAll = (): Promise<readonly number[]> =>
    Promise.all(contestants.map(({ cpu }) => cpu()));
  for (let round = 0; round < work.rounds; round++) {
    const before = await readAll();
    const taken = await takeTurns(contestants, work, work.turns);
    const after = await readAll();
    for (const [at, waits] of taken.entries()) {
      times[at]!.push(...waits);
      cpus[at]!.push((after[at]! - before[at]!) / (waits.length * work.atOnce));
    }
  }
  return contestants.map(({ name }, at) => ({
    name,
    p50: quantile(times[at]!, 0.5),
    p99: quantile(times[at]!, 0.99),
    cpu: median(cpus[at]!),
  }));
}
