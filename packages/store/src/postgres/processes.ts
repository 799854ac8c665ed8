import type { Sql } from "./driver.ts";
import { isHolderGone, isHolding } from "./hold-names.ts";
import type { PostgresContext } from "./rows.ts";

/** Milliseconds in a parameter as an interval. */
const interval = (parameter: string): string =>
  `make_interval(secs => ${parameter}::float8 / 1000)`;

/**
 * Says that this process is alive, by the database's clock, since its own may be wrong. Returns how
 * many processes are known to be.
 */
export async function sayAlive({ driver, owner, leaseMs }: PostgresContext): Promise<number> {
  const { rows } = await driver.query(
    `with said as (
      insert into processes (owner, lease_until, lease)
      values ($1, clock_timestamp() + ${interval("$2")}, ${interval("$2")})
      on conflict (owner) do update
        set lease_until = excluded.lease_until, lease = excluded.lease
      returning 1)
    select count(*)::int + 1 as living from processes, said
    where owner <> $1 and lease_until > clock_timestamp()`,
    [owner, leaseMs],
  );
  return rows[0]!["living"] as number;
}

/**
 * An SQL condition: a lease has run out. It couldn't be renewed while the engine was down, so each
 * lease is good for its whole length after a start. Older releases have a lease on each turn and
 * none for the process. `owner` may be a column of `processes`, so the table has another name here.
 */
const isLeaseOver = (owner: string, turnLease: string): string =>
  `coalesce(
    (select greatest(own.lease_until, pg_postmaster_start_time() + own.lease) from processes as own
      where own.owner = ${owner}),
    ${turnLease}) < clock_timestamp()`;

/**
 * An SQL condition: the process is gone. If it holds a lock, the lock decides; otherwise its lease.
 */
export const isGone = (owner: string, turnLease: string): string =>
  `(${isHolderGone(owner)} or (not ${isHolding(owner)} and ${isLeaseOver(owner, turnLease)}))`;

/**
 * Processes that are gone and still have running turns. If only this process can open the data, all
 * others are gone.
 */
export async function findGone(
  sql: Sql,
  { driver, owner }: PostgresContext,
): Promise<readonly { readonly id: string; readonly userId: string }[]> {
  const { rows } = await sql.query(
    `with owners as (
      select owner, min(lease_until) as turn_lease from turns
      where state = 'running' and owner <> $1 group by owner),
    gone as (select owner from owners where $2 or ${isGone("owners.owner", "owners.turn_lease")})
    select id, user_id from turns, gone where turns.owner = gone.owner and state = 'running'`,
    [owner, driver.isExclusive],
  );
  return rows.map((row) => ({ id: row["id"] as string, userId: row["user_id"] as string }));
}

/** Forgets processes that are gone and left no turn, and their rows. */
export async function forgetProcesses(sql: Sql): Promise<void> {
  await sql.query(
    `delete from processes where ${isGone("processes.owner", "processes.lease_until")}
      and lease_until < clock_timestamp() - interval '1 hour'
      and not exists (
        select 1 from turns where turns.owner = processes.owner and state = 'running')`,
  );
  await sql.query(`delete from turn_stops where asked_at < now() - interval '1 hour'`);
  await sql.query(
    `delete from turn_texts using turns where turns.id = turn_id and state <> 'running'`,
  );
}
