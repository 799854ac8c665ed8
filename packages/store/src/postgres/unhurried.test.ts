import { expect, test } from "vitest";
import { says } from "../testing/material.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

const nothing = { tokens: 0, cost: 0 };
const most = { turns: 5, tokens: 1000, cost: 0 };
const output = { wanted: 0, least: 0, costEach: 0 };

test("F-D6: what people were told survives a crash of the database, whatever was unhurried before", async () => {
  const local = postgres.local();
  if (local === undefined) return;
  const driver = postgres.connect(local.url);
  const store = await postgresStore(driver);
  const place = async (): Promise<string> => {
    const { rows } = await driver.query("select pg_current_wal_insert_lsn()::text as place");
    return String(rows[0]?.["place"]);
  };
  const isOnDisk = async (written: string): Promise<unknown> => {
    const { rows } = await driver.query(
      "select pg_current_wal_flush_lsn() >= $1::pg_lsn as is_so",
      [written],
    );
    return rows[0]?.["is_so"];
  };
  const [userId, turnId] = ["ann", "turn"];
  const id = "talk";
  const reservation = { userId, turnId, most, input: nothing, output, ms: 60_000 };
  await store.reserve({ ...reservation, took: nothing });
  const reserved = await place();
  await store.beginTurn({
    userId,
    turnId,
    conversationId: id,
    creates: {},
    idempotencyKey: "key",
    expectedHead: null,
    message: says("hi"),
  });
  expect(await isOnDisk(reserved)).toBe(true);
  const before = await place();
  await store.reserve({ ...reservation, took: { tokens: 7, cost: 0 } });
  expect(await place()).not.toBe(before);
  expect(await isOnDisk(before)).toBe(true);
  await local.kill();
  await local.start();
  expect((await store.listMessages(userId, id)).length).toBe(1);
  const again = await store.reserve({ ...reservation, turnId: "next", took: nothing });
  expect(again.spent.tokens).toBe(7);
});
