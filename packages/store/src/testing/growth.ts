/** Measures search and opening in a database that has grown. Run: npm run growth */
import { setTimeout as sleep } from "node:timers/promises";
import type { SqlDriver } from "../postgres/driver.ts";
import { pgDriver } from "../postgres/pg-driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import type { Store } from "../store.ts";
import { startPostgres } from "./local-postgres.ts";

const conversations = 100_000;
/** Written in one go. */
const atOnce = 5000;

const searches = ["needle", "seldom", "common", "absent words", "Number 77", "zz"];

const seedConversations = (driver: SqlDriver): Promise<unknown> =>
  driver.query(
    `insert into conversations (id, user_id, title, info, created_at, updated_at)
    select 'c' || n, 'ada', 'Talk number ' || n, '{}', now(), now() + n * interval '1 second'
    from generate_series(1, ${conversations}) as n`,
  );

/** Four messages each, of forty words that other messages use as well. */
const seedMessages = (driver: SqlDriver, from: number): Promise<unknown> =>
  driver.query(
    `insert into messages (id, conversation_id, user_id, role, parts, fields, search, created_at)
    select 'm' || n || '-' || m, 'c' || n, 'ada', 'user', '[]', '{}',
      case when n = 7 and m = 2 then 'the needle ' else '' end
        || case when n % 2 = 0 then 'common ' else '' end
        || case when n % 1000 = 1 then 'seldom ' else '' end
        || (select string_agg(substr(md5(((n * 7919 + m * 104729 + w * 1299709) % 20000)::text), 1, 3 + w % 7), ' ')
          from generate_series(1, 40) as w),
      now() + m * interval '1 second'
    from generate_series(${from}, ${from + atOnce - 1}) as n, generate_series(1, 4) as m`,
  );

/** The median of several runs. */
async function millisecondsOf(work: () => Promise<unknown>, rounds: number): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return `${times[times.length >> 1]!.toFixed(1)} ms`.padStart(12);
}

async function print(name: string, store: Store, rounds: number): Promise<void> {
  for (const search of searches) {
    const spent = await millisecondsOf(() => store.listConversations("ada", { search }), rounds);
    console.log(name.padEnd(15), search.padEnd(14), spent);
  }
}

async function measure(driver: SqlDriver): Promise<void> {
  const told: string[] = [];
  await postgresStore(driver);
  await driver.query("drop index messages_by_words, conversations_by_words");
  await seedConversations(driver);
  for (let from = 1; from <= conversations; from += atOnce) await seedMessages(driver, from);
  await driver.query("vacuum analyze");
  const store = await postgresStore({ ...driver, isExclusive: true });
  if (process.argv.includes("--without")) await print("without index", store, 1);
  const start = performance.now();
  await postgresStore(driver, { onNotice: (text) => told.push(text) });
  while (!told.some((text) => text.startsWith("Search uses"))) await sleep(100);
  console.log(`index built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await print("with index", store, 7);
}

const local = await startPostgres(["shared_buffers=512MB", "max_wal_size=4GB"]);
if (local === undefined) throw new Error("This machine has no Postgres.");
const driver = pgDriver(local.url, { statementTimeoutMs: 600_000 });
try {
  await measure(driver);
} finally {
  await driver.close();
  await local.remove();
}
