import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { answers, newTalk, newTurn, says } from "../testing/material.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();
let driver: SqlDriver;
let store: Store;
beforeAll(async () => {
  const local = postgres.local();
  if (local === undefined) return;
  driver = postgres.connect(local.url);
  store = await postgresStore(driver);
}, 60_000);

describe("F-H2: rows that somebody changed by hand", () => {
  test("F-H2: a message is read as far as it is one; what is stored stays", async () => {
    if (postgres.local() === undefined) return;
    const { userId, conversationId } = await newTalk(store);
    const [first] = await store.appendMessages(userId, conversationId, null, [says("hi")]);
    const parts = `[{"type":"text","text":"hi"}, {"type":"hologram"}]`;
    await driver.query(`update messages set parts = $2::json where id = $1`, [
      first?.id ?? "",
      parts,
    ]);
    const [read] = await store.listBranch(userId, conversationId);
    expect(read).toMatchObject({
      message: says("hi"),
      unreadable: [{ path: "parts[1].type", value: { type: "hologram" } }],
    });
    await store.appendMessages(userId, conversationId, first?.id ?? "", [answers("ho")]);
    const { rows } = await driver.query(`select parts::text from messages where id = $1`, [
      first?.id ?? "",
    ]);
    expect(rows[0]?.["parts"]).toBe(parts);
  });

  test("F-H2: what isn't an object in a conversation or a turn is kept inside one", async () => {
    if (postgres.local() === undefined) return;
    const { userId, conversationId, turnId } = await newTurn(store);
    await driver.query(`update conversations set info = '[1]' where id = $1`, [conversationId]);
    await driver.query(
      `update turns set info = '"x"', usage = 'null', receipt = '7', error = '[]' where id = $1`,
      [turnId],
    );
    const { info } = await store.getConversation(userId, conversationId);
    expect(info).toEqual({ unreadable: [1] });
    expect(await store.getTurn(userId, turnId)).toMatchObject({
      info: { unreadable: "x" },
      receipt: { unreadable: 7 },
      error: { unreadable: [] },
    });
    await store.updateConversation(userId, conversationId, { info: { model: "m" } });
    expect((await store.getConversation(userId, conversationId)).info).toEqual({
      unreadable: [1],
      model: "m",
    });
  });

  test("F-D1: a turn whose draft cannot be read is ended all the same, and its draft kept", async () => {
    if (postgres.local() === undefined) return;
    const { holdName: _, ...pooled } = driver;
    const dead = await postgresStore(pooled, { leaseMs: -1000 });
    const { userId, conversationId, turnId } = await newTurn(dead);
    await dead.appendPart(userId, turnId, { type: "text", text: "Two and" });
    await driver.query(
      `insert into turn_parts (turn_id, user_id, kind, content) values ($1, $2, 'part', '{"type":"hologram"}')`,
      [turnId, userId],
    );
    const heir = await postgresStore(driver);
    expect((await heir.recoverTurns()).map(({ id }) => id)).toContain(turnId);
    const branch = await heir.listBranch(userId, conversationId);
    expect(branch.at(-1)?.message.parts).toEqual([{ type: "text", text: "Two and" }]);
    const { unreadable } = await heir.getDraft(userId, turnId);
    expect(unreadable).toEqual([{ type: "hologram" }]);
  });

  test("F-H2: messages that are each other's parents are read once and end", async () => {
    if (postgres.local() === undefined) return;
    const { userId, conversationId } = await newTalk(store);
    const [first, second] = await store.appendMessages(userId, conversationId, null, [
      says("one"),
      answers("two"),
    ]);
    await driver.query(`update messages set parent_id = $2 where id = $1`, [
      first?.id ?? "",
      second?.id ?? "",
    ]);
    const branch = await store.listBranch(userId, conversationId);
    expect(branch.map(({ id }) => id)).toEqual([first?.id ?? "", second?.id ?? ""]);
  });
});
