import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { migrate } from "./migrations.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

/** Conversations of two messages; the first has the needle, the latest the most hay. */
async function seed(driver: SqlDriver, userId: string, count: number): Promise<void> {
  const id = `'${userId}-' || n`;
  await driver.query(
    `insert into conversations (id, user_id, title, info, created_at, updated_at)
    select ${id}, $1, 'talk ' || n, '{}', now(), now() + n * interval '1 second'
    from generate_series(1, ${count}) as n`,
    [userId],
  );
  await driver.query(
    `insert into messages (id, conversation_id, user_id, role, parts, fields, search, created_at)
    select ${id} || '-' || m, ${id}, $1, 'user', '[]', '{}',
      case when n = 1 and m = 2 then 'A Needle, at last' else 'much hay ' || md5(n || '-' || m) end,
      now() + m * interval '1 second'
    from generate_series(1, ${count}) as n, generate_series(1, 2) as m`,
    [userId],
  );
}

interface Counted {
  readonly driver: SqlDriver;
  readonly texts: string[];
}

const counted = (driver: SqlDriver): Counted => {
  const texts: string[] = [];
  const query: SqlDriver["query"] = (text, values) => {
    texts.push(text);
    return driver.query(text, values);
  };
  return { driver: { ...driver, query }, texts };
};

const find = async (store: Store, userId: string, search: string): Promise<readonly string[]> =>
  (await store.listConversations(userId, { search })).map(({ title }) => title);

const readsMessages = (text: string): boolean => /from json_to_recordset.*lateral/s.test(text);

describe("search in many conversations", () => {
  test("F-W17: what is rare is found by the index, what is common without it", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const notices: string[] = [];
    const { driver, texts } = counted(postgres.connect(local.url));
    const store = await postgresStore(driver, { onNotice: (text) => notices.push(text) });
    expect(notices).toEqual(["Search uses an index (pg_trgm)."]);
    const [userId, other] = [randomUUID(), randomUUID()];
    await seed(driver, userId, 1200);
    await seed(driver, other, 300);
    texts.length = 0;
    expect(await find(store, userId, "needle, AT")).toEqual(["talk 1"]);
    expect(await find(store, userId, "TALK 33")).toHaveLength(11);
    expect(await find(store, userId, "no such thing")).toEqual([]);
    expect(texts.filter(readsMessages)).toHaveLength(3);
    expect(texts.filter((text) => text.startsWith("/* words */"))).toHaveLength(3);
    // Two letters, wherever they stand.
    expect(await find(store, userId, "NE")).toEqual(["talk 1"]);
    expect(await find(store, userId, "la")).toEqual(["talk 1"]);
    expect(await find(store, userId, "zz")).toEqual([]);
    expect(texts.filter((text) => text.startsWith("/* words */"))).toHaveLength(6);
    texts.length = 0;
    expect(await find(store, userId, "hay")).toHaveLength(50);
    expect(texts).toHaveLength(2);
  });

  test("F-W17: an account that may not add the extension searches without, and it is said", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const admin = postgres.connect(local.url, { poolSize: 1 });
    await admin.query("create database bare");
    await admin.query("create role weak login");
    const url = local.url.replace(/\/[^/]*$/, "/bare");
    const owner = postgres.connect(url, { poolSize: 1 });
    await owner.query("create schema weak authorization weak");
    const asWeak = postgres.connect(url.replace("mull@", "weak@"), { schema: "weak" });
    const { driver, texts } = counted(asWeak);
    const notices: string[] = [];
    const store = await postgresStore(driver, { onNotice: (text) => notices.push(text) });
    expect(notices).toEqual([
      expect.stringMatching(/^Search has no index: permission denied .*create extension pg_trgm/),
    ]);
    const userId = randomUUID();
    await seed(driver, userId, 300);
    expect(await find(store, userId, "needle")).toEqual(["talk 1"]);
    expect(texts.filter(readsMessages).length).toBeGreaterThanOrEqual(6);
    expect(texts.filter((text) => text.startsWith("/* words */"))).toEqual([]);
    // Once an administrator has added it, the next start uses it.
    await owner.query("create extension pg_trgm");
    await owner.query("create extension btree_gin");
    await postgresStore(driver, { onNotice: (text) => notices.push(text) });
    expect(notices.slice(1)).toEqual(["Search uses an index (pg_trgm)."]);
    expect(await find(store, userId, "needle")).toEqual(["talk 1"]);
  });

  test("F-W17: a database that is large already gets its index in the background", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const admin = postgres.connect(local.url, { poolSize: 1 });
    await admin.query("create database grown");
    const driver = postgres.connect(local.url.replace(/\/[^/]*$/, "/grown"));
    await migrate(driver);
    const userId = randomUUID();
    await seed(driver, userId, 3000);
    // What a process that died while building an index left behind.
    await driver.query("create index messages_by_words on messages (id)");
    await driver.query(
      "update pg_index set indisvalid = false where indexrelid = 'messages_by_words'::regclass",
    );
    const notices: string[] = [];
    const store = await postgresStore(driver, { onNotice: (text) => notices.push(text) });
    expect(notices[0]).toMatch(/^Search gets an index/);
    expect(await find(store, userId, "needle")).toEqual(["talk 1"]);
    await expect
      .poll(() => notices.slice(1), { timeout: 30_000 })
      .toEqual(["Search uses an index (pg_trgm)."]);
    expect(await find(store, userId, "needle")).toEqual(["talk 1"]);
  }, 60_000);

  test("F-W17: a search whose reader left asks for nothing more", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const leaving = new AbortController();
    const { driver, texts } = counted(postgres.connect(local.url));
    const store = await postgresStore(driver);
    const userId = randomUUID();
    await seed(driver, userId, 300);
    texts.length = 0;
    const search = { search: "no such thing", everything: true, signal: leaving.signal };
    const looking = store.listConversations(userId, search);
    leaving.abort();
    await expect(looking).rejects.toMatchObject({ code: "left" });
    expect(texts.length).toBeLessThanOrEqual(2);
  });
});

test.each(["zz", "buzz", "zzt", "a-zz-b", "«zz»", "“zz”", "zz top", "(zz)", "a\nzz", "BUZZ"])(
  "F-W17: two letters are found by the index in %j",
  async (text) => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = postgres.connect(local.url);
    const store = await postgresStore(driver);
    const userId = randomUUID();
    await seed(driver, userId, 60);
    await driver.query("update messages set search = $2 where id = $1", [`${userId}-1-1`, text]);
    expect(await find(store, userId, "zz")).toEqual(["talk 1"]);
  },
);
