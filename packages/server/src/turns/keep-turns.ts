import type { ServerContext } from "../context.ts";

/** How often to renew leases and end turns of dead processes. */
const keepMs = 1000;
/** Stops are announced if possible; this finds the ones that weren't heard. */
const stopsMs = 1000;
/** So long without a word from the store, and other processes couldn't renew their leases either. */
const cutOffMs = 4 * keepMs;
/** Rounds that others then get to renew them, before this process ends turns as those of the dead. */
const roundsOfGrace = 10;
const revokedMs = 2000;

export interface KeepParts extends Pick<ServerContext, "store" | "log" | "scrub" | "revocations"> {
  readonly events: Pick<ServerContext["events"], "onStop">;
  readonly turns: Pick<ServerContext["turns"], "findLocal" | "running" | "tidy">;
  readonly parts: Pick<ServerContext["parts"], "isShared">;
}

/** Says that this process is alive, ends turns of dead ones, and receives stops from others. */
export function keepTurns(context: KeepParts): { readonly stop: () => void } {
  const { store, log, scrub, turns } = context;
  // A store that can't be opened is somebody else's news.
  const isOpen = store().then(
    () => true,
    () => false,
  );
  let isOver = false;
  let rounds = 0;
  let nextRecovery = 0;
  let keptAt: number | undefined;
  const keep = async (): Promise<void> => {
    const opened = await store();
    const living = await opened.renewLeases();
    const now = performance.now();
    // A pooler keeps all processes out for seconds after the database is back, and lets one in first.
    if (now - (keptAt ?? now) > cutOffMs) nextRecovery = rounds + roundsOfGrace;
    keptAt = now;
    // Of a hundred processes, not all need to look every second for what one of them finds.
    if (rounds >= nextRecovery) {
      nextRecovery = rounds + Math.floor(Math.random() * living);
      for (const turn of await opened.recoverTurns()) {
        log({ event: "recovered", turnId: turn.id, conversationId: turn.conversationId });
      }
    }
    if (rounds++ % 600 === 0) {
      await opened.deleteExpiredSessions();
      await opened.forgetLimits();
    }
  };
  const hearStops = async (): Promise<void> => {
    const opened = await store();
    await opened.hearStops((turnId) => turns.findLocal(turnId)?.stop("user"));
  };
  const every = (ms: number, work: () => Promise<void>): { go: () => void; stop: () => void } => {
    let isBusy = false;
    let trouble: string | undefined;
    // A database that is away for an hour is logged once, not thousands of times.
    const see = (found: string | undefined): void => {
      if (isOver || found === trouble) return;
      trouble = found;
      log(found === undefined ? { event: "keep-well" } : { event: "keep-trouble", error: found });
    };
    const go = (): void => {
      if (isBusy) return;
      isBusy = true;
      isOpen
        .then((is) => (is ? work() : undefined))
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
    return { go, stop: () => clearInterval(timer) };
  };
  const works = [
    every(keepMs, keep),
    every(keepMs, turns.tidy),
    every(revokedMs, context.revocations.check),
  ];
  if (context.parts.isShared) {
    const hearing = every(stopsMs, hearStops);
    context.events.onStop(hearing.go);
    works.push(hearing);
  }
  return {
    stop: () => {
      isOver = true;
      for (const { stop } of works) stop();
    },
  };
}
