import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pgDriver, postgresStore, type Store } from "@mull/store";
import type { LocalPostgres } from "@mull/store/testing";
import { Client } from "pg";
import { startDatabases } from "../databases.ts";
import { count, pause, type Line, type Row } from "../row.ts";
import { keepTurns } from "../../../turns/keep-turns.ts";

const processes = 100;
const turnsEach = 500;
const measuredMs = 20_000;

/** The turns of a process that answers this many questions. */
async function addTurns(url: string, owners: readonly string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const every = `from unnest($1::text[]) as owner, generate_series(1, ${turnsEach}) as nth`;
  const id = `owner || '-' || nth`;
  await client.query(
    `insert into conversations (id, user_id, title, info, created_at, updated_at)
    select ${id}, 'ann', '', '{}', now(), now() ${every}`,
    [owners],
  );
  await client.query(
    `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
      idempotency_key, fingerprint, info, started_at)
    select ${id}, ${id}, 'ann', 'running', owner, now() + interval '10 seconds', 'q', ${id}, '', '{}', now()
    ${every}`,
    [owners],
  );
  await client.query("vacuum analyze");
  await client.end();
}

/** Processor seconds that a server used, with all of its processes. */
function secondsOf({ folder }: LocalPostgres): number {
  const postmaster = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0];
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (pid === postmaster || fields[1] === postmaster)
      ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

/** What Linux reports about a process, from its state on. */
function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** What every process writes and reads without any reader; here, one process stands for all. */
const keep = (store: Store): { readonly stop: () => void } =>
  keepTurns({
    store: async () => store,
    log: (entry) => console.log(JSON.stringify(entry)),
    scrub: (text) => text,
    events: { onStop: () => undefined },
    turns: { findLocal: () => undefined, running: () => [], tidy: async () => undefined },
    parts: { isShared: true },
    revocations: {
      follow: () => () => undefined,
      check: async () => void (await store.findGone({ sessions: ["none"], users: ["ann"] })),
    },
  });

async function run(): Promise<readonly Line[]> {
  const databases = await startDatabases(["max_connections=300"]);
  if (databases === undefined) return [];
  const { postgres } = databases;
  const stores: Store[] = [];
  try {
    for (let nth = 0; nth < processes; nth++) {
      stores.push(await postgresStore(pgDriver(postgres.url, { poolSize: 1 })));
    }
    const keepers = stores.map(keep);
    await pause(3000);
    await addTurns(
      postgres.url,
      stores.map(({ owner }) => owner),
    );
    await pause(3000);
    const before = secondsOf(postgres);
    await pause(measuredMs);
    const cores = (secondsOf(postgres) - before) / (measuredMs / 1000);
    for (const { stop } of keepers) stop();
    await pause(1000);
    return [
      {
        measure: `${processes} processes x ${turnsEach} turns that say they live, Postgres`,
        mull: `${cores.toFixed(3)} of a core`,
        beside: `${count(processes * turnsEach)} turns`,
        ratio: "",
        target: "≤ 0.1",
        holds: cores <= 0.1,
      },
    ];
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await databases.end();
  }
}

export const heartbeats: Row = { name: "heartbeats", run };
