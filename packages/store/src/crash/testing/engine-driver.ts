import type { Engine } from "../../pglite/open-engine.ts";
import type { Sql, SqlDriver } from "../../postgres/driver.ts";

/** The engine in this thread, where its file calls can be watched. Statements and transactions take turns. */
export function engineDriver(engine: Engine): SqlDriver {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const next = last.then(step);
    last = next.catch(() => undefined);
    return next;
  };
  const query: Sql["query"] = (text, values = []) => engine.query(text, values);
  const transact = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
    await query("begin");
    try {
      const result = await run({ query });
      await query("commit");
      return result;
    } catch (error) {
      await query("rollback");
      throw error;
    }
  };
  return {
    isExclusive: true,
    query: (text, values) => inTurn(() => query(text, values)),
    transaction: (run) => inTurn(() => transact(run)),
    close: () => inTurn(engine.close),
    [Symbol.asyncDispose]: () => inTurn(engine.close),
  };
}
