import { setImmediate as nextRound } from "node:timers/promises";
import type { Tool, Usage, UserMessage } from "mull";
import type { BeginTurn, BegunTurn, Store, Turn, TurnEnd } from "@mull/store";
import { createLoopShare } from "../limits/loop-share.ts";
import { createRounds } from "../limits/rounds.ts";
import { full, noSuch, spent, tooMany } from "../http/refusals.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Limits, LogEntry } from "../parts.ts";
import { describeTurn } from "../conversations/describe-turn.ts";
import { endChunk } from "./chunks.ts";
import { followTurn, replayLog } from "./follow-turn.ts";
import { createLingering } from "./lingering.ts";
import { runTurn, type RunningTurn } from "./run-turn.ts";
import { createSpendingBook } from "./spending.ts";
import type { LogReader, TurnLog } from "./turn-log.ts";
import type { TurnMaker } from "./turn-maker.ts";
import { createUnendedTurns } from "./unended-turns.ts";

/** The turns of all conversations, as far as this process knows them. */
export interface Turns {
  /** Stores the question and starts the answer; the same send gets the same turn. */
  readonly begin: (given: BeginGiven) => Promise<Turn>;
  /** Reads a turn of the user from a number on, wherever it runs or ran. */
  readonly read: (userId: string, turn: Turn, after: number) => Promise<LogReader>;
  readonly findLocal: (turnId: string) => RunningTurn | undefined;
  /** Stops what runs in a conversation. Nothing running is fine. */
  readonly stop: (userId: string, conversationId: string) => Promise<Turn | undefined>;
  readonly running: () => readonly RunningTurn[];
  /** Ends in the store what ended here while it could not be stored. */
  readonly endUnsaved: () => Promise<void>;
  /** Ends all turns: those that finish in time are done, the rest is interrupted and kept. */
  readonly drain: (ms: number) => Promise<void>;
}

interface BeginGiven extends Omit<BeginTurn, "info"> {
  readonly message?: UserMessage;
  readonly info: NonNullable<BeginTurn["info"]>;
}

export interface TurnsParts {
  readonly store: () => Promise<Store>;
  readonly maker: TurnMaker;
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: (entry: LogEntry) => void;
  readonly scrub: (text: string) => string;
  readonly now: () => number;
}

const dayMs = 24 * 60 * 60_000;
/** Ended turns stay this long in memory for readers that come back. */
const lingerMs = 60_000;
const mostLingering = 200;
const replayMs = 5000;
const longHistory = 500;

