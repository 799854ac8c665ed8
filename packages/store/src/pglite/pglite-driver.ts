import { join } from "node:path";
import { hold } from "../lock/hold.ts";
import { makeFolder } from "../make-folder.ts";
import { safeValues, type Sql, type SqlDriver } from "../postgres/driver.ts";
import { engineError } from "../postgres/engine-error.ts";
import { storeError } from "../store-error.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createDiskRoom, type DiskRoom, type DiskRoomOptions } from "./disk-room.ts";
import { startEngineThread, type EngineThread } from "./engine-thread.ts";

export interface PgliteDriverOptions extends DiskRoomOptions {
  /** The engine broke. The default ends the process with 70; a supervisor starts it again. */
  readonly onBroken?: (error: Error) => void;
  /** Log written between checkpoints. 64 MB when left out. */
  readonly checkpointBytes?: number;
  /** Longest time between checkpoints while there are writes. 5 minutes when left out. */
  readonly checkpointMs?: number;
}

/**
 * An embedded Postgres in `folder`, in a thread of its own. Commits are synced to the disk.
 * One live process per folder: a second one fails at once and is told who has it.
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
  // The failed calls are answered first.
  setImmediate(() => process.exit(70));
}

function createDriver(
  engine: EngineThread,
  options: PgliteDriverOptions,
  room: DiskRoom,
  release: () => Promise<void>,
): SqlDriver {
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  /** The engine has one connection: transactions and statements take turns. */
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const next = last.then(step);
    last = next.catch(() => undefined);
    return next;
  };
  const run: Sql["query"] = async (text, values = []) => {
    try {
      const safe = safeValues(values);
      await room.check(text);
      checkpoints.count(safe);
      return await engine.query(text, safe);
    } catch (error) {
      throw engineError(error);
    }
  };
  const checkpoints = createCheckpoints(run, options, inTurn);

  const guarded = <T>(step: () => Promise<T>): Promise<T> =>
    closing === undefined
      ? inTurn(async () => {
          const result = await step();
          await checkpoints.runIfDue();
          return result;
        })
      : Promise.reject(storeError("closed", "The store is closed."));

  const closeNow = async (): Promise<void> => {
    checkpoints.stop();
    try {
      await inTurn(async () => {
        await run("checkpoint");
        await engine.close();
      });
    } finally {
      await release();
    }
  };
  const close = (): Promise<void> => (closing ??= closeNow());

  return {
    isExclusive: true,
    query: (text, values) => guarded(() => run(text, values)),
    transaction: (steps) => guarded(() => transact(run, steps)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function transact<T>(run: Sql["query"], steps: (sql: Sql) => Promise<T>): Promise<T> {
  await run("begin");
  try {
    const result = await steps({ query: run });
    await run("commit");
    return result;
  } catch (error) {
    // Of no use on a broken engine, which answers nothing more; the first error says what happened.
    await run("rollback").catch(() => undefined);
    throw error;
  }
}
