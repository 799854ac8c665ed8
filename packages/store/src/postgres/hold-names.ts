import type { Client, ClientBase } from "pg";
import type { Signals } from "../turn/live-turns.ts";
import type { Sql } from "./driver.ts";

/**
 * Names that count as held while this process is connected to the database, and messages it
 * receives.
 */
export interface HeldNames extends Pick<Signals, "hear" | "isHeard"> {
  /**
   * Holds a name from now on, and takes it again after a lost connection. Failing to do so isn't an
   * error.
   */
  readonly hold: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A session lock: the engine releases it when the connection ends, however it ends. */
const lockOf = (name: string): string => `hashtextextended(${name}, 4157002)`;

/**
 * An SQL condition: the process that held a name is gone. A free lock proves this only if it was
 * taken since the engine last started; right after a restart its holder may be about to reconnect.
 * After a clean stop, the row has an older start time. A crash empties the table, which is
 * unlogged.
 */
export const isHolderGone = (name: string): string =>
  `exists (select 1 from holders held where held.owner = ${name}
    and held.engine_start = pg_postmaster_start_time()
    and pg_try_advisory_xact_lock_shared(${lockOf("held.owner")}))`;

/**
 * Whether a process has taken its name since the engine last started; if so, the lock can be
 * trusted.
 */
export const isHolding = (name: string): string =>
  `exists (select 1 from holders held where held.owner = ${name}
    and held.engine_start = pg_postmaster_start_time())`;

/** Forgets processes that are gone and left no open turn. */
export const forgetHolders = async (sql: Sql): Promise<void> => {
  await sql.query(
    `delete from holders where ${isHolderGone("holders.owner")}
      and not exists (select 1 from turns where turns.owner = holders.owner and state = 'running')`,
  );
};

/** Members that a client has and its types leave out. */
type Untyped = Client & {
  readonly processID: number;
  readonly ref: () => void;
  readonly unref: () => void;
};

interface Holding {
  readonly client: Client;
  readonly names: Set<string>;
}

/** The channel. A database has one of each name, whatever schemas are in it. */
export const channel = "mull";

const retryMs = { first: 100, most: 5000 } as const;

/** Keeps one connection for all names, separate from the query pool. */
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
      // If it stayed open, it would keep its locks from the next one, and each retry would leave
      // another.
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
      // Otherwise a process with nothing else to do exits before the connection has ended.
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
 * greets clients with a made-up process id; the engine greets with its own.
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid !== (client as ClientBase & Pick<Untyped, "processID">).processID;
}

/** Take the lock first, then announce that it can be trusted. */
async function take({ client, names }: Holding, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${lockOf("$1::text")})`, [name]);
  await client.query(
    `insert into holders (owner, engine_start) values ($1, pg_postmaster_start_time())
    on conflict (owner) do update set engine_start = excluded.engine_start`,
    [name],
  );
  names.add(name);
}