export function createTurns(parts: TurnsParts): Turns {
  const { limits, metrics, log, now } = parts;
  const spending = createSpendingBook(parts);
  const loop = createLoopShare();
  const rounds = createRounds();
  const local = new Map<string, RunningTurn>();
  /** What is left of those that are over: readers need no more, and the rest is many times as large. */
  const over = new Map<string, Pick<RunningTurn, "userId" | "log">>();
  const lingering = createLingering({
    ms: lingerMs,
    most: mostLingering,
    drop: (turnId) => over.delete(turnId),
  });
  const running = (): readonly RunningTurn[] =>
    [...local.values()].filter((each) => !each.log.isOver());
  /** Sends that have been given room and do not run yet, and turns between the store and their run. */
  const sending = new Set<{ readonly userId: string }>();
  const starting = new Map<string, Promise<void>>();
  const unended = createUnendedTurns(parts.store);

  const forget = (turnId: string): void => {
    const run = local.get(turnId);
    if (run === undefined) return;
    local.delete(turnId);
    over.set(turnId, { userId: run.userId, log: run.log });
    lingering.add(turnId);
  };

  /** Readers that come back together share what is read for them. */
  const replays = new Map<string, Promise<TurnLog>>();
  const replay = (store: Store, userId: string, turn: Turn): Promise<TurnLog> => {
    const known = replays.get(turn.id);
    if (known !== undefined) return known;
    const made = replayLog(store, userId, turn);
    replays.set(turn.id, made);
    const drop = (): void => void replays.delete(turn.id);
    made.then(() => setTimeout(drop, replayMs).unref(), drop);
    return made;
  };

  const checkRoom = (userId: string): void => {
    const most = local.size + sending.size;
    if (most < limits.turns && most < limits.turnsPerUser) return;
    const taken = [...sending, ...running()];
    if (taken.length >= limits.turns) throw full("Too many turns are running on this server.");
    if (taken.filter((each) => each.userId === userId).length >= limits.turnsPerUser) {
      throw tooMany(`You have ${limits.turnsPerUser} turns running.`, 5000);
    }
  };

  const checkSpending = async (userId: string): Promise<void> => {
    if (limits.tokensPerDay <= 0 && limits.dollarsPerDay <= 0) return;
    const day = await spending.of(userId);
    if (limits.tokensPerDay > 0 && day.tokens >= limits.tokensPerDay) {
      throw spent(`You took ${day.tokens} tokens in 24 hours, the limit here.`, dayMs / 24);
    }
    if (limits.dollarsPerDay > 0 && day.cost >= limits.dollarsPerDay) {
      throw spent(`You spent $${day.cost.toFixed(2)} in 24 hours, the limit here.`, dayMs / 24);
    }
  };

  const start = async (userId: string, begun: BegunTurn): Promise<void> => {
    const store = await parts.store();
    const { turn, message } = begun;
    await loop.take();
    const prepared = await parts.maker.prepare(store, userId, turn, message);
    // What is sent of a long conversation is made in one go: whoever waits goes first.
    if (prepared.history.length > longHistory) await nextRound();
    const run = runTurn({
      store,
      userId,
      turn,
      ...prepared,
      metadata: describeTurn(turn),
      tools: parts.tools,
      limits,
      loop,
      rounds,
      now,
      scrub: parts.scrub,
      onTrouble: (error) => {
        log({ event: "save-trouble", turnId: turn.id, error: parts.scrub(String(error)) });
      },
      onEnd: (summary) => {
        metrics.count("mull_turns_total", { state: summary.state });
        for (const { plan, usage, cost } of summary.receipts) {
          metrics.count("mull_tokens_total", { model: plan.model }, usage?.total ?? 0);
          metrics.count("mull_dollars_total", { model: plan.model }, cost?.total ?? 0);
        }
        spending.add(userId, summary.usage.total ?? 0, summary.cost ?? 0);
        const { state, isSaved, error } = summary;
        if (!isSaved) {
          metrics.count("mull_unsaved_turns_total");
          unended.add(userId, turn.id, unsavedEnd(summary));
        }
        const tokens = summary.usage.total ?? null;
        log({
          event: "turn",
          turnId: turn.id,
          conversationId: turn.conversationId,
          userId,
          state,
          isSaved,
          tokens,
          ...(error?.["code"] !== undefined && { code: error["code"] }),
          ms: now() - turn.startedAt,
        });
        forget(turn.id);
      },
    });
    local.set(turn.id, run);
    run.done.catch((error: unknown) => {
      log({ event: "turn-crash", turnId: turn.id, error: parts.scrub(String(error)) });
      const end = unsavedEnd({});
      run.log.append(endChunk("failed", end.error));
      run.log.end();
      unended.add(userId, turn.id, end);
      forget(turn.id);
    });
  };

  const startNoted = async (userId: string, begun: BegunTurn): Promise<void> => {
    const { id } = begun.turn;
    const started = start(userId, begun);
    starting.set(id, started);
    try {
      await started;
    } catch (error) {
      unended.add(userId, id, { state: "failed", messages: [] });
      await unended.end().catch(() => undefined);
      throw error;
    } finally {
      starting.delete(id);
    }
  };

  return {
    async begin(given) {
      const { userId } = given;
      const store = await parts.store();
      checkRoom(userId);
      const send = { userId };
      sending.add(send);
      try {
        await checkSpending(userId);
        const begun = await store.beginTurn(given);
        if (begun.isNew) await startNoted(userId, begun);
        return begun.turn;
      } finally {
        sending.delete(send);
      }
    },

    async read(userId, turn, after) {
      const own = local.get(turn.id) ?? over.get(turn.id);
      if (own !== undefined) {
        if (own.userId !== userId) throw noSuch("turn");
        return own.log.read(after);
      }
      const store = await parts.store();
      if (turn.state === "running") return followTurn(store, userId, turn, after);
      return (await replay(store, userId, turn)).read(after);
    },

    findLocal: (turnId) => local.get(turnId),

    async stop(userId, conversationId) {
      const store = await parts.store();
      const turn = await store.findRunningTurn(userId, conversationId);
      if (turn === undefined) return undefined;
      await starting.get(turn.id)?.catch(() => undefined);
      const own = local.get(turn.id);
      if (own === undefined && !over.has(turn.id)) {
        await store.updateConversation(userId, conversationId, { info: { stop: turn.id } });
        return turn;
      }
      own?.stop("user");
      await own?.done;
      return store.getTurn(userId, turn.id);
    },

    running,

    endUnsaved: unended.end,

    async drain(ms) {
      const all = Promise.allSettled(running().map((each) => each.done));
      await Promise.race([all, pause(ms)]);
      for (const each of running()) each.stop("shutdown");
      await Promise.race([all, pause(3000)]);
    },
  };
}

/** What was stored of the answer stays; what it took counts. */
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
    message: "The answer could not be saved whole. Ask again to have it.",
    retryable: true,
  },
  ...(usage !== undefined && { usage }),
  ...(cost !== undefined && { cost }),
});

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
