import type { Engine } from "../../pglite/open-engine.ts";
import type { Sql, SqlDriver } from "../../postgres/driver.ts";

/** The engine in this thread, where its file calls can be watched. For one caller at a time. */
export function engineDriver(engine: Engine): SqlDriver {
  const query: Sql["query"] = (text, values = []) => engine.query(text, values);
  return {
    isExclusive: true,
    query,
    transaction: async (run) => {
      await query("begin");
      try {
        const result = await run({ query });
        await query("commit");
        return result;
      } catch (error) {
        await query("rollback");
        throw error;
      }
    },
    close: engine.close,
    [Symbol.asyncDispose]: engine.close,
  };
}
