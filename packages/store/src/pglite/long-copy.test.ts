import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History } from "mull";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import type { Conversation, Store } from "../store.ts";
import { says } from "../testing/material.ts";
import { pgliteDriver } from "./pglite-driver.ts";

const userId = "ada";
const length = 1200;
const messages = Array.from({ length }, (_, nth) => says(`message ${nth}`));

const history = History.from(messages);

/** The ways to get a long conversation; each starts with a short one. */
const ways: readonly [string, (store: Store, long: string) => Promise<Conversation>][] = [
  ["fork", (store, long) => store.forkConversation(userId, long)],
  ["import", (store) => store.importConversation(userId, { history })],
];

describe("a long conversation that is made in the embedded engine", () => {
  let folder: string;
  let driver: SqlDriver;
  let store: Store;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-long-fork-"));
    driver = await pgliteDriver(folder);
    store = await postgresStore(driver);
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const converse = async (): Promise<string> => {
    const { id } = await store.createConversation(userId);
    await store.appendMessages(userId, id, null, messages);
    return id;
  };
  const countConversations = async (): Promise<unknown> =>
    (await driver.query(`select count(*)::int as count from conversations`)).rows[0]?.["count"];

  /** The same rows, with a change before the second piece of messages is stored. */
  const storeThat = (interrupt: () => Promise<void>): Promise<Store> => {
    let pieces = 0;
    return postgresStore({
      ...driver,
      query: async (text, values) => {
        if (text.startsWith("insert into messages") && ++pieces === 2) await interrupt();
        return driver.query(text, values);
      },
    });
  };

  test.each(ways)(
    "F-W17: others go before it is made by %s, and nobody sees half",
    async (name, make) => {
      const long = await converse();
      const known = (await store.listConversations(userId)).map(({ id }) => id);
      const answered: string[] = [];
      let seen: readonly string[] = [];
      const making = await storeThat(async () => {
        seen = (await store.listConversations(userId)).map(({ id }) => id);
        answered.push("other");
      });
      const made = await make(making, long);
      answered.push(name);
      expect(answered).toEqual(["other", name]);
      expect(seen).toEqual(known);
      const copied = await store.listBranch(userId, made.id);
      expect(copied.map(({ message }) => message)).toEqual(messages);
      const listed = (await store.listConversations(userId)).map(({ id }) => id);
      expect(listed.toSorted()).toEqual([...known, made.id].toSorted());
    },
  );

  test.each(ways)("F-D8: one by %s that fails leaves nothing behind", async (_, make) => {
    const long = await converse();
    const before = await countConversations();
    const failing = await storeThat(() => Promise.reject(new Error("The disk is full.")));
    await expect(make(failing, long)).rejects.toThrow("The disk is full.");
    expect(await countConversations()).toBe(before);
  });

  test("F-W17: a fork whose source is deleted meanwhile is told so, and leaves nothing behind", async () => {
    const long = await converse();
    const before = (await countConversations()) as number;
    const late = await storeThat(() => store.deleteConversation(userId, long));
    await expect(late.forkConversation(userId, long)).rejects.toMatchObject({ code: "not_found" });
    expect(await countConversations()).toBe(before - 1);
  });

  test("F-D1: what a killed process had half made is not listed, and taken away later", async () => {
    const long = await converse();
    await driver.query(`update conversations set unfinished_since = now() where id = $1`, [long]);
    const listed = await store.listConversations(userId);
    expect(listed.map(({ id }) => id)).not.toContain(long);
    const before = (await countConversations()) as number;
    await postgresStore(driver);
    expect(await countConversations()).toBe(before);
    await postgresStore(driver, { now: () => Date.now() + 7_200_000 });
    expect(await countConversations()).toBe(before - 1);
  });
});
