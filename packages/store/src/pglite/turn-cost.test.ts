import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import type { Store } from "../store.ts";
import { countReads } from "../testing/count-reads.ts";
import { answers, says } from "../testing/material.ts";
import { pgliteDriver } from "./pglite-driver.ts";

describe("what a turn costs the embedded engine", () => {
  let folder: string;
  let driver: SqlDriver;
  let store: Store;
  const sent: string[] = [];
  const inside: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-turn-cost-"));
    driver = await pgliteDriver(folder);
    store = await postgresStore({
      ...driver,
      query: (text, values) => {
        sent.push(text);
        return driver.query(text, values);
      },
      transaction: (steps) => {
        sent.push("transaction");
        return driver.transaction((sql) =>
          steps({
            query: (text, values) => {
              inside.push(text);
              return sql.query(text, values);
            },
          }),
        );
      },
    });
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const userId = "ada";
  let sends = 0;
  const runTurn = async (conversationId: string, expectedHead: string | null): Promise<void> => {
    const { turn } = await store.beginTurn({
      userId,
      conversationId,
      expectedHead,
      idempotencyKey: `send ${sends++}`,
      message: says("hi"),
    });
    const answer = answers("ho");
    for (const part of answer.parts) await store.appendPart(userId, turn.id, part);
    await store.finishTurn(userId, turn.id, { state: "done", messages: [answer] });
  };
  const runTurns = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      await runTurn((await store.createConversation(userId)).id, null);
    }
  };

  test("F-G13: question, block and end are one statement each, also in a long conversation", async () => {
    const { id } = await store.createConversation(userId);
    await runTurn(id, null);
    sent.length = 0;
    const { head } = await store.getConversation(userId, id);
    await runTurn(id, head);
    expect(sent).toHaveLength(2 + answers("ho").parts.length + 1);
    expect(sent).not.toContain("transaction");
  });

  const readsOf = async (turns: number): Promise<number> => {
    const before = await countReads(driver);
    await runTurns(turns);
    return (await countReads(driver)) - before;
  };

  test("F-G13: a turn reads as much when its user has many as when there were few", async () => {
    const few = await readsOf(40);
    await runTurns(300);
    const many = await readsOf(40);
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(1.5 * few);
  }, 60_000);

  test("F-W17: a thousand messages that are brought along are a few statements, in their order", async () => {
    const { id } = await store.createConversation(userId);
    const first = await store.appendMessages(userId, id, null, [says("first")]);
    const many = Array.from({ length: 1001 }, (_, nth) => says(`message ${nth}`));
    inside.length = 0;
    const added = await store.appendMessages(userId, id, first.at(0)!.id, many);
    expect(inside.length).toBeLessThan(10);
    const kept = await store.listBranch(userId, id);
    expect(kept.map(({ message }) => message)).toEqual([says("first"), ...many]);
    expect(kept.slice(1)).toEqual(added);
  });
});
