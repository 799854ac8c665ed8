import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answers } from "../testing/material.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { migrations } from "./migrations.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

/** The schema of releases up to 0.1.0; downgrading further isn't supported. */
const first = [
  "0001-conversations",
  "0002-turns",
  "0003-accounts",
  "0004-preferences",
  "0005-forks",
  "0006-holders",
  "0007-secrets",
  "0008-deleted-turns",
  "0009-fewer-indexes",
  "0010-unfinished",
];

/** A new table, an index that refuses nothing, an optional column, and rows for them. */
const additions: readonly RegExp[] = [
  /^create (?:unlogged )?table \w+ \(/,
  /^create index \w+ on \w+/,
  /^insert into \w+ \(/,
  /^alter table \w+ add column \w+ [\w ]+$/,
];
const isAddition = (statement: string): boolean =>
  additions.some((pattern) => pattern.test(statement.trim())) &&
  (!statement.startsWith("alter") ||
    !/not null/i.test(statement) ||
    /not null default/i.test(statement));

/** One turn and a draft, in the statements of 0.1.0. */
async function writeAsBefore(driver: SqlDriver, userId: string): Promise<void> {
  const run = (text: string, values: readonly string[]): Promise<unknown> =>
    driver.query(text, values);
  await run(
    `insert into conversations (id, user_id, title, info, created_at, updated_at)
    values ($1, $2, 'old', '{}'::json, now(), now())`,
    [`talk ${userId}`, userId],
  );
  await run(
    `with held as (
      update conversations set head = $3, updated_at = now()
      where id = $1 and user_id is not distinct from $2 and head is not distinct from null
        and not exists (select 1 from turns where conversation_id = $1 and state = 'running')
        and not exists (select 1 from turns where user_id = $2 and idempotency_key = 'k')
      returning id as held_id),
    question as (
      insert into messages
        (id, conversation_id, user_id, parent_id, turn_id, role, parts, fields, search, created_at)
      select $3, $1, $2, null, $4, 'user', '[{"type":"text","text":"hi"}]'::json, '{}'::json, 'hi', now()
      from held returning created_at)
    insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
      idempotency_key, fingerprint, info, started_at)
    select $4, $1, $2, 'running', 'a process of before', now() - interval '1 second', $3, 'k', 'f', '{}'::json, now()
    from question`,
    [`talk ${userId}`, userId, `question ${userId}`, `turn ${userId}`],
  );
  for (const text of ["one", "two"]) {
    await run(
      `insert into turn_parts (turn_id, user_id, kind, content)
      select id, user_id, 'part', $2::json from turns where id = $1 and state = 'running' for share`,
      [`turn ${userId}`, JSON.stringify({ type: "text", text })],
    );
  }
  await run(`update turns set lease_until = now() - interval '1 second' where owner = $1`, [
    "a process of before",
  ]);
}

describe("going back to the version before", () => {
  test("F-D2: since 0.1.0 every change of the schema only adds", () => {
    expect(migrations.slice(0, first.length).map(({ name }) => name)).toEqual(first);
    for (const { name, onlyAdds, statements } of migrations.slice(first.length)) {
      expect([name, onlyAdds]).toEqual([name, true]);
      expect(statements.filter((statement) => !isAddition(statement))).toEqual([]);
    }
  });

  test.each([
    "alter table turns drop column cost",
    "alter table turns add column room integer not null",
    "alter table turns alter column cost set not null",
    "create unique index turns_by_cost on turns (cost)",
    "drop index turns_spent",
    "delete from turns",
  ])("F-D2: %s would be noticed", (statement) => {
    expect(isAddition(statement)).toBe(false);
  });

  test("F-D2: what 0.1.0 writes into the schema of today is read, ended and continued", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = postgres.connect(local.url);
    const store = await postgresStore(driver);
    const userId = randomUUID();
    await writeAsBefore(driver, userId);
    expect(await store.getDraft(userId, `turn ${userId}`)).toMatchObject({
      parts: [{ text: "one" }, { text: "two" }],
    });
    expect(await store.recoverTurns()).toMatchObject([{ id: `turn ${userId}` }]);
    const branch = await store.listBranch(userId, `talk ${userId}`);
    expect(branch.map(({ message }) => message.parts.length)).toEqual([1, 2]);
    expect(await store.listConversations(userId, { search: "HI" })).toHaveLength(1);
  });

  test("F-D2: what this version writes is read in the order in which 0.1.0 reads it", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = postgres.connect(local.url);
    const store = await postgresStore(driver);
    const { id: conversationId } = await store.createConversation("ada");
    const message = { role: "user", parts: [{ type: "text", text: "hi" }] } as const;
    const begin = { userId: "ada", conversationId, idempotencyKey: "k", expectedHead: null };
    const { turn } = await store.beginTurn({ ...begin, message });
    for (const text of ["one", "two", "three"]) {
      await store.appendPart("ada", turn.id, { type: "text", text });
    }
    const { rows } = await driver.query(
      `select kind, content::text as content from turn_parts where turn_id = $1 order by seq`,
      [turn.id],
    );
    expect(
      rows.map((row) => (JSON.parse(row["content"] as string) as { text: string }).text),
    ).toEqual(["one", "two", "three"]);
    await store.finishTurn("ada", turn.id, { state: "done", messages: [answers("ho")] });
    const ended = await driver.query(
      `select id, state, usage::text, receipt::text from turns where conversation_id = $1 order by started_at, id`,
      [conversationId],
    );
    expect(ended.rows).toMatchObject([{ state: "done" }]);
  });
});
