import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tool, Usage, UserMessage } from "mull";
import type { BeginTurn, BegunTurn, Store, Turn, TurnEnd } from "@mull/store";
import type { LoopShare } from "@mull/store/parts";
import { full, noSuch } from "../http/refusals.ts";
import { createAllowance, mayBeDone, type Allowance, type Meter } from "../limits/allowance.ts";
import { createFollowing, type Following } from "../live/following.ts";
import type { LiveEvents } from "../live/live-events.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Limits, LogEntry } from "../parts.ts";
import { createLingering, type Lingering } from "./lingering.ts";
import { runTurn, type RunningTurn, type TurnSummary } from "./run-turn.ts";
import {
  createTextSaver,
  createUnendedTurns,
  type TextSaver,
  type UnendedTurns,
} from "./save-turn.ts";
import { describeTurn, endChunk, replayLog } from "./turn-chunks.ts";
import type { LogReader, TurnListener, TurnLog } from "./turn-log.ts";
import type { TurnMaker } from "./turn-maker.ts";

/** The turns of all conversations, as far as this process knows them. */
export interface Turns {
  /** Stores the question and starts the answer; the same send gets the same turn. */
  readonly begin: (given: BeginGiven) => Promise<Turn>;
  /** Reads a user's turn from a number on, wherever it runs or ran. */
  readonly read: (userId: string, turn: Turn, after: number) => Promise<LogReader>;
  readonly findLocal: (turnId: string) => RunningTurn | undefined;
  /** Stops what runs in a conversation; does nothing if nothing runs. */
  readonly stop: (userId: string, conversationId: string) => Promise<Turn | undefined>;
  readonly running: () => readonly RunningTurn[];
  /**
   * Ends turns that couldn't be stored when they ended, and forgets results that nobody came back
   * for.
   */
  readonly tidy: () => Promise<void>;
  /**
   * Waits until no turn runs and nobody asks, or the time is up. Then interrupts the turns that
   * have run all that time; newer ones are left.
   */
  readonly settle: (ms: number, isQuiet: () => boolean) => Promise<void>;
  /** Ends all turns: those that finish in time are done, the rest is stored as interrupted. */
  readonly drain: (ms: number) => Promise<void>;
}

interface BeginGiven extends Omit<BeginTurn, "info"> {
  /** The user's. */
  readonly maker: TurnMaker;
  readonly message?: UserMessage;
  readonly info: NonNullable<BeginTurn["info"]>;
}

export interface TurnsParts {
  readonly store: () => Promise<Store>;
  readonly tools: () => readonly Tool[];
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: (entry: LogEntry) => void;
  readonly scrub: (text: string) => string;
  readonly now: () => number;
  readonly loop: LoopShare;
  readonly events: LiveEvents;
}

/** Text is stored within this time; sooner if readers elsewhere get it from the store. */
const textMs = { events: 700, news: 350, nothing: 350 } as const;

/** How long ended turns stay in memory for readers that come back. */
const lingerMs = 60_000;
const mostLingering = 200;
const replayMs = 5000;

/** What is known of turns here. */
interface Desk extends TurnsParts {
  readonly allowance: Allowance;
  readonly texts: TextSaver;
  readonly following: Following;
  /** Turns that run here. */
  readonly local: Map<string, RunningTurn>;
  /** What is kept of finished turns: readers need no more, and the rest is many times as large. */
  readonly over: Lingering<Pick<RunningTurn, "userId" | "log">>;
  /** Readers that come back together share what is read for them. */
  readonly replays: Lingering<Promise<TurnLog>>;
  /** Sends that have a place but don't run yet. */
  readonly sending: Set<string>;
  /** Turns that are stored but don't run yet. */
  readonly starting: Map<string, Promise<void>>;
  readonly unended: UnendedTurns;
}

