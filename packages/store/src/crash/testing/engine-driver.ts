import { createEngineQueue, type StatementOutcome } from "../../pglite/engine-queue.ts";
import type { Engine } from "../../pglite/open-engine.ts";
import type { SqlDriver } from "../../postgres/driver.ts";

/** The engine in this thread, where its file calls can be watched. The queue is the real one. */
export function engineDriver(engine: Engine): SqlDriver {
  const { query, transaction, inTurn } = createEngineQueue(
    async (group) =>
      (await engine.run(group)).map((outcome): StatementOutcome =>
        "failure" in outcome
          ? { status: "rejected", reason: new Error(outcome.failure.message) }
          : { status: "fulfilled", value: outcome },
      ),
    async () => undefined,
  );
  return {
    isExclusive: true,
    query,
    transaction,
    close: () => inTurn(engine.close),
    [Symbol.asyncDispose]: () => inTurn(engine.close),
  };
}
