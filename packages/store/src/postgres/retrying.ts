import { setTimeout as sleep } from "node:timers/promises";
import type { Sql, SqlDriver, SqlResult } from "./driver.ts";
import { whyAgain } from "./engine-error.ts";

/** A driver that tries again what fails for a reason that passes. */
export interface RetryingDriver extends Omit<SqlDriver, "transaction"> {
  /** `mayBeDone`: an attempt before this one lost its connection while it committed. */
  readonly transaction: <T>(run: (sql: Sql, mayBeDone: boolean) => Promise<T>) => Promise<T>;
}

/** Before each further attempt. Long enough for a server that restarts to notice that it does. */
const pausesMs: readonly number[] = [20, 100, 400];

/**
 * Transactions that got in each other's way, a connection that was lost, a server that starts: the
 * store tries again. What was sent on a connection that was lost may have been done all the same,
 * so every write names its rows itself: `on conflict do nothing` then finds them, and waits for an
 * attempt that still runs on the server.
 */
export function retrying(driver: SqlDriver): RetryingDriver {
  const attempt = async <T>(
    run: (mayBeDone: boolean) => Promise<T>,
    wasSent: () => boolean,
    mayBeDone = false,
    [pauseMs, ...further]: readonly number[] = pausesMs,
  ): Promise<T> => {
    try {
      return await run(mayBeDone);
    } catch (error) {
      const reason = whyAgain(error);
      if (reason === undefined || pauseMs === undefined) throw error;
      await sleep(pauseMs);
      return attempt(run, wasSent, mayBeDone || (reason === "lost" && wasSent()), further);
    }
  };

  const query = (...given: Parameters<Sql["query"]>): Promise<SqlResult> =>
    attempt(
      async (mayBeDone) => {
        const result = await driver.query(...given);
        return mayBeDone ? { ...result, mayBeDone } : result;
      },
      () => true,
    );

  const transaction: RetryingDriver["transaction"] = (run) => {
    let isCommitting = false;
    const once = (mayBeDone: boolean): ReturnType<typeof run> => {
      isCommitting = false;
      return driver.transaction(async (sql) => {
        const result = await run(sql, mayBeDone);
        isCommitting = true;
        return result;
      });
    };
    return attempt(once, () => isCommitting);
  };

  return { ...driver, query, transaction };
}
