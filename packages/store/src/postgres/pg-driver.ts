import type { Client, ClientBase, ClientConfig, Pool, PoolClient } from "pg";
import { hasCode } from "../store-error.ts";
import { safeValues, type Sql, type SqlDriver, type SqlResult } from "./driver.ts";
import { engineError, isBusy } from "./engine-error.ts";
import { channel, holdNames, isPooled } from "./hold-names.ts";
import { createPreparedNames, type PreparedNames } from "./prepared-names.ts";

/** Settings of `pgDriver`. */
export interface PgDriverOptions {
  /** Connections at most, beside one that holds the process's name. 8 when left out. */
  readonly poolSize?: number;
  /**
   * Where to hold the process's name and listen, when `url` leads to a pooler: the same database
   * itself. `url` when left out.
   */
  readonly lockUrl?: string;
  /** Longest a statement may take. 30 s when left out. */
  readonly statementTimeoutMs?: number;
  /** Longest to wait for the server to take a connection. 5 s when left out. */
  readonly connectTimeoutMs?: number;
  /** Longest to wait for one of the pool while all are in use. 2 s when left out. */
  readonly poolWaitMs?: number;
  /** Schema to use; the database's own choice when left out. */
  readonly schema?: string;
}

/** A Postgres server, through a pool. Several processes may use one database. */
export function pgDriver(url: string, options: PgDriverOptions = {}): SqlDriver {
  let pool: Promise<Pool> | undefined;
  let closing: Promise<void> | undefined;
  const held = holdNames(() => openHolder(options.lockUrl ?? url, options));
  const names = createPreparedNames();
  const alone = new Set<Client>();
  /** Connections that keep what was prepared on them. */
  const keeping = new WeakMap<PoolClient, boolean>();
  const { poolWaitMs = 2000 } = options;
  const connect = async (waitMs: number): Promise<PoolClient> =>
    takeClient(await (pool ??= openPool(url, options)), waitMs);

  const queryOn = async (client: PoolClient): Promise<Sql["query"]> => {
    if (!keeping.has(client)) {
      const isKeeping = !(await isPooled(client).catch(failed));
      if (isKeeping) await client.query(limitsOf(options)).catch(failed);
      keeping.set(client, isKeeping);
    }
    return queryBy(client, keeping.get(client) === true ? names.nameOf : () => undefined);
  };
  const use = async <T>(
    run: (query: Sql["query"]) => Promise<T>,
    waitMs = poolWaitMs,
  ): Promise<T> => {
    const client = await connect(waitMs).catch(failed);
    let isBroken = true;
    try {
      const result = await run(await queryOn(client));
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = isOutdated(error) || !(await isUsable(client));
      throw error;
    } finally {
      client.release(isBroken);
    }
  };

  const close = async (): Promise<void> => {
    for (const client of alone) void client.end().catch(() => undefined);
    await Promise.all([held.close(), pool?.then((opened) => opened.end())]);
  };
  const closeOnce = (): Promise<void> => (closing ??= close());
  return {
    isExclusive: false,
    holdName: held.hold,
    signals: {
      hear: held.hear,
      isHeard: held.isHeard,
      send: async (word) => {
        await use((query) => query(`select pg_notify('${channel}', $1)`, [word]));
      },
    },
    query: (text, values) => use((query) => query(text, values)),
    transaction: (run) => use((query) => transact(query, run)),
    alone: async (run) => {
      const client = await openAlone(options.lockUrl ?? url, options).catch(failed);
      alone.add(client);
      try {
        return await run({ query: queryBy(client, () => undefined) });
      } finally {
        alone.delete(client);
        await client.end().catch(() => undefined);
      }
    },
    check: async () => {
      await use((query) => query("select 1"), Math.min(poolWaitMs, checkWaitMs));
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** Who asks whether the store can be used wants to hear it soon. */
const checkWaitMs = 500;

/**
 * A connection of the pool. Where all are in use for long, more callers would only wait longer: who
 * is told so can come again, and a balancer can go elsewhere. One that comes too late goes back.
 */
async function takeClient(pool: Pool, waitMs: number): Promise<PoolClient> {
  const asked = pool.connect();
  if (pool.waitingCount === 0) return asked;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((giveUp) => {
    // What arrived while this thread did something else is looked at first.
    timer = setTimeout(() => setImmediate(giveUp, undefined), waitMs);
  });
  const client = await Promise.race([asked, late]).finally(() => clearTimeout(timer));
  if (client !== undefined) return client;
  asked.then((tooLate) => tooLate.release()).catch(() => undefined);
  throw isBusy();
}

const failed = (error: unknown): never => {
  throw engineError(error);
};

function connectionOf(url: string, options: PgDriverOptions): ClientConfig {
  const { statementTimeoutMs = 30_000 } = options;
  return {
    connectionString: url,
    // The server may be gone without a word: its own limit would then never fire.
    query_timeout: statementTimeoutMs + 5_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    application_name: "mull",
    ...(options.schema !== undefined && { options: `-c search_path=${options.schema}` }),
  };
}

/** Not said with the greeting: poolers refuse clients that greet with settings they do not know. */
const limitsOf = ({ statementTimeoutMs: most = 30_000 }: PgDriverOptions): string =>
  `set statement_timeout = ${most}; set idle_in_transaction_session_timeout = ${most}`;

/** Loaded on first use: file stores and the embedded engine do not need the client. */
async function openPool(url: string, options: PgDriverOptions): Promise<Pool> {
  const { Pool: PoolClass } = await import("pg");
  const pool = new PoolClass({
    ...connectionOf(url, options),
    max: options.poolSize ?? 8,
    allowExitOnIdle: true,
  });
  // A connection lost while idle is replaced by the next query; unheard it would end the process.
  pool.on("error", () => undefined);
  // The pool listens to idle connections only; one lost in use fails its query, and is heard here.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A connection for what takes long. */
async function openAlone(url: string, options: PgDriverOptions): Promise<Client> {
  const { Client: ClientClass } = await import("pg");
  const client = new ClientClass({ ...connectionOf(url, options), query_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  // Behind a pooler the setting would stay with whoever comes next.
  if (!(await isPooled(client))) await client.query("set statement_timeout = 0");
  return client;
}

const impatience = ["idle = 10", "interval = 5", "count = 3"]
  .map((setting) => `set tcp_keepalives_${setting}`)
  .join("; ");

/** A connection that does nothing but stay, and hear. */
async function openHolder(url: string, options: PgDriverOptions): Promise<Client> {
  const { Client: ClientClass } = await import("pg");
  const client = new ClientClass({
    ...connectionOf(url, options),
    application_name: "mull holder",
    lock_timeout: 2000,
    // Whatever stands between forgets a connection that is silent for long, and its lock goes unheard.
    keepAliveInitialDelayMillis: 60_000,
  });
  client.on("error", () => undefined);
  await client.connect();
  // Only servers that end idle sessions know the setting.
  await client.query("set idle_session_timeout = 0").catch(() => undefined);
  // Of a machine that vanished the engine would hear in two hours, and keep its lock until then.
  await client.query(impatience).catch(() => undefined);
  return client;
}

const queryBy =
  (client: ClientBase, nameOf: PreparedNames["nameOf"]): Sql["query"] =>
  async (text, values = []): Promise<SqlResult> => {
    const name = nameOf(text);
    const statement = { text, values: safeValues(values), ...(name !== undefined && { name }) };
    try {
      const result = await client.query<Record<string, unknown>>(statement);
      return { rows: result.rows, affected: result.rowCount ?? 0 };
    } catch (error) {
      throw engineError(error);
    }
  };

/** A statement prepared before a table change, or deallocated, would fail for ever. */
const isOutdated = (error: unknown): boolean => hasCode(error, "0A000") || hasCode(error, "26000");

async function transact<T>(query: Sql["query"], run: (sql: Sql) => Promise<T>): Promise<T> {
  await query("begin");
  const result = await run({ query });
  await query("commit");
  return result;
}

/** Rolls back what a failed step left open. A connection that cannot do even that is thrown away. */
async function isUsable(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
