import { setTimeout as sleep } from "node:timers/promises";
import type { Sql, SqlDriver, SqlResult } from "./driver.ts";
import { whyAgain } from "./engine-error.ts";

/** A driver that retries after failures that pass. */
export interface RetryingDriver extends Omit<SqlDriver, "transaction"> {
  /** `mayBeDone`: an earlier attempt lost its connection while it committed. */
  readonly transaction: <T>(run: (sql: Sql, mayBeDone: boolean) => Promise<T>) => Promise<T>;
}

/**
 * Called before each further attempt. The delays are long enough to notice a server that restarts.
 */
const pausesMs: readonly number[] = [20, 100, 400];

/**
 * Transactions that got in each other's way, a lost connection, a server that is starting: the
 * store tries again. A statement on a lost connection may have been done anyway. So every
 * write chooses its own row ids: `on conflict do nothing` finds them, and waits for an attempt that
 * still runs on the server.
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
