import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaveOut } from "../../../../test/left-out.ts";
import { storeCases, type OpenStore } from "../testing/conformance.ts";
import { newTurn } from "../testing/material.ts";
import { startPgBouncer, type LocalPgBouncer } from "../testing/pgbouncer.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();
let bouncer: LocalPgBouncer | undefined;

beforeAll(async () => {
  const local = postgres.local();
  if (local === undefined) return;
  bouncer = await startPgBouncer(local.url);
  if (bouncer === undefined) leaveOut("pgbouncer");
}, 60_000);
afterAll(() => bouncer?.remove());

const holders = async (driver: SqlDriver): Promise<number> =>
  (await driver.query(`select count(*)::int as count from holders`)).rows[0]?.["count"] as number;

describe("F-D6: behind PgBouncer in transaction mode", () => {
  let shared: SqlDriver | undefined;
  const open: OpenStore = async (options) => {
    shared ??= postgres.connect(bouncer?.url ?? "");
    return postgresStore(shared, options);
  };
  test.each(storeCases)("$name", async ({ run }) => {
    const outcome = bouncer === undefined ? undefined : await run(open);
    expect(outcome).toBeUndefined();
  });

  test("F-D6: with an address of the database itself the held name decides, and words travel", async () => {
    const local = postgres.local();
    if (local === undefined || bouncer === undefined) return;
    const drivers = [1, 2].map(() =>
      postgres.connect(bouncer?.url ?? "", { lockUrl: local.url }),
    ) as [SqlDriver, SqlDriver];
    const [runner, other] = [
      await postgresStore(drivers[0], { leaseMs: -1000 }),
      await postgresStore(drivers[1]),
    ];
    const before = await holders(drivers[0]);
    expect(before).toBeGreaterThanOrEqual(2);
    const { turnId } = await newTurn(runner);
    expect(await other.recoverTurns()).toEqual([]);
    const words: string[] = [];
    runner.signals?.hear((word) => words.push(word));
    await other.signals?.send("stop");
    await expect.poll(() => words).toEqual(["stop"]);
    await runner.close();
    await expect
      .poll(async () => (await other.recoverTurns()).map(({ id }) => id))
      .toEqual([turnId]);
  });
});
