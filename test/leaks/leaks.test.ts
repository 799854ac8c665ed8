import { join } from "node:path";

import { emulate } from "@mull/emulator";
import { play } from "@mull/vcr";
import { Agent, type Fetch } from "mull";
import { describe, expect, test } from "vitest";

import { recordedModel } from "../contract/play-scenario.ts";
import { fixtureDirectory } from "../contract/recording.ts";
import { thinkingCassette, thinkingQuestion } from "../contract/scenarios/thinking.ts";
import { collect, countBodies, heapInUse, newHandles, openHandles } from "./measure.ts";

const vendors = ["anthropic", "openai", "google"] as const;
const gc = collect();

/** One streamed turn of an agent; left after `chunks` of them, if given. */
const runTurn = async (model: string, fetch: Fetch, chunks = Infinity): Promise<string> => {
  const agent = new Agent(`${model}/med`, {
    fetch,
    env: {},
    apiKey: "replayed-account",
    sleep: () => Promise.resolve(),
  });
  let thinking = "";
  let seen = 0;
  for await (const chunk of agent.sendStream(thinkingQuestion)) {
    thinking += chunk.thinking ?? "";
    seen += 1;
    if (seen >= chunks) break;
  }
  return thinking;
};

const replayTurn = async (index: number, chunks?: number) => {
  const vendor = vendors[index % vendors.length]!;
  const cassette = thinkingCassette(vendor, "streaming");
  const player = play(join(fixtureDirectory, `${cassette}.jsonl`));
  const bodies = countBodies(player);
  const thinking = await runTurn(recordedModel(cassette), bodies.fetch, chunks);
  return { thinking, bodies };
};

/** Lets grace periods of finished streams pass. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

/** How many bodies are still open after a while: on a busy machine one ends later than its reader. */
async function leftOpen(counts: readonly ReturnType<typeof countBodies>[]): Promise<number> {
  for (let look = 0; ; look += 1) {
    await settle();
    const left = counts.reduce((sum, { opened, closed }) => sum + opened() - closed(), 0);
    if (left === 0 || look === 20) return left;
  }
}

interface Growth {
  readonly bytes: number;
  readonly handles: readonly string[];
  readonly unclosed: number;
}

/** Runs `warmUp` turns, measures, runs `turns` more, measures again. */
const measureTurns = async (
  turns: number,
  turn: (index: number) => Promise<{ readonly bodies: ReturnType<typeof countBodies> }>,
): Promise<Growth> => {
  const warmUp = Math.ceil(turns / 5);
  for (let index = 0; index < warmUp; index += 1) await turn(index);
  await settle();
  const open = openHandles();
  const before = await heapInUse(gc);
  const counts: ReturnType<typeof countBodies>[] = [];
  for (let index = 0; index < turns; index += 1) counts.push((await turn(index)).bodies);
  const unclosed = await leftOpen(counts);
  counts.length = 0;
  const handles = await newHandles(open);
  return { bytes: (await heapInUse(gc)) - before, handles, unclosed };
};

/** Far below one stream's worth of events a turn, far above what the engine keeps for itself. */
const mostGrowth = 2 * 1024 * 1024;

const expectNoLeak = ({ bytes, handles, unclosed }: Growth): void => {
  expect(unclosed).toBe(0);
  expect(handles).toEqual([]);
  expect(bytes).toBeLessThan(mostGrowth);
};

describe("R379 leaks", () => {
  test("1,000 replayed streamed turns leave no heap, handle or stream behind", async () => {
    expect((await replayTurn(0)).thinking).not.toBe("");
    expectNoLeak(await measureTurns(1000, (index) => replayTurn(index)));
  }, 120_000);

  test("F-A1 300 turns left in the middle leave nothing behind either", async () => {
    expectNoLeak(await measureTurns(300, (index) => replayTurn(index, 3)));
    expect((await replayTurn(0, 3)).thinking.length).toBeGreaterThan(0);
  }, 120_000);

  test("a conversation that fails 300 times leaves nothing behind", async () => {
    const emulator = emulate({ faults: "cut=900", unknownModels: "accept", journalLength: 1 });
    const failures: unknown[] = [];
    const growth = await measureTurns(300, async (index) => {
      const bodies = countBodies(emulator);
      const vendor = vendors[index % vendors.length]!;
      const model = recordedModel(thinkingCassette(vendor, "streaming"));
      await runTurn(model, bodies.fetch).catch((error: unknown) => {
        failures[0] = error;
      });
      return { bodies };
    });
    expect(failures[0]).toMatchObject({ isMullError: true });
    expectNoLeak(growth);
  }, 120_000);
});