export function createTurns(parts: TurnsParts): Turns {
  const desk: Desk = {
    ...parts,
    allowance: createAllowance(parts),
    texts: createTextSaver({
      store: parts.store,
      everyMs: () => textMs[parts.events.reach()],
      onStored: parts.events.tellNews,
    }),
    following: createFollowing(parts),
    local: new Map(),
    over: createLingering({ ms: lingerMs, most: mostLingering }),
    replays: createLingering({ ms: replayMs, most: mostLingering }),
    sending: new Set(),
    starting: new Map(),
    unended: createUnendedTurns(parts.store),
  };
  return {
    begin: (given) => begin(desk, given),
    read: (userId, turn, after) => read(desk, userId, turn, after),
    findLocal: (turnId) => desk.local.get(turnId),
    stop: (userId, conversationId) => stop(desk, userId, conversationId),
    running: () => running(desk),
    tidy: async () => {
      desk.over.sweep();
      desk.replays.sweep();
      await desk.unended.end();
      await desk.allowance.tidy();
    },
    settle: async (ms, isQuiet) => {
      const early = running(desk);
      await waitWhile(() => isBusy(desk) || !isQuiet(), ms);
      for (const each of early) each.stop("shutdown");
    },
    drain: (ms) => drain(desk, ms),
  };
}

const running = ({ local }: Desk): readonly RunningTurn[] =>
  [...local.values()].filter((each) => !each.log.isOver());

async function begin(desk: Desk, { maker, ...given }: BeginGiven): Promise<Turn> {
  const { userId } = given;
  const store = await desk.store();
  const taken = desk.sending.size + running(desk).length;
  if (taken >= desk.limits.turns) throw full("Too many turns are running on this server.");
  const turnId = randomUUID();
  desk.sending.add(turnId);
  let meter: Meter | undefined;
  let isStarted = false;
  try {
    const turn = { ...given, turnId };
    const place = await desk.allowance.takePlace(turn);
    meter = place.meter;
    const begun = place.begun ?? (await store.beginTurn(turn));
    if (begun.isNew) await start(desk, begun, { userId, maker, meter });
    isStarted = begun.isNew;
    return begun.turn;
  } catch (error) {
    if (mayBeDone(error)) desk.unended.add(userId, turnId, unsavedEnd({}));
    throw error;
  } finally {
    desk.sending.delete(turnId);
    if (!isStarted) await meter?.settle({ tokens: 0, cost: 0 }).catch(() => undefined);
  }
}

/** Who asked, what makes their requests, and what keeps them within their limits. */
interface StartedBy extends Pick<BeginGiven, "userId" | "maker"> {
  readonly meter: Meter;
}

/** If a turn is stored but doesn't run, end it here: no other process would. */
async function start(desk: Desk, begun: BegunTurn, by: StartedBy): Promise<void> {
  const { userId } = by;
  const { id } = begun.turn;
  const started = run(desk, begun, by);
  desk.starting.set(id, started);
  try {
    await started;
  } catch (error) {
    desk.unended.add(userId, id, { state: "failed", messages: [] });
    await desk.unended.end().catch(() => undefined);
    throw error;
  } finally {
    desk.starting.delete(id);
  }
}

async function run(
  desk: Desk,
  { turn, message }: BegunTurn,
  { userId, maker, meter }: StartedBy,
): Promise<void> {
  const { loop, tools, limits, now, scrub, log } = desk;
  const store = await desk.store();
  await loop.take();
  const { target, ...prepared } = await maker.prepare(store, userId, turn, message);
  const { history, question } = prepared;
  const messages = question === undefined ? history : [...history, question];
  const known = tools();
  const first = { target, tools: known, messages, ...prepared.around };
  const admitted = meter.admit(first, { tokens: 0, cost: 0 });
  // The turn waits for it and the reader doesn't. A user without room hears it from the answer,
  // which is stored and can be asked for again.
  admitted.catch(() => undefined);
  // Preparing a long conversation for sending can't be interrupted, so let those who wait go first.
  await loop.take();
  const made = runTurn({
    store,
    userId,
    turn,
    ...prepared,
    metadata: describeTurn(turn),
    tools: known,
    meter,
    admitted,
    limits,
    loop,
    now,
    scrub,
    texts: desk.texts,
    listener: listenerFor(desk.events, turn.id),
    onStored: () => desk.events.tellNews([turn.id]),
    onTrouble: (error) => {
      log({ event: "save-trouble", turnId: turn.id, error: scrub(String(error)) });
    },
    onEnd: (summary) => count(desk, userId, turn, summary),
  });
  desk.local.set(turn.id, made);
  made.done
    .catch((error: unknown) => {
      log({ event: "turn-crash", turnId: turn.id, error: scrub(String(error)) });
      const end = unsavedEnd({});
      made.log.append(endChunk("failed", end.error));
      made.log.end();
      desk.unended.add(userId, turn.id, end);
    })
    .finally(() => {
      desk.local.delete(turn.id);
      desk.over.set(turn.id, { userId, log: made.log });
    });
}

