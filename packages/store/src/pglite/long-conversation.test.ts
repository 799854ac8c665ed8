import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import type { Store } from "../store.ts";
import { countReads } from "../testing/count-reads.ts";
import { says } from "../testing/material.ts";
import { pgliteDriver } from "./pglite-driver.ts";

describe("a long conversation in the embedded engine", () => {
  const userId = "ada";
  const length = 2200;
  let folder: string;
  let driver: SqlDriver;
  let store: Store;
  let long: string;
  const converse = async (count: number): Promise<string> => {
    const { id } = await store.createConversation(userId);
    const messages = Array.from({ length: count }, (_, nth) => says(`message ${nth}`));
    await store.appendMessages(userId, id, null, messages);
    return id;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-long-"));
    driver = await pgliteDriver(folder);
    store = await postgresStore(driver);
    // The engine keeps the plans it makes now, while its tables are small.
    for (let nth = 0; nth < 8; nth++) await store.listBranch(userId, await converse(2));
    long = await converse(length);
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  test("F-G13 F-W17: is read row by row, once each, with plans made for a short one", async () => {
    const before = await countReads(driver);
    const branch = await store.listBranch(userId, long);
    const reads = (await countReads(driver)) - before;
    expect(branch.map(({ message }) => message)).toEqual(
      Array.from({ length }, (_, nth) => says(`message ${nth}`)),
    );
    expect(reads).toBeLessThan(2 * length);
  });

  test("F-W17: others are answered while it is read", async () => {
    const answered: string[] = [];
    await Promise.all([
      store.listMessages(userId, long).then(() => answered.push("long")),
      store.getConversation(userId, long).then(() => answered.push("short")),
      store.listTurns(userId, long).then(() => answered.push("short")),
    ]);
    expect(answered).toEqual(["short", "short", "long"]);
  });

  test("F-W17: others are answered while many conversations are searched", async () => {
    for (let nth = 0; nth < 120; nth++) await store.createConversation(userId, { title: "hay" });
    const answered: string[] = [];
    await Promise.all([
      store.listConversations(userId, { search: "needle" }).then(() => answered.push("search")),
      store.getConversation(userId, long).then(() => answered.push("short")),
    ]);
    expect(answered).toEqual(["short", "search"]);
  });

  test("F-W17: is searched piece by piece, each message once", async () => {
    const statements: string[] = [];
    const watched = await postgresStore({
      ...driver,
      query: (text, values) => {
        statements.push(text);
        return driver.query(text, values);
      },
    });
    const find = async (search: string): Promise<readonly string[]> =>
      (await watched.listConversations(userId, { search })).map(({ id }) => id);
    statements.length = 0;
    const before = await countReads(driver);
    expect(await find("needle")).toEqual([]);
    const reads = (await countReads(driver)) - before;
    // A statement looks at a thousand rows or so; there are more than twice as many.
    expect(statements.length).toBeGreaterThan(5);
    expect(reads).toBeLessThan(2.5 * length);
    expect(await find(`message ${length - 1}`)).toEqual([long]);
    expect(await find(`MESSAGE ${length / 2}`)).toEqual([long]);
    // Times between those that this program writes.
    await driver.query(
      `update messages set created_at = created_at + interval '499 microseconds'
      where conversation_id = $1`,
      [long],
    );
    expect(await find(`message ${length - 1}`)).toEqual([long]);
    expect(await find("needle")).toEqual([]);
  });
});
