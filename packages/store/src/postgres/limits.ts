import { decide, plannedFor, type Others } from "../limits/decide.ts";
import {
  spentHours,
  type LimitMethods,
  type Reservation,
  type Reserved,
  type Taken,
} from "../limits/methods.ts";
import { unhurried, type Sql, type SqlDriver } from "./driver.ts";
import type { PostgresContext } from "./rows.ts";

/** Any number other than the migrations' own; the second key is the user. */
const limitLock = 4_157_002;

/** Hours since the epoch, by the clock that all processes share. */
const thisHour = "floor(extract(epoch from now()) / 3600)::int";

const addSpent = `on conflict (user_id, hour) do update set
  tokens = spent_hours.tokens + excluded.tokens, cost = spent_hours.cost + excluded.cost`;

/** What a bucket holds now, and what is taken from it. */
const level = `least($2::float8, buckets.level
  + greatest(0, extract(epoch from clock_timestamp() - buckets.at)) * 1000 / $3::float8)`;
const some = (of: string): string => `floor(least($4::float8, ${of}))`;
const fullAfter = (left: string): string =>
  `clock_timestamp() + ($2::float8 - (${left})) * $3::float8 * interval '1 millisecond'`;

export function postgresLimits({ driver }: PostgresContext): LimitMethods {
  return {
    reserve: (given) => driver.transaction((sql) => reserve(sql, driver, given)),

    async settle(userId, turnId, { tokens, cost }) {
      await driver.query(
        `with over as (
          delete from reservations where turn_id = $1 and user_id = $2 returning tokens, cost
        )
        insert into spent_hours (user_id, hour, tokens, cost)
        select $2, ${thisHour}, greatest(0, $3::float8 - tokens), greatest(0, $4::float8 - cost) from over
        ${addSpent}`,
        [turnId, userId, tokens, cost],
      );
    },

    async takeFrom({ key, size, refillMs }, most = 1) {
      const { rows } = await driver.query(
        `insert into buckets (key, level, taken, at, full_at)
        select $1, $2::float8 - first.taken, first.taken, clock_timestamp(),
          ${fullAfter("$2::float8 - first.taken")}
        from (select ${some("$2::float8")} as taken) as first where ${unhurried(driver)}
        on conflict (key) do update set taken = ${some(level)},
          level = ${level} - ${some(level)}, at = clock_timestamp(),
          full_at = ${fullAfter(`${level} - ${some(level)}`)}
        returning taken, level`,
        [key, size, refillMs, most],
      );
      const { taken, level: left } = rows[0] as Record<"taken" | "level", number>;
      return { taken, waitMs: taken > 0 ? 0 : Math.ceil((1 - left) * refillMs) };
    },

    async giveBack({ key, size }, count = 1) {
      await driver.query(
        `update buckets set level = least($2::float8, level + $3::float8) where key = $1`,
        [key, size, count],
      );
    },

    async refill(key) {
      await driver.query(`delete from buckets where key = $1`, [key]);
    },

    async forgetLimits() {
      await driver.query(`delete from buckets where full_at <= now()`);
      await driver.query(`delete from reservations where until <= now() - interval '1 day'`);
      await driver.query(`delete from spent_hours where hour < ${thisHour} - $1::int`, [
        spentHours,
      ]);
    },
  };
}

/**
 * Take the lock first, in a statement of its own: a statement reads the state from when it started.
 * What a turn spent must not be lost; a place or a first step may be, because the next step takes it
 * again.
 */
async function reserve(sql: Sql, driver: SqlDriver, given: Reservation): Promise<Reserved> {
  const { userId, turnId } = given;
  const isUnspent = given.took.tokens === 0 && given.took.cost === 0;
  await sql.query(
    `select pg_advisory_xact_lock(${limitLock}, hashtext($1))${isUnspent ? ` where ${unhurried(driver)}` : ""}`,
    [userId],
  );
  const { isKnown, took, ...others } = await readTaken(sql, userId, turnId);
  const fresh = restOf(given.took, took);
  const spent = {
    tokens: others.spent.tokens + fresh.tokens,
    cost: others.spent.cost + fresh.cost,
  };
  const reserved = decide(given, { ...others, spent });
  if (reserved.refused !== undefined && !isKnown) return reserved;
  await keep(sql, given, reserved, fresh);
  return reserved;
}

/** Never below zero: a turn that crashed may not know what its steps took. */
const restOf = (all: Taken, settled: Taken): Taken => ({
  tokens: Math.max(0, all.tokens - settled.tokens),
  cost: Math.max(0, all.cost - settled.cost),
});

interface ReadTaken extends Others {
  /** The turn already has a reservation. */
  readonly isKnown: boolean;
  /** What it took, as far as it is settled. */
  readonly took: Taken;
}

/**
 * What the user's other turns hold, and what the user spent. A turn whose process died holds
 * nothing.
 */
async function readTaken(sql: Sql, userId: string, turnId: string): Promise<ReadTaken> {
  const { rows } = await sql.query(
    `select held.*, spent.*, own.turn_id is not null as is_known,
      coalesce(own.tokens, 0)::float8 as own_tokens, coalesce(own.cost, 0)::float8 as own_cost
    from (
      select count(*)::int as turns, coalesce(sum(held_tokens), 0)::float8 as held_tokens,
        coalesce(sum(held_cost), 0)::float8 as held_cost
      from reservations left join turns on turns.id = reservations.turn_id
      where reservations.user_id = $1 and turn_id <> $2 and until > clock_timestamp()
        and turns.state is distinct from 'interrupted'
    ) as held, (
      select coalesce(sum(tokens), 0)::float8 as tokens, coalesce(sum(cost), 0)::float8 as cost
      from spent_hours where user_id = $1 and hour >= ${thisHour} - ${spentHours}
    ) as spent left join reservations as own on own.turn_id = $2`,
    [userId, turnId],
  );
  const row = rows[0] as Record<string, number> & { readonly is_known: boolean };
  return {
    turns: row["turns"]!,
    spent: { tokens: row["tokens"]!, cost: row["cost"]! },
    held: { tokens: row["held_tokens"]!, cost: row["held_cost"]! },
    isKnown: row.is_known,
    took: { tokens: row["own_tokens"]!, cost: row["own_cost"]! },
  };
}

async function keep(sql: Sql, given: Reservation, reserved: Reserved, fresh: Taken): Promise<void> {
  const { userId, turnId, took, ms } = given;
  const held =
    reserved.refused === undefined ? plannedFor(given, reserved) : { tokens: 0, cost: 0 };
  await sql.query(
    `with settled as (
      insert into spent_hours (user_id, hour, tokens, cost)
      select $2, ${thisHour}, $8::float8, $9::float8 where $8::float8 <> 0 or $9::float8 <> 0
      ${addSpent}
    )
    insert into reservations (turn_id, user_id, tokens, cost, held_tokens, held_cost, until)
    values ($1, $2, $3::float8, $4::float8, $5::float8, $6::float8,
      clock_timestamp() + $7::float8 * interval '1 millisecond')
    on conflict (turn_id) do update set tokens = excluded.tokens, cost = excluded.cost,
      held_tokens = excluded.held_tokens, held_cost = excluded.held_cost, until = excluded.until`,
    [turnId, userId, took.tokens, took.cost, held.tokens, held.cost, ms, fresh.tokens, fresh.cost],
  );
}
