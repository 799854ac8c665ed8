import {
  spentHours,
  type LimitMethods,
  type LimitRefusal,
  type Reservation,
  type Reserved,
  type ReservedTurn,
} from "../limits/methods.ts";
import type { BeginTurn } from "../store.ts";
import { beginning } from "./begin-now.ts";
import { unlessTaken } from "./begin-turn.ts";
import {
  createBindings,
  inSteps,
  unhurried,
  type SqlDriver,
  type SqlRow,
  type SqlValue,
} from "./driver.ts";
import type { PostgresContext } from "./rows.ts";

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

export function postgresLimits(context: PostgresContext): LimitMethods {
  const { driver } = context;
  return {
    reserve: async (given, turn) =>
      (turn && (await reserveAndBegin(context, given, turn))) ?? reserve(driver, given),

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
 * Two turns of a user that ask at the same moment must not both get the same room. Each counts up
 * the user's version, but only from the one it saw when it read what others hold: so one of them
 * gets through, and the other reads again.
 */
async function reserve(driver: SqlDriver, given: Reservation): Promise<Reserved> {
  const { values, bind } = createBindings();
  const { steps, result } = reserving(given, bind, unhurried(driver));
  const text = inSteps(steps, result);
  for (;;) {
    const { rows } = await driver.query(text, values);
    const row = rows[0] as ReservedRow;
    if (!row.is_overtaken) return reservedIn(row);
  }
}

/**
 * In one statement, because the first byte of an answer waits for it. `undefined` if another
 * request got in between.
 */
async function reserveAndBegin(
  context: PostgresContext,
  given: Reservation,
  turn: BeginTurn,
): Promise<ReservedTurn | undefined> {
  const { driver } = context;
  const { values, bind } = createBindings();
  const place = reserving(given, bind, "true");
  const hasPlace = "exists (select from kept, decided where granted is not null)";
  const begin = beginning(context, { ...turn, turnId: given.turnId }, bind, hasPlace);
  const text = inSteps(
    { ...place.steps, ...begin.steps },
    `select place.*, ${begin.columns} from (${place.result}) as place left join begun on true`,
  );
  const found = await unlessTaken(driver.query(text, values));
  const [row] = found?.rows ?? [];
  if (row === undefined || row["is_overtaken"] === true) return undefined;
  return {
    ...reservedIn(row as ReservedRow),
    ...(row["id"] !== null && { begun: await begin.read(driver, row) }),
  };
}

const reservedIn = (row: ReservedRow): Reserved => {
  const { granted, refused, spent_tokens, spent_cost, held_tokens, held_cost } = row;
  return {
    granted: granted ?? 0,
    ...(granted === null && { refused }),
    spent: { tokens: spent_tokens, cost: spent_cost },
    held: { tokens: held_tokens, cost: held_cost },
  };
};

interface ReservedRow extends SqlRow {
  /** `null`: refused. */
  readonly granted: number | null;
  /** The limit with the least room. */
  readonly refused: LimitRefusal;
  readonly is_overtaken: boolean;
  readonly spent_tokens: number;
  readonly spent_cost: number;
  readonly held_tokens: number;
  readonly held_cost: number;
}

/** What a limit leaves, in SQL. */
const left = (limit: string, name: "tokens" | "cost", taken: string): string =>
  `case when ${limit} > 0 then ${limit} - spent_${name} - held_${name} - ${taken}
    else 'Infinity' end`;

/**
 * The steps of one statement. Decides as `limits/decide.ts` does. What a turn spent must not be
 * lost; a place or a first step may be if nothing else is stored with it, because the next step
 * takes it again: `ifUnspent` says so. A turn whose process died holds nothing.
 */
function reserving(
  { userId, turnId, took, most, input, output, ms }: Reservation,
  bind: (value: SqlValue) => string,
  ifUnspent: string,
): { readonly steps: Readonly<Record<string, string>>; readonly result: string } {
  const number = (value: number): string => `${bind(value)}::float8`;
  const [user, turn] = [bind(userId), bind(turnId)];
  const [tookTokens, tookCost] = [number(took.tokens), number(took.cost)];
  const [tokens, cost] = [number(input.tokens), number(input.cost)];
  const [wanted, least, each] = [output.wanted, output.least, output.costEach].map(number);
  const isUnspent = took.tokens === 0 && took.cost === 0;
  const steps = {
    seen: `select coalesce(max(version), 0) as version from spenders where user_id = ${user}`,
    held: `select count(*)::int as turns, coalesce(sum(held_tokens), 0)::float8 as held_tokens,
        coalesce(sum(held_cost), 0)::float8 as held_cost
      from reservations left join turns on turns.id = reservations.turn_id
      where reservations.user_id = ${user} and turn_id <> ${turn} and until > clock_timestamp()
        and turns.state is distinct from 'interrupted'`,
    own: `select count(*) > 0 as is_known,
        greatest(0, ${tookTokens} - coalesce(max(tokens), 0)) as fresh_tokens,
        greatest(0, ${tookCost} - coalesce(max(cost), 0)) as fresh_cost
      from reservations where turn_id = ${turn}`,
    spent: `select coalesce(sum(tokens), 0) + (select fresh_tokens from own) as spent_tokens,
        coalesce(sum(cost), 0) + (select fresh_cost from own) as spent_cost
      from spent_hours where user_id = ${user} and hour >= ${thisHour} - ${spentHours}`,
    money: `select ${left(number(most.cost), "cost", cost)} as dollars from held, spent`,
    rooms: `select case when ${number(most.turns)} between 1 and turns
          then '-Infinity' else 'Infinity' end::float8 as turn_room,
        ${left(number(most.tokens), "tokens", tokens)} as token_room,
        case when ${each} > 0 then dollars / ${each}
          when dollars > 0 then 'Infinity' else dollars end as cost_room
      from held, spent, money`,
    decided: `select case when room > 0 and floor(least(${wanted}, room)) >= ${least}
          then floor(least(${wanted}, room)) end as granted,
        case room when turn_room then 'turns' when token_room then 'tokens' else 'cost' end
          as refused
      from rooms, least(turn_room, token_room, cost_room) as room`,
    /** A turn that has no place yet and gets none leaves nothing. */
    meant: `select granted, is_known, fresh_tokens, fresh_cost from decided, own
      where granted is not null or is_known`,
    counted: `insert into spenders (user_id, version)
      select ${user}, 1 from meant ${isUnspent ? `where ${ifUnspent}` : ""}
      on conflict (user_id) do update set version = spenders.version + 1
        where spenders.version = (select version from seen)
      returning version`,
    settled: `insert into spent_hours (user_id, hour, tokens, cost)
      select ${user}, ${thisHour}, fresh_tokens, fresh_cost from meant, counted
      where fresh_tokens <> 0 or fresh_cost <> 0
      ${addSpent}`,
    kept: `insert into reservations
        (turn_id, user_id, tokens, cost, held_tokens, held_cost, until)
      select ${turn}, ${user}, ${tookTokens}, ${tookCost}, coalesce(${tokens} + granted, 0),
        coalesce(${cost} + granted * ${each}, 0),
        clock_timestamp() + ${number(ms)} * interval '1 millisecond'
      from meant, counted
      on conflict (turn_id) do update set tokens = excluded.tokens, cost = excluded.cost,
        held_tokens = excluded.held_tokens, held_cost = excluded.held_cost, until = excluded.until
      returning turn_id`,
  };
  const result = `select decided.*, held_tokens, held_cost, spent_tokens, spent_cost,
      exists (select from meant) and not exists (select from counted) as is_overtaken
    from decided, held, spent`;
  return { steps, result };
}
