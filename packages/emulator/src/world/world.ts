import type { JsonObject, JsonValue } from "mull";

import { hex } from "../seal/sha256.ts";
import { checkScripts } from "../script/parse-scripts.ts";
import { createPlayer, type Player } from "../script/script.ts";
import { createClock, type Clock } from "./clock.ts";
import { createJournal, type Journal } from "./journal.ts";
import type { EmulatorOptions } from "./options.ts";
import { createRandom, type RandomBytes } from "./random.ts";
import { createFaultPlan, type FaultPlan } from "../fault/fault-plan.ts";

/** A response kept for `previous_response_id` and lookups. */
export interface StoredResponse {
  /** All messages up to the answer, the answer included, in order. */
  readonly items: readonly JsonValue[];
  readonly input: readonly JsonValue[];
  readonly answer: JsonObject;
}

/** An answer on Chat Completions with `store: true`, and the messages it answers. */
export type StoredCompletion = Pick<StoredResponse, "input" | "answer">;

/** A conversation that Anthropic stores, up to one answer, the answer included. */
export interface HeldThread {
  readonly messages: readonly JsonValue[];
  /** Fields of the request that created it. */
  readonly kept: JsonObject;
  /** Each answer can be continued once. */
  readonly isContinued: boolean;
}

/** Everything that one emulator remembers. */
export interface World {
  readonly options: EmulatorOptions;
  readonly secret: string;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly player: Player;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly responses: Map<string, StoredResponse>;
  readonly completions: Map<string, StoredCompletion>;
  /** By account and id of the answer. */
  readonly threads: Map<string, HeldThread>;
  /** Requests that a later one may be compared with, by account and id of the answer. */
  readonly prompts: Map<string, JsonObject>;
  /** Beginnings of prompts that are kept, and until when. */
  readonly cache: Map<number, number>;
}

const mostKept = 1000;

export const createWorld = (options: EmulatorOptions): World => {
  const random = createRandom(options.seed);
  return {
    options,
    secret: options.secret ?? hex(random(32)),
    random,
    clock: options.clock ?? createClock(options.seed),
    player: createPlayer(checkScripts(options.scripts ?? [])),
    faults: createFaultPlan(options.faults),
    journal: createJournal(options.journalLength ?? 1000),
    responses: new Map(),
    completions: new Map(),
    threads: new Map(),
    prompts: new Map(),
    cache: new Map(),
  };
};

/** Keeps a value under its id; the oldest goes when there are too many. */
export const keep = <T>(kept: Map<string, T>, id: string, value: T): void => {
  kept.set(id, value);
  if (kept.size <= mostKept) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
};

/** Forgets the journal, stored answers, cached prompts, planned faults and the position in each script. */
export const resetWorld = (world: World): void => {
  world.player.reset();
  world.faults.reset();
  world.journal.clear();
  world.responses.clear();
  world.completions.clear();
  world.threads.clear();
  world.prompts.clear();
  world.cache.clear();
};
