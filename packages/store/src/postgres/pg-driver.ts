import type { Client, ClientBase, ClientConfig, Pool, PoolClient } from "pg";
import { hasCode } from "../store-error.ts";
import { safeValues, type Sql, type SqlDriver, type SqlResult } from "./driver.ts";
import { engineError, isBusy } from "./engine-error.ts";
import { channel, holdNames, isPooled } from "./hold-names.ts";
import { createPreparedNames, type PreparedNames } from "./prepared-names.ts";

/** Settings of `pgDriver`. */
export interface PgDriverOptions {
  /** Most connections, besides the one that holds the process's name. Default 8. */
  readonly poolSize?: number;
  /**
   * Where to hold the process's name and listen when `url` leads to a pooler: the address of the
   * database itself. Default: `url`.
   */
  readonly lockUrl?: string;
  /** Longest time for a statement. Default 30 s. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for the server to accept a connection. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for a free connection of the pool. Default 2 s. */
  readonly poolWaitMs?: number;
  /** The schema to use; the database's default when left out. */
  readonly schema?: string;
}

/** A Postgres server, through a pool. Several processes may use one database. */
export function pgDriver(url: string, options: PgDriverOptions = {}): SqlDriver {
  let pool: Promise<Pool> | undefined;
  let closing: Promise<void> | undefined;
  const held = holdNames(() => openHolder(options.lockUrl ?? url, options));
  const names = createPreparedNames();
  const alone = new Set<Client>();
  /** Connections that remember what was prepared on them. */
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

/** A health check needs its answer soon. */
const checkWaitMs = 500;

/**
 * A connection of the pool. If all are busy for long, waiting callers only pile up: tell them, so
 * that they can retry and a balancer can go elsewhere. A connection that comes too late goes back.
 */
async function takeClient(pool: Pool, waitMs: number): Promise<PoolClient> {
  const asked = pool.connect();
  if (pool.waitingCount === 0) return asked;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((giveUp) => {
    // Handle what arrived while this thread was busy.
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
    // The server may be gone without a word; its own time limit would then never fire.
    query_timeout: statementTimeoutMs + 5_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    application_name: "mull",
    ...(options.schema !== undefined && { options: `-c search_path=${options.schema}` }),
  };
}

/** Set after connecting: poolers refuse clients whose greeting has settings they don't know. */
const limitsOf = ({ statementTimeoutMs: most = 30_000 }: PgDriverOptions): string =>
  `set statement_timeout = ${most}; set idle_in_transaction_session_timeout = ${most}`;

/** Loaded on first use: file stores and the embedded engine don't need the client. */
async function openPool(url: string, options: PgDriverOptions): Promise<Pool> {
  const { Pool: PoolClass } = await import("pg");
  const pool = new PoolClass({
    ...connectionOf(url, options),
    max: options.poolSize ?? 8,
    allowExitOnIdle: true,
  });
  // The next query replaces a connection that was lost while idle; without a listener, the error
  // would end the process.
  pool.on("error", () => undefined);
  // The pool listens to idle connections only. One that is lost in use fails its query, and is
  // noticed here.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A connection for long statements. */
async function openAlone(url: string, options: PgDriverOptions): Promise<Client> {
  const { Client: ClientClass } = await import("pg");
  const client = new ClientClass({ ...connectionOf(url, options), query_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  // Behind a pooler, the setting would stay with the next client.
  if (!(await isPooled(client))) await client.query("set statement_timeout = 0");
  return client;
}

const impatience = ["idle = 10", "interval = 5", "count = 3"]
  .map((setting) => `set tcp_keepalives_${setting}`)
  .join("; ");

/** A connection that only stays open and listens. */
async function openHolder(url: string, options: PgDriverOptions): Promise<Client> {
  const { Client: ClientClass } = await import("pg");
  const client = new ClientClass({
    ...connectionOf(url, options),
    application_name: "mull holder",
    lock_timeout: 2000,
    // Firewalls and proxies drop a connection that is silent for long, and the lock would be lost
    // without notice.
    keepAliveInitialDelayMillis: 60_000,
  });
  client.on("error", () => undefined);
  await client.connect();
  // Only servers that end idle sessions know this setting.
  await client.query("set idle_session_timeout = 0").catch(() => undefined);
  // If a machine vanishes, the engine notices only after two hours, and keeps the lock until then.
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

/** Rolls back what a failed step left open. A connection that can't even do that is thrown away. */
async function isUsable(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
