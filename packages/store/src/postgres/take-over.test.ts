import { expect, test } from "vitest";
import { newTalk, says } from "../testing/material.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { Sql, SqlDriver } from "./driver.ts";
import { pgDriver } from "./pg-driver.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

/** Runs another action once a transaction has read the draft of a turn. */
const afterDraft = (driver: SqlDriver, work: () => Promise<unknown>): SqlDriver => ({
  ...driver,
  transaction: (run) =>
    driver.transaction((sql: Sql) =>
      run({
        query: async (text, values) => {
          const result = await sql.query(text, values);
          if (/^select [^;]*from turn_parts/s.test(text)) await work();
          return result;
        },
      }),
    ),
});

test("F-D6: a part that a slow process stores while its turn is taken is kept or refused", async () => {
  const local = postgres.local();
  if (local === undefined) return;
  await using driver = pgDriver(local.url);
  // As behind a pooler: only its lease counts.
  const { holdName: _, ...slowDriver } = driver;
  await using heirDriver = pgDriver(local.url);
  const slow = await postgresStore(slowDriver, { leaseMs: -1000 });
  const talk = await newTalk(slow);
  const key = talk.conversationId;
  const first = { ...talk, idempotencyKey: key, expectedHead: null, message: says("hi") };
  const { turn, message } = await slow.beginTurn(first);
  await slow.appendPart(talk.userId, turn.id, { type: "text", text: "early" });
  let storing: Promise<string> | undefined;
  const heir = await postgresStore(
    afterDraft(heirDriver, () => {
      storing ??= slow.appendPart(talk.userId, turn.id, { type: "text", text: "late" }).then(
        () => "kept",
        () => "refused",
      );
      return Promise.race([storing, new Promise((resolve) => setTimeout(resolve, 300))]);
    }),
  );
  const next = { ...first, idempotencyKey: `${key} next`, expectedHead: message.id };
  await expect(heir.beginTurn(next)).rejects.toMatchObject({ code: "stale_head" });
  const said = JSON.stringify(await heir.listMessages(talk.userId, talk.conversationId));
  expect(said).toContain("early");
  expect(said.includes("late")).toBe((await storing) === "kept");
});
