import { describe, expect, test } from "vitest";
import type { BegunTurn, Store } from "../store.ts";
import { newTalk, says } from "../testing/material.ts";
import { startPooler } from "../testing/pooler.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

interface Process {
  readonly driver: SqlDriver;
  readonly store: Store;
}

/** A process as the database sees it: connections of its own and an owner of its own. */
async function newProcess(url: string): Promise<Process> {
  const driver = postgres.connect(url);
  return { driver, store: await postgresStore(driver, { leaseMs: 600_000 }) };
}

interface Running {
  readonly userId: string;
  readonly begun: BegunTurn;
  /** Sends from another process into the same conversation. */
  readonly sendNext: (from: Store) => Promise<BegunTurn>;
}

async function startTurn(store: Store): Promise<Running> {
  const talk = await newTalk(store);
  const begun = await store.beginTurn({
    ...talk,
    idempotencyKey: talk.conversationId,
    expectedHead: null,
    message: says("hi"),
  });
  const sendNext = (from: Store): Promise<BegunTurn> =>
    from.beginTurn({
      ...talk,
      idempotencyKey: `${talk.conversationId} next`,
      expectedHead: begun.message.id,
      message: says("and"),
    });
  return { userId: talk.userId, begun, sendNext };
}

const isRunning = { code: "turn_running" };
const heldBy = async ({ driver, store }: Process): Promise<number> => {
  const { rows } = await driver.query(
    `select count(*)::int as count from holders
    where owner = $1 and engine_start = pg_postmaster_start_time()`,
    [store.owner],
  );
  return rows[0]?.["count"] as number;
};

describe("F-D6: a turn is its process's as long as that is connected", () => {
  test("F-D6: it cannot be taken while the process lives, and at once when it is gone", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const [dying, heir] = [await newProcess(local.url), await newProcess(local.url)];
    const { begun, sendNext } = await startTurn(dying.store);
    const { begun: other } = await startTurn(dying.store);
    await expect(sendNext(heir.store)).rejects.toMatchObject(isRunning);
    expect(await heir.store.recoverTurns()).toEqual([]);
    await dying.driver.close();
    await expect.poll(() => sendNext(heir.store).then(({ isNew }) => isNew)).toBe(true);
    const recovered = await heir.store.recoverTurns();
    expect(recovered.map(({ id, state }) => [id, state])).toEqual([[other.turn.id, "interrupted"]]);
    expect(begun.turn.leaseUntil).toBeGreaterThan(Date.now() + 300_000);
  });

  test("F-D6: of many that find it abandoned one continues, and no two turns run", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const dying = await newProcess(local.url);
    const { begun, sendNext } = await startTurn(dying.store);
    await dying.driver.close();
    const { url } = local;
    const heirs = await Promise.all([1, 2, 3, 4].map(() => newProcess(url)));
    const watcher = postgres.connect(url);
    await expect.poll(() => heldBy({ driver: watcher, store: dying.store })).toBe(1);
    const outcomes = await Promise.allSettled(heirs.map(({ store }) => sendNext(store)));
    expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
    const begunNow = outcomes.map((outcome) => (outcome as { value: BegunTurn }).value);
    expect(begunNow.filter(({ isNew }) => isNew)).toHaveLength(1);
    const { rows } = await watcher.query(
      `select state from turns where conversation_id = $1 order by started_at`,
      [begun.turn.conversationId],
    );
    expect(rows.map((row) => row["state"])).toEqual(["interrupted", "running"]);
  });

  test("F-D6: a lost connection is taken up again, and the turn with it", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const [process, other] = [await newProcess(local.url), await newProcess(local.url)];
    const { sendNext } = await startTurn(process.store);
    const before = await holderPids(other);
    await other.driver.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mull holder'`,
    );
    const newPids = async (): Promise<readonly unknown[]> =>
      (await holderPids(other)).filter((pid) => !before.includes(pid));
    await expect.poll(newPids).toHaveLength(before.length);
    await expect(sendNext(other.store)).rejects.toMatchObject(isRunning);
  });

  test("F-D7: a restart or a crash of the database takes no turn away from its process", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const server = local;
    const [process, other] = [await newProcess(local.url), await newProcess(local.url)];
    const { userId, begun, sendNext } = await startTurn(process.store);
    for (const mode of ["fast", "immediate"] as const) {
      await server.stop(mode);
      await server.start();
      await expect(sendNext(other.store)).rejects.toMatchObject(isRunning);
      expect(await other.store.recoverTurns()).toEqual([]);
      await expect.poll(() => heldBy(process), { timeout: 10_000 }).toBe(1);
      await expect(sendNext(other.store)).rejects.toMatchObject(isRunning);
    }
    await process.store.finishTurn(userId, begun.turn.id, { state: "done", messages: [] });
    expect((await sendNext(other.store)).isNew).toBe(true);
  }, 60_000);

  test("F-D6: processes that are gone are forgotten when the next one starts", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const gone = await newProcess(local.url);
    await gone.driver.close();
    const { url } = local;
    const next = await newProcess(url);
    await expect
      .poll(async () => {
        await newProcess(url);
        return heldBy({ driver: next.driver, store: gone.store });
      })
      .toBe(0);
    expect(await heldBy(next)).toBe(1);
  });

  test("F-D6: several processes that have been gone for hours keep no other from starting", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const { driver } = await newProcess(local.url);
    await driver.query(
      `insert into processes (owner, lease_until, lease)
      select 'gone ' || nth, now() - interval '2 hours', interval '1 millisecond'
      from generate_series(1, 3) as nth`,
    );
    await newProcess(local.url);
    const { rows } = await driver.query(`select owner from processes where owner like 'gone %'`);
    expect(rows).toEqual([]);
  });

  test("F-D6: through a pooler nothing is held, and the lease decides", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const pooler = await startPooler(Number(new URL(local.url).port));
    const pooled = await newProcess(local.url.replace(/:\d+\//, `:${pooler.port}/`));
    const direct = await newProcess(local.url);
    expect([await heldBy(pooled), await heldBy(direct)]).toEqual([0, 1]);
    const { sendNext } = await startTurn(pooled.store);
    await pooled.driver.close();
    await expect(sendNext(direct.store)).rejects.toMatchObject(isRunning);
    pooler.server.close();
  });
});

const holderPids = async ({ driver }: Process): Promise<readonly unknown[]> => {
  const { rows } = await driver.query(
    `select pid from pg_locks where locktype = 'advisory' order by pid`,
  );
  return rows.map((row) => row["pid"]);
};
