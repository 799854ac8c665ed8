import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { storeConformance } from "../testing/index.ts";
import { answers, newTalk, says } from "../testing/material.ts";
import { pgliteDriver } from "./pglite-driver.ts";

describe("PGlite store", () => {
  let folder: string;
  let driver: SqlDriver;
  let free = 1e12;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-pglite-"));
    driver = await pgliteDriver(folder, { freeBytes: async () => free });
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  storeConformance((options) => postgresStore(driver, options), test);

  test("F-D8: a full disk is 507 for every write, nothing is half written, then it works", async () => {
    const store = await postgresStore(driver);
    const talk = await newTalk(store);
    const send = { ...talk, idempotencyKey: "k", expectedHead: null, message: says("hi") };
    free = 1024;
    await expect(store.beginTurn(send)).rejects.toMatchObject({ code: "full", status: 507 });
    expect(await store.listMessages(talk.userId, talk.conversationId)).toEqual([]);
    free = 1e12;
    const { turn } = await store.beginTurn(send);
    free = 1024;
    expect(await store.listBranch(talk.userId, talk.conversationId)).toHaveLength(1);
    const part = { type: "text", text: "ho" } as const;
    await expect(store.appendPart(talk.userId, turn.id, part)).rejects.toMatchObject({
      code: "full",
    });
    await expect(store.finishTurn(talk.userId, turn.id, { state: "done" })).rejects.toMatchObject({
      code: "full",
    });
    free = 1e12;
    await store.finishTurn(talk.userId, turn.id, { state: "done", messages: [answers("ho")] });
    expect(await store.listMessages(talk.userId, talk.conversationId)).toHaveLength(2);
  });

  test("an account that is deleted takes its keys with it", async () => {
    const store = await postgresStore(driver);
    const { userId } = await store.createAccount({ name: "leaver", passwordHash: "h" });
    await store.storeUserKey(userId, { provider: "openai", sealed: "s" });
    await driver.query(`delete from accounts where user_id = $1`, [userId]);
    expect(await store.listUserKeys(userId)).toEqual([]);
  });

  test("F-D4: the folder has one holder", async () => {
    await expect(pgliteDriver(folder)).rejects.toThrow(`process ${process.pid}`);
  });
});
