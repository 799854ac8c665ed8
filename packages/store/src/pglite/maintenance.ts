import type { Sql, SqlValue } from "../postgres/driver.ts";
import type { EngineQueue } from "./engine-queue.ts";

export interface MaintenanceOptions {
  readonly checkpointBytes?: number;
  readonly checkpointMs?: number;
}

export interface Maintenance {
  /** Called before a statement runs. */
  readonly count: (values: readonly SqlValue[]) => void;
  /** Called between statements: writes a checkpoint when the log has grown enough, and vacuums. */
  readonly runIfDue: () => Promise<void>;
  readonly stop: () => void;
}

/** Asking for the length of the log costs a statement, so it happens only after this much work. */
const lookEvery = { statements: 200, bytes: 4 * 1024 * 1024 } as const;
/** The same for dead rows. */
const tidyEvery = 4000;

/** Vacuums the untidiest table. Only one at a time, because every caller waits for it. */
const tidying = `with untidy as (
    select *, n_dead_tup > 1000 + least(n_live_tup / 5, 20000) as is_littered,
      n_mod_since_analyze > 1000 + n_live_tup as is_unknown
    from pg_stat_user_tables
  )
  select case when is_littered then 'vacuum (analyze) ' else 'analyze ' end
    || format('%I.%I', schemaname, relname) as statement
  from untidy where is_littered or is_unknown
  order by n_dead_tup + n_mod_since_analyze desc limit 1`;

/**
 * The embedded engine has no background processes. Without checkpoints its log would grow for ever,
 * and the next start would replay all of it. Changed and deleted rows would keep their room, and
 * plans would be made for empty tables.
 */
export function createMaintenance(
  { run, inTurn }: Pick<EngineQueue, "run" | "inTurn">,
  options: MaintenanceOptions,
): Maintenance {
  const limit = options.checkpointBytes ?? 64 * 1024 * 1024;
  let statements = 0;
  let bytes = 0;
  let untidied = 0;
  let hasWork = false;
  let position: string | undefined;

  const checkpoint = async (): Promise<void> => {
    await run("checkpoint");
    position = await logPosition(run);
    hasWork = false;
  };
  const look = async (): Promise<void> => {
    position ??= await logPosition(run);
    const { rows } = await run(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 as grown`,
      [position],
    );
    if ((rows[0]?.["grown"] as number) >= limit) await checkpoint();
    statements = 0;
    bytes = 0;
  };
  const tidy = async (): Promise<void> => {
    untidied = 0;
    const { rows } = await run(tidying);
    if (rows[0] !== undefined) await run(rows[0]["statement"] as string);
  };
  const timer = setInterval(
    () => {
      if (hasWork) inTurn(checkpoint).catch(() => undefined);
    },
    options.checkpointMs ?? 5 * 60 * 1000,
  );
  timer.unref();

  return {
    count: (values) => {
      hasWork = true;
      statements += 1;
      untidied += 1;
      for (const value of values) bytes += typeof value === "string" ? value.length : 8;
    },
    runIfDue: async () => {
      if (statements >= lookEvery.statements || bytes >= Math.min(lookEvery.bytes, limit)) {
        await look();
      }
      if (untidied >= tidyEvery) await tidy();
    },
    stop: () => clearInterval(timer),
  };
}

const logPosition = async (run: Sql["query"]): Promise<string> => {
  const { rows } = await run("select pg_current_wal_lsn()::text as position");
  return rows[0]?.["position"] as string;
};
