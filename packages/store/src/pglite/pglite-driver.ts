import { join } from "node:path";
import { hold } from "../lock/hold.ts";
import { makeFolder } from "../make-folder.ts";
import { safeValues, type SqlDriver } from "../postgres/driver.ts";
import { engineError } from "../postgres/engine-error.ts";
import { isClosed } from "../refusals.ts";
import { createDiskRoom, isWriting, type DiskRoom, type DiskRoomOptions } from "./disk-room.ts";
import { createEngineQueue, type RunGroup } from "./engine-queue.ts";
import { startEngineThread, type EngineThread } from "./engine-thread.ts";
import { createMaintenance } from "./maintenance.ts";
import type { Statement } from "./protocol.ts";

/** Settings of `pgliteDriver`. */
export interface PgliteDriverOptions extends DiskRoomOptions {
  /**
   * Called when the engine broke. By default the process exits with 70, and a supervisor starts it
   * again.
   */
  readonly onBroken?: (error: Error) => void;
  /** Log written between checkpoints. Default 64 MB. */
  readonly checkpointBytes?: number;
  /** Longest time between checkpoints while there are writes. Default 5 minutes. */
  readonly checkpointMs?: number;
}

/**
 * An embedded Postgres in `folder`, in a thread of its own. Commits are synced to the disk. Only
 * one process at a time can use a folder; a second one fails at once and is told which process has
 * it.
 */
export async function pgliteDriver(
  folder: string,
  options: PgliteDriverOptions = {},
): Promise<SqlDriver> {
  await makeFolder(folder);
  const held = await hold(join(folder, "database"));
  try {
    const data = join(folder, "database");
    const engine = await startEngineThread(data, options.onBroken ?? exitBroken);
    const room = createDiskRoom(folder, options);
    return createDriver(engine, options, room, held.release);
  } catch (error) {
    await held.release();
    throw engineError(error);
  }
}

function exitBroken(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 70;
  // Answer the failed calls first.
  setImmediate(() => process.exit(70));
}

/** Turns failures of the engine into store errors. */
const inOurWords =
  (run: RunGroup): RunGroup =>
  async (group) => {
    const outcomes = await run(group).catch((error: unknown) => {
      throw engineError(error);
    });
    return outcomes.map((outcome) =>
      outcome.status === "fulfilled"
        ? outcome
        : { status: "rejected", reason: engineError(outcome.reason) },
    );
  };

const refuse = (): Promise<never> => Promise.reject(isClosed());

function createDriver(
  engine: EngineThread,
  options: PgliteDriverOptions,
  room: DiskRoom,
  release: () => Promise<void>,
): SqlDriver {
  let closing: Promise<void> | undefined;

  const runGroup: RunGroup = async (group) => {
    // Reject the waiting callers before touching the disk: a broken engine may end the process.
    const over = engine.whyOver();
    if (over !== undefined) throw over;
    const full = group.some(isWriting) ? await room.whyFull() : undefined;
    const isLetIn = (statement: Statement): boolean => full === undefined || !isWriting(statement);
    const letIn = group.filter(isLetIn).map(({ text, values }) => {
      const statement = { text, values: safeValues(values) };
      maintenance.count(statement.values);
      return statement;
    });
    const outcomes = (letIn.length === 0 ? [] : await engine.run(letIn)).values();
    return group.map((statement) =>
      isLetIn(statement) ? outcomes.next().value! : { status: "rejected", reason: full },
    );
  };
  const queue = createEngineQueue(inOurWords(runGroup), () => maintenance.runIfDue());
  const maintenance = createMaintenance(queue, options);

  const closeNow = async (): Promise<void> => {
    maintenance.stop();
    try {
      await queue.inTurn(async () => {
        await queue.run("checkpoint");
        await engine.close();
      });
    } finally {
      await release();
    }
  };
  const close = (): Promise<void> => (closing ??= closeNow());

  return {
    isExclusive: true,
    query: (text, values) => (closing === undefined ? queue.query(text, values) : refuse()),
    transaction: (steps) => (closing === undefined ? queue.transaction(steps) : refuse()),
    close,
    [Symbol.asyncDispose]: close,
  };
}
