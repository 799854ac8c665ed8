import type { Store } from "@mull/store";
import type { ServerContext } from "../context.ts";
import type { RunningTurn } from "./run-turn.ts";
import { isLost } from "./save-turn.ts";

/** How often leases are renewed and turns of dead processes ended. */
const keepMs = 1000;
const stopsMs = 400;
const revokedMs = 2000;

export interface KeepParts extends Pick<ServerContext, "store" | "log" | "scrub" | "revocations"> {
  readonly turns: Pick<ServerContext["turns"], "running" | "tidy">;
  readonly parts: Pick<ServerContext["parts"], "isShared">;
}

/** Says that this process lives, ends turns whose process does not, and hears stops from others. */
export function keepTurns(context: KeepParts): { readonly stop: () => void } {
  const { store, log, scrub, turns } = context;
  let rounds = 0;
  const keep = async (): Promise<void> => {
    const opened = await store();
    await opened.renewLeases();
    for (const turn of await opened.recoverTurns()) {
      log({ event: "recovered", turnId: turn.id, conversationId: turn.conversationId });
    }
    if (rounds++ % 600 === 0) {
      await opened.deleteExpiredSessions();
      await opened.forgetLimits();
    }
  };
  const hearStops = async (): Promise<void> => {
    const opened = await store();
    for (const run of turns.running()) if (await isStopped(opened, run)) run.stop("user");
  };
  const every = (ms: number, work: () => Promise<void>): (() => void) => {
    let isBusy = false;
    let trouble: string | undefined;
    // A database that is away for an hour is said once, not thousands of times.
    const see = (found: string | undefined): void => {
      if (found === trouble) return;
      trouble = found;
      log(found === undefined ? { event: "keep-well" } : { event: "keep-trouble", error: found });
    };
    const go = (): void => {
      if (isBusy) return;
      isBusy = true;
      work()
        .then(
          () => see(undefined),
          (error: unknown) => see(scrub(String(error))),
        )
        .finally(() => {
          isBusy = false;
        });
    };
    go();
    const timer = setInterval(go, ms).unref();
    return () => clearInterval(timer);
  };
  const stops = [
    every(keepMs, keep),
    every(keepMs, turns.tidy),
    every(revokedMs, context.revocations.check),
    ...(context.parts.isShared ? [every(stopsMs, hearStops)] : []),
  ];
  return {
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** By another process: asked for in the conversation, or meant by deleting it. */
async function isStopped(store: Store, { turn, userId }: RunningTurn): Promise<boolean> {
  try {
    const { info } = await store.getConversation(userId, turn.conversationId);
    return info["stop"] === turn.id;
  } catch (error) {
    if (isLost(error)) return true;
    throw error;
  }
}