const listenerFor = ({ tell }: LiveEvents, turnId: string): TurnListener => ({
  onChunk: (from, chunk) => tell(turnId, { from, chunks: [chunk] }),
  onEnd: (from, cutAs) => {
    tell(turnId, { from, chunks: [], isLast: true, ...(cutAs !== undefined && { cutAs }) });
  },
});

function count(desk: Desk, userId: string, turn: Turn, summary: TurnSummary): void {
  const { metrics, log, now } = desk;
  const { state, isSaved, error, usage, receipts } = summary;
  metrics.count("mull_turns_total", { state });
  for (const receipt of receipts) {
    const { model } = receipt.plan;
    metrics.count("mull_tokens_total", { model }, receipt.usage?.total ?? 0);
    metrics.count("mull_dollars_total", { model }, receipt.cost?.total ?? 0);
  }
  if (!isSaved) {
    metrics.count("mull_unsaved_turns_total");
    desk.unended.add(userId, turn.id, unsavedEnd(summary));
  }
  log({
    event: "turn",
    turnId: turn.id,
    conversationId: turn.conversationId,
    userId,
    state,
    isSaved,
    tokens: usage.total ?? null,
    ...(error?.["code"] !== undefined && { code: error["code"] }),
    ms: now() - turn.startedAt,
  });
}

async function read(desk: Desk, userId: string, turn: Turn, after: number): Promise<LogReader> {
  const own = desk.local.get(turn.id) ?? desk.over.get(turn.id);
  if (own !== undefined) {
    if (own.userId !== userId) throw noSuch("turn");
    // Readers have seen nothing beyond this, so a higher number belongs to another turn.
    const isBeyond = !own.log.isOver() && after > own.log.position();
    return own.log.read(isBeyond ? 0 : after);
  }
  if (turn.state === "running") return desk.following.read(userId, turn, after);
  const store = await desk.store();
  const known = desk.replays.get(turn.id);
  const replay = known ?? replayLog(store, userId, turn);
  if (known === undefined) {
    desk.replays.set(turn.id, replay);
    replay.catch(() => desk.replays.delete(turn.id));
  }
  return (await replay).read(after);
}

async function stop(desk: Desk, userId: string, conversationId: string): Promise<Turn | undefined> {
  const store = await desk.store();
  const turn = await store.findRunningTurn(userId, conversationId);
  if (turn === undefined) return undefined;
  await desk.starting.get(turn.id)?.catch(() => undefined);
  const own = desk.local.get(turn.id);
  if (own === undefined && desk.over.get(turn.id) === undefined) {
    await store.askToStop(userId, turn.id);
    desk.events.tellStop(turn.owner);
    return turn;
  }
  own?.stop("user");
  await own?.done;
  return store.getTurn(userId, turn.id);
}

async function drain(desk: Desk, ms: number): Promise<void> {
  await waitWhile(() => isBusy(desk), ms);
  for (const each of running(desk)) each.stop("shutdown");
  await waitWhile(() => isBusy(desk), 3000);
}

/** A send that is under way is a turn that isn't in any list yet. */
const isBusy = ({ sending, local }: Desk): boolean => sending.size + local.size > 0;

async function waitWhile(isSo: () => boolean, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (isSo() && performance.now() < until) await sleep(20);
}

/** What was stored of the answer stays, and counts towards the limits. */
const unsavedEnd = ({
  usage,
  cost,
}: {
  readonly usage?: Usage;
  readonly cost?: number | undefined;
}): TurnEnd => ({
  state: "failed",
  error: {
    category: "server",
    code: "unsaved",
    message: "The answer could not be saved completely. Ask again to get it.",
    retryable: true,
  },
  ...(usage !== undefined && { usage }),
  ...(cost !== undefined && { cost }),
});
