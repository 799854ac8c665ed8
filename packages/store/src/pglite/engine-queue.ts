import type { Sql, SqlDriver, SqlResult } from "../postgres/driver.ts";
import type { Statement } from "./protocol.ts";

/** The outcome of a statement. */
export type StatementOutcome = PromiseSettledResult<SqlResult>;

/** Runs statements that don't need each other's results, and commits them together. */
export type RunGroup = (group: readonly Statement[]) => Promise<readonly StatementOutcome[]>;

/** The only connection to an engine, which callers use in turn. */
export interface EngineQueue extends Pick<SqlDriver, "query" | "transaction"> {
  /** Queues a statement inside the current transaction. */
  readonly run: Sql["query"];
  readonly inTurn: <T>(step: () => Promise<T>) => Promise<T>;
}

interface QueuedStatement extends Statement {
  readonly resolve: (result: SqlResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A group may hold the engine for this long, and take this much to put together. */
const most = { statements: 100, characters: 1024 * 1024 } as const;

/**
 * A commit waits for the disk, and every exchange with the engine costs as much as a small
 * statement. So statements that arrive while the engine is busy wait and go together. `afterwards`
 * runs after each group, before the next one.
 */
export function createEngineQueue(
  runGroup: RunGroup,
  afterwards: () => Promise<void>,
): EngineQueue {
  let last: Promise<unknown> = Promise.resolve();
  /** The last group in the queue, as long as it can grow. */
  let growing: { readonly members: QueuedStatement[]; characters: number } | undefined;

  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    growing = undefined;
    const next = last.then(step);
    last = next.then(afterwards).catch(() => undefined);
    return next;
  };
  const run: Sql["query"] = async (text, values = []) => {
    const [outcome] = await runGroup([{ text, values }]);
    if (outcome?.status !== "fulfilled") throw outcome?.reason;
    return outcome.value;
  };
  const settle = async (members: readonly QueuedStatement[]): Promise<void> => {
    if (growing?.members === members) growing = undefined;
    const outcomes = await runGroup(members.map(({ text, values }) => ({ text, values })));
    for (const [at, { resolve, reject }] of members.entries()) {
      const outcome = outcomes[at]!;
      if (outcome.status === "fulfilled") resolve(outcome.value);
      else reject(outcome.reason);
    }
  };
  const openGroup = (): NonNullable<typeof growing> => {
    const members: QueuedStatement[] = [];
    inTurn(() => settle(members)).catch((error: unknown) => {
      for (const { reject } of members) reject(error);
    });
    return { members, characters: 0 };
  };

  return {
    run,
    inTurn,
    query: (text, values = []) =>
      new Promise((resolve, reject) => {
        const group = (growing ??= openGroup());
        group.members.push({ text, values, resolve, reject });
        for (const value of values) if (typeof value === "string") group.characters += value.length;
        const { members, characters } = group;
        if (members.length >= most.statements || characters >= most.characters) growing = undefined;
      }),
    transaction: (steps) => inTurn(() => transact(run, steps)),
  };
}

async function transact<T>(run: Sql["query"], steps: (sql: Sql) => Promise<T>): Promise<T> {
  await run("begin");
  try {
    const result = await steps({ query: run });
    await run("commit");
    return result;
  } catch (error) {
    // A broken engine answers nothing any more; the first error says what happened.
    await run("rollback").catch(() => undefined);
    throw error;
  }
}
