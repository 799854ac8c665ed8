import type { Store, Turn } from "@mull/store";
import { describeTurn } from "../conversations/describe-turn.ts";
import { cutOf, replayTurn, type StoredTurn } from "./replay-turn.ts";
import { createTurnLog, type LogReader, type TurnLog } from "./turn-log.ts";

const pollMs = 250;

async function loadTurn(store: Store, userId: string, turnId: string): Promise<StoredTurn> {
  const turn = await store.getTurn(userId, turnId);
  const [all, draft] = await Promise.all([
    store.listMessages(userId, turn.conversationId),
    store.getDraft(userId, turnId),
  ]);
  const messages = all
    .filter((each) => each.turnId === turnId && each.id !== turn.messageId)
    .map((each) => each.message);
  return { turn, messages, draft, metadata: describeTurn(turn) };
}

/** The log of a turn that is over, made from the store. */
export async function replayLog(store: Store, userId: string, turn: Turn): Promise<TurnLog> {
  const log = createTurnLog();
  const stored = await loadTurn(store, userId, turn.id);
  for (const chunk of replayTurn(stored)) log.append(chunk);
  log.end(cutOf(stored.turn));
  return log;
}

/** Reads a turn that another process runs: block by block, as they reach the store. */
export function followTurn(store: Store, userId: string, turn: Turn, after: number): LogReader {
  const log = createTurnLog();
  const left = new AbortController();
  let failure: unknown;
  const follow = async (): Promise<void> => {
    let seen = 0;
    for (let isRunning = true; isRunning && !left.signal.aborted;) {
      const stored = await loadTurn(store, userId, turn.id);
      const chunks = replayTurn(stored);
      for (const chunk of chunks.slice(seen)) log.append(chunk);
      seen = Math.max(seen, chunks.length);
      isRunning = stored.turn.state === "running";
      if (!isRunning) log.end(cutOf(stored.turn));
      else await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  follow().catch((error: unknown) => {
    failure = error;
    log.end();
  });
  const reader = log.read(after);
  return {
    async next() {
      const frames = await reader.next();
      // A broken line is taken up again; an end would be believed.
      if (frames === undefined && failure !== undefined) throw failure;
      return frames;
    },
    cancel() {
      left.abort();
      reader.cancel();
    },
  };
}
