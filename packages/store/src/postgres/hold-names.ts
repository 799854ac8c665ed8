import type { Client, ClientBase } from "pg";
import type { Signals } from "../turn/live-turns.ts";
import type { Sql } from "./driver.ts";

/** Names that count as held while this process is connected to the database, and words it hears meanwhile. */
export interface HeldNames extends Pick<Signals, "hear" | "isHeard"> {
  /** Holds a name from now on, and again after a lost connection. Failing to do so is not an error. */
  readonly hold: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The lock of a session: the engine lets go when the connection ends, however it ended. */
const lockOf = (name: string): string => `hashtextextended(${name}, 4157002)`;

/**
 * Whether the process that held a name is gone, as an SQL condition. A lock that is free says so
 * only if it was taken in this life of the engine: after a restart its holder may be about to come
 * back. The row of a clean stop carries an older start; a crash empties the table, which is unlogged.
 */
export const isHolderGone = (name: string): string =>
  `exists (select 1 from holders held where held.owner = ${name}
    and held.engine_start = pg_postmaster_start_time()
    and pg_try_advisory_xact_lock_shared(${lockOf("held.owner")}))`;

/** Whether a process said in this life of the engine that it holds its name; then the lock tells of it. */
export const isHolding = (name: string): string =>
  `exists (select 1 from holders held where held.owner = ${name}
    and held.engine_start = pg_postmaster_start_time())`;

/** Forgets processes that are gone and left no turn to end. */
export const forgetHolders = async (sql: Sql): Promise<void> => {
  await sql.query(
    `delete from holders where ${isHolderGone("holders.owner")}
      and not exists (select 1 from turns where turns.owner = holders.owner and state = 'running')`,
  );
};

/** What a client has and its types leave out. */
type Untyped = Client & {
  readonly processID: number;
  readonly ref: () => void;
  readonly unref: () => void;
};

interface Holding {
  readonly client: Client;
  readonly names: Set<string>;
}

/** What words travel on. A database has one of each name, whatever schemas are in it. */
export const channel = "mull";

const retryMs = { first: 100, most: 5000 } as const;

/** Keeps one connection for all names, apart from the pool that runs queries. */
export function holdNames(connect: () => Promise<Client>): HeldNames {
  const wanted = new Set<string>();
  const listeners = new Set<(word: string) => void>();
  let holding: Promise<Holding | undefined> | undefined;
  let isOver = false;
  let isHeard = false;

  const tell = (word: string): void => {
    for (const listener of listeners) listener(word);
  };
  const open = (): Promise<Holding | undefined> => {
    const opened = openHolding(connect, tell, () => {
      if (holding !== opened) return;
      holding = undefined;
      isHeard = false;
      void holdAll(retryMs.first);
    });
    return opened;
  };
  const holdAll = async (pauseMs: number): Promise<void> => {
    if (isOver) return;
    const opened = (holding ??= open());
    try {
      const held = await opened;
      if (held === undefined) return;
      isHeard = true;
      for (const name of wanted) if (!held.names.has(name)) await take(held, name);
    } catch {
      if (holding === opened) holding = undefined;
      // Left open, it would keep its locks from the next one, and one more would be left every time.
      opened.then((held) => held?.client.end()).catch(() => undefined);
      const nextMs = Math.min(pauseMs * 2, retryMs.most);
      setTimeout(() => void holdAll(nextMs), pauseMs).unref();
    }
  };

  return {
    hold: (name) => {
      wanted.add(name);
      return holdAll(retryMs.first);
    },
    hear: (listener) => void listeners.add(listener),
    isHeard: () => isHeard,
    close: async () => {
      isOver = true;
      const held = await holding?.catch(() => undefined);
      if (held === undefined) return;
      // Or a process that waits for nothing else ends before the connection has.
      (held.client as Untyped).ref();
      await held.client.end();
    },
  };
}

async function openHolding(
  connect: () => Promise<Client>,
  tell: (word: string) => void,
  onEnd: () => void,
): Promise<Holding | undefined> {
  const client = await connect();
  try {
    if (!(await isPooled(client))) {
      client.on("end", onEnd);
      client.on("notification", ({ payload = "" }) => tell(payload));
      await client.query(`listen ${channel}`);
      (client as Untyped).unref();
      return { client, names: new Set() };
    }
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
  await client.end();
  return undefined;
}

/**
 * A pooler may give each statement another connection, and the lock to the next client. It also
 * makes up the process id that a client is greeted with; the engine itself greets with its own.
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid !== (client as ClientBase & Pick<Untyped, "processID">).processID;
}

/** First the lock, then the word that it can be relied on. */
async function take({ client, names }: Holding, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${lockOf("$1::text")})`, [name]);
  await client.query(
    `insert into holders (owner, engine_start) values ($1, pg_postmaster_start_time())
    on conflict (owner) do update set engine_start = excluded.engine_start`,
    [name],
  );
  names.add(name);
}
