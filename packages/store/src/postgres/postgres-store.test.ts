import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { leaveOut } from "../../../../test/left-out.ts";
import { memoryStore } from "../memory/memory-store.ts";
import type { Store, StoreOptions } from "../store.ts";
import { startPostgres, storeConformance } from "../testing/index.ts";
import { answers, newTalk, says } from "../testing/material.ts";
import type { SqlDriver } from "./driver.ts";
import { migrate, migrations } from "./migrations.ts";
import { pgDriver } from "./pg-driver.ts";
import { postgresStore } from "./postgres-store.ts";

const local = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined;
const url = process.env["DATABASE_URL"] ?? local?.url;
if (url === undefined) leaveOut("postgres");

const schema = `mull_test_${randomUUID().slice(0, 8)}`;

describe.runIf(url !== undefined)("Postgres store", () => {
  const driver = pgDriver(url ?? "", { schema });
  // The body of a describe runs even if its tests don't: without a database, it must not use one.
  const ready = url === undefined ? undefined : driver.query(`create schema ${schema}`);
  const pooled: SqlDriver = { ...driver, holdName: async () => undefined };
  const open = async (options: StoreOptions = {}): Promise<Store> => {
    await ready;
    // A process that holds its name counts as alive, whatever its lease says.
    return postgresStore((options.leaseMs ?? 0) < 0 ? pooled : driver, options);
  };
  afterAll(async () => {
    await driver.query(`drop schema ${schema} cascade`);
    await driver.close();
    await local?.remove();
  }, 60_000);

  storeConformance(open, test);

  test("F-D6: two servers on one database see each other and share one running turn", async () => {
    await ready;
    const other = pgDriver(url ?? "", { schema });
    const [here, there] = [await open(), await postgresStore(other)];
    const talk = await newTalk(here);
    const { turn } = await here.beginTurn({
      ...talk,
      idempotencyKey: "one",
      expectedHead: null,
      message: says("hi"),
    });
    expect(await there.findRunningTurn(talk.userId, talk.conversationId)).toEqual(turn);
    expect(await there.recoverTurns()).toEqual([]);
    const [seen] = await there.listMessages(talk.userId, talk.conversationId);
    const send = { ...talk, expectedHead: seen?.id ?? null, message: says("and") };
    await expect(there.beginTurn({ ...send, idempotencyKey: "two" })).rejects.toMatchObject({
      code: "turn_running",
    });
    await expect(
      there.appendPart(talk.userId, turn.id, { type: "text", text: "x" }),
    ).rejects.toMatchObject({ code: "turn_over" });
    await here.finishTurn(talk.userId, turn.id, { state: "done", messages: [answers("ho")] });
    expect(await there.listMessages(talk.userId, talk.conversationId)).toHaveLength(2);
    await there.close();
  });

  test("F-D11: 20 sends at once from two servers leave one turn", async () => {
    await ready;
    const other = pgDriver(url ?? "", { schema });
    const stores = [await open(), await postgresStore(other)];
    const talk = await newTalk(stores[0] ?? memoryStore());
    const sends = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]?.beginTurn({
        ...talk,
        idempotencyKey: `k${index}`,
        expectedHead: null,
        message: says(String(index)),
      }),
    );
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await stores[0]?.listMessages(talk.userId, talk.conversationId)).toHaveLength(1);
    await other.close();
  });

  test("F-D11: one question answered again by 10 sends from two servers leaves one turn", async () => {
    await ready;
    const other = pgDriver(url ?? "", { schema });
    const stores = [await open(), await postgresStore(other)] as const;
    const talk = await newTalk(stores[0]);
    const messages = [says("hi")];
    const asked = await stores[0].appendMessages(talk.userId, talk.conversationId, null, messages);
    const head = asked.at(0)?.id ?? null;
    const again = { ...talk, expectedHead: head, parentId: head };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        stores[at % 2 === 0 ? 0 : 1].beginTurn({ ...again, idempotencyKey: `again ${at}` }),
      ),
    );
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatchObject({ code: "turn_running" });
    expect(await stores[1].listTurns(talk.userId, talk.conversationId)).toHaveLength(1);
    await other.close();
  });

  test("F-D2: what an earlier release has stored goes on under the schema of this one", async () => {
    await ready;
    const old = `${schema}_old_${randomUUID().slice(0, 8)}`;
    await driver.query(`create schema ${old}`);
    const aged = pgDriver(url ?? "", { schema: old });
    await migrate(aged, migrations.slice(0, 8));
    for (const text of [
      `insert into conversations values ('talk', 'ada', '', 'q', '{}', now(), now())`,
      `insert into messages values
        ('q', 'talk', 'ada', null, 'turn', 'user', '[{"type":"text","text":"hi"}]', '{}', 'hi', now())`,
      `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
        idempotency_key, fingerprint, info, started_at)
      values ('turn', 'talk', 'ada', 'running', 'gone', now(), 'q', 'k', 'f', '{}', now())`,
      `insert into turn_parts (turn_id, user_id, kind, content) values
        ('turn', 'ada', 'part', '{"type":"text","text":"one"}'),
        ('turn', 'ada', 'part', '{"type":"text","text":"two"}')`,
    ]) {
      await aged.query(text);
    }
    const store = await postgresStore(aged, { now: () => Date.now() + 60_000 });
    expect(await store.recoverTurns()).toMatchObject([{ id: "turn", state: "interrupted" }]);
    const branch = await store.listBranch("ada", "talk");
    expect(branch.map(({ message }) => message.parts.length)).toEqual([1, 2]);
    await store.close();
    await driver.query(`drop schema ${old} cascade`);
  });

  test("F-D2: processes that start together migrate once; a failed migration leaves nothing", async () => {
    await ready;
    const fresh = `${schema}_fresh_${randomUUID().slice(0, 8)}`;
    await driver.query(`create schema ${fresh}`);
    const drivers = Array.from({ length: 4 }, () => pgDriver(url ?? "", { schema: fresh }));
    const [first] = drivers;
    const broken = [...migrations, { name: "9999-broken", statements: ["create tabel x ()"] }];
    await expect(first && migrate(first, broken)).rejects.toMatchObject({ code: "42601" });
    const tables = await first?.query(
      `select 1 from information_schema.tables where table_schema = $1`,
      [fresh],
    );
    expect(tables?.rows).toEqual([]);
    await Promise.all(drivers.map((each) => postgresStore(each)));
    const names = await first?.query(
      `select name from migrations union all select name from additions order by name`,
    );
    expect(names?.rows.map((row) => row["name"])).toEqual(migrations.map(({ name }) => name));
    await first?.query(`insert into migrations (name) values ('9999-future')`);
    await expect(first && migrate(first)).rejects.toMatchObject({ code: "newer" });
    await Promise.all(drivers.map((each) => each.close()));
    await driver.query(`drop schema ${fresh} cascade`);
  });

  test("F-D2: a release that knows nothing of what was only added still starts and works", async () => {
    await ready;
    const shared = `${schema}_older_${randomUUID().slice(0, 8)}`;
    await driver.query(`create schema ${shared}`);
    const newer = pgDriver(url ?? "", { schema: shared });
    await postgresStore(newer);
    const older = migrations.filter(({ onlyAdds }) => onlyAdds !== true);
    expect(older.length).toBeLessThan(migrations.length);
    await migrate(newer, older);
    // What the previous release reads.
    const { rows } = await newer.query(`select name from migrations order by name`);
    expect(rows.map((row) => row["name"])).toEqual(older.map(({ name }) => name));
    await migrate(newer);
    await newer.close();
    await driver.query(`drop schema ${shared} cascade`);
  });

  test("R245: messages are inspected as id, role and parts, in the order of creation", async () => {
    const store = await open();
    const { userId, conversationId } = await newTalk(store);
    await store.appendMessages(userId, conversationId, null, [says("one\u0000"), answers("two")]);
    const { rows } = await driver.query(
      `select id, role, parts from messages where conversation_id = $1 order by created_at`,
      [conversationId],
    );
    expect(rows.map((row) => row["role"])).toEqual(["user", "assistant"]);
    expect(rows[1]?.["parts"]).toEqual(answers("two").parts);
    const readable = await driver.query(
      `select parts->0->>'text' as text from readable_messages
      where conversation_id = $1 order by created_at`,
      [conversationId],
    );
    expect(readable.rows[0]?.["text"]).toBe("one\ufffd");
  });

  test("F-D7: a server that cannot be reached is `unavailable`, a slow statement a timeout", async () => {
    const nowhere = pgDriver("postgres://mull@127.0.0.1:1/none", { connectTimeoutMs: 500 });
    await expect(postgresStore(nowhere)).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
    });
    await nowhere.close();
    const hasty = pgDriver(url ?? "", { statementTimeoutMs: 1000 });
    await expect(hasty.query("select pg_sleep(60)")).rejects.toMatchObject({ code: "timeout" });
    expect((await hasty.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await hasty.close();
  });
});
