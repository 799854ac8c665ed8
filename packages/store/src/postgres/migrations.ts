import { storeError } from "../store-error.ts";
import type { SqlDriver } from "./driver.ts";

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /**
   * It only adds, so an older release works without knowing of it. It is noted where older releases
   * don't look, so going back to one needs no work on the database.
   */
  readonly onlyAdds?: boolean;
}

/** Append only: a migration that has run somewhere is never changed, moved or removed. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-conversations",
    statements: [
      `create table conversations (
        id text primary key,
        user_id text not null,
        title text not null,
        head text,
        info json not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`,
      `create index conversations_by_user on conversations (user_id, updated_at desc)`,
      // json, never jsonb: jsonb refuses NUL and lone surrogates and rewrites keys and numbers.
      `create table messages (
        id text primary key,
        conversation_id text not null references conversations (id) on delete cascade,
        user_id text not null,
        parent_id text,
        turn_id text,
        role text not null check (role in ('system', 'user', 'assistant', 'tool')),
        parts json not null,
        fields json not null,
        search text not null,
        created_at timestamptz not null,
        unique (conversation_id, created_at)
      )`,
      `create index messages_by_turn on messages (turn_id) where turn_id is not null`,
      // The operators of json fail on a row with NUL; they work on this view.
      `create view readable_messages as
        select id, conversation_id, user_id, parent_id, turn_id, role,
          replace(parts::text, '\\u0000', '\\ufffd')::json as parts, created_at
        from messages`,
    ],
  },
  {
    name: "0002-turns",
    statements: [
      `create table turns (
        id text primary key,
        conversation_id text not null references conversations (id) on delete cascade,
        user_id text not null,
        state text not null
          check (state in ('running', 'done', 'stopped', 'failed', 'interrupted')),
        owner text not null,
        lease_until timestamptz not null,
        message_id text not null,
        idempotency_key text,
        fingerprint text not null,
        info json not null,
        usage json,
        tokens bigint,
        cost double precision,
        receipt json,
        error json,
        started_at timestamptz not null,
        ended_at timestamptz,
        unique (user_id, idempotency_key)
      )`,
      `create unique index turns_running on turns (conversation_id) where state = 'running'`,
      `create index turns_by_conversation on turns (conversation_id, started_at)`,
      `create index turns_by_user on turns (user_id, started_at)`,
      `create table turn_parts (
        seq bigint generated always as identity primary key,
        turn_id text not null references turns (id) on delete cascade,
        user_id text not null,
        kind text not null check (kind in ('part', 'intent', 'result')),
        content json not null
      )`,
      `create index turn_parts_by_turn on turn_parts (turn_id, seq)`,
    ],
  },
  {
    name: "0003-accounts",
    statements: [
      `create table accounts (
        user_id text primary key,
        name text not null,
        password_hash text not null,
        created_at timestamptz not null
      )`,
      `create unique index accounts_by_name on accounts (lower(name))`,
      `create table sessions (
        token_hash text primary key,
        user_id text not null references accounts (user_id) on delete cascade,
        created_at timestamptz not null,
        seen_at timestamptz not null,
        expires_at timestamptz not null
      )`,
      `create index sessions_by_user on sessions (user_id)`,
    ],
  },
  {
    name: "0004-preferences",
    statements: [
      `create table preferences (
        user_id text primary key,
        value json not null,
        updated_at timestamptz not null
      )`,
    ],
  },
  {
    name: "0005-forks",
    // A fork's copy of a turn was counted when the original was sent.
    statements: [`alter table turns add column copy_of text`],
  },
  {
    name: "0006-holders",
    statements: [
      // Unlogged: a crash of the engine ends every connection, and must empty this table too.
      `create unlogged table holders (owner text primary key, engine_start timestamptz not null)`,
      `create index turns_running_by_owner on turns (owner) where state = 'running'`,
    ],
  },
  {
    name: "0007-secrets",
    // The secret that every process on this database signs cookies with.
    statements: [`create table secrets (name text primary key, value text not null)`],
  },
  {
    name: "0008-deleted-turns",
    // What turns of deleted conversations took: deleting doesn't lift a spending limit.
    statements: [
      `create table deleted_turns (
        user_id text not null,
        started_at timestamptz not null,
        tokens bigint,
        cost double precision
      )`,
      `create index deleted_turns_by_user on deleted_turns (user_id, started_at)`,
    ],
  },
  {
    name: "0009-fewer-indexes",
    // Every index is written with every turn, and an engine without statistics picks the wrong one.
    statements: [
      `drop index turns_running_by_owner`,
      `drop index turns_by_user`,
      // Used only to sum up spending.
      `create index turns_spent on turns (user_id, started_at) where copy_of is null`,
      `drop index turn_parts_by_turn`,
      `alter table turn_parts drop constraint turn_parts_pkey, add primary key (turn_id, seq)`,
    ],
  },
  {
    name: "0010-unfinished",
    // A long conversation is copied piece by piece, and listed once it is whole.
    statements: [
      `alter table conversations add column unfinished_since timestamptz`,
      `create index conversations_unfinished on conversations (unfinished_since)
        where unfinished_since is not null`,
    ],
  },
  {
    name: "0011-limits",
    onlyAdds: true,
    statements: [
      `create table spent_hours (
        user_id text not null,
        hour integer not null,
        tokens double precision not null,
        cost double precision not null,
        primary key (user_id, hour)
      )`,
      // Earlier spending still counts.
      `insert into spent_hours (user_id, hour, tokens, cost)
        select user_id, floor(extract(epoch from started_at) / 3600)::int,
          coalesce(sum(tokens), 0), coalesce(sum(cost), 0)
        from (
          select user_id, started_at, tokens, cost from turns where copy_of is null
          union all select user_id, started_at, tokens, cost from deleted_turns
        ) as begun
        where started_at > now() - interval '25 hours' group by 1, 2`,
      `create table reservations (
        turn_id text primary key,
        user_id text not null,
        tokens double precision not null,
        cost double precision not null,
        held_tokens double precision not null,
        held_cost double precision not null,
        until timestamptz not null
      )`,
      `create index reservations_by_user on reservations (user_id)`,
      // Unlogged: a crash of the engine forgets who tried how often, and nothing else.
      `create unlogged table buckets (
        key text primary key,
        level double precision not null,
        taken double precision not null,
        at timestamptz not null,
        full_at timestamptz not null
      )`,
    ],
  },
  {
    name: "0012-live-turns",
    onlyAdds: true,
    statements: [
      // One row for each process, so that a heartbeat costs the same for one turn and for five
      // hundred.
      `create table processes (
        owner text primary key,
        lease_until timestamptz not null,
        lease interval not null
      )`,
      // No foreign key to the turn: a stop must arrive even if the conversation is deleted next.
      `create table turn_stops (
        owner text not null,
        turn_id text not null,
        asked_at timestamptz not null default now(),
        primary key (owner, turn_id)
      )`,
      // Text of unfinished blocks, as JSON: a piece may begin or end inside a character.
      `create table turn_texts (
        turn_id text not null references turns (id) on delete cascade,
        step integer not null,
        block integer not null,
        start integer not null,
        kind text not null check (kind in ('text', 'thinking')),
        content json not null,
        primary key (turn_id, step, block, start)
      )`,
    ],
  },
  {
    name: "0013-user-keys",
    onlyAdds: true,
    statements: [
      `create table user_keys (
        user_id text not null references accounts (user_id) on delete cascade,
        provider text not null,
        sealed text not null,
        stored_at timestamptz not null,
        primary key (user_id, provider)
      )`,
    ],
  },
  {
    name: "0014-spenders",
    onlyAdds: true,
    // Unlogged: a crash of the engine ends every reservation under way, and they are all it guards.
    statements: [
      `create unlogged table spenders (user_id text primary key, version bigint not null)`,
    ],
  },
];

/** Any number, the same in every release: processes that start together wait for each other. */
const migrationLock = 4_157_001;

/**
 * Brings the schema up to this release, all or nothing. Refuses a schema that a newer release has
 * changed.
 */
export const migrate = (
  driver: SqlDriver,
  list: readonly Migration[] = migrations,
): Promise<void> =>
  driver.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(${migrationLock})`);
    await sql.query(
      `create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`,
    );
    await sql.query(
      `create table if not exists additions (name text primary key, applied_at timestamptz not null default now())`,
    );
    const namesIn = async (table: string): Promise<readonly unknown[]> =>
      (await sql.query(`select name from ${table}`)).rows.map((row) => row["name"]);
    const applied = new Set(await namesIn("migrations"));
    const added = new Set(await namesIn("additions"));
    const known = new Set<unknown>(list.map(({ name }) => name));
    const unknown = [...applied].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw storeError(
        "newer",
        `The database was changed by a newer release (${unknown.join(", ")}). Update mull to use it.`,
      );
    }
    for (const { name, statements, onlyAdds = false } of list) {
      if (applied.has(name) || added.has(name)) continue;
      for (const statement of statements) await sql.query(statement);
      await sql.query(`insert into ${onlyAdds ? "additions" : "migrations"} (name) values ($1)`, [
        name,
      ]);
    }
  });
