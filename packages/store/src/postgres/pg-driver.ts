import { Pool, type PoolClient } from "pg";
import { safeValues, type Sql, type SqlDriver, type SqlResult } from "./driver.ts";
import { engineError } from "./engine-error.ts";

export interface PgDriverOptions {
  /** Connections at most. 10 when left out. */
  readonly poolSize?: number;
  /** Longest a statement may take. 30 s when left out. */
  readonly statementTimeoutMs?: number;
  /** Longest to wait for a connection. 5 s when left out. */
  readonly connectTimeoutMs?: number;
  /** Schema to use; the database's own choice when left out. */
  readonly schema?: string;
}

/** A Postgres server, through a pool. Several processes may use one database. */
export function pgDriver(url: string, options: PgDriverOptions = {}): SqlDriver {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    statement_timeout: statementTimeoutMs,
    // The server may be gone without a word: its own limit would then never fire.
    query_timeout: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: "mull",
    ...(options.schema !== undefined && { options: `-c search_path=${options.schema}` }),
  });
  // A connection lost while idle is replaced by the next query; unheard it would end the process.
  pool.on("error", () => undefined);

  const transaction = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await connect(pool);
    let broken: Error | undefined;
    try {
      const sql = { query: queryBy(client) };
      await sql.query("begin");
      const result = await run(sql);
      await sql.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= pool.end());
  return {
    isExclusive: false,
    query: queryBy(pool),
    transaction,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const queryBy =
  (client: Pick<Pool | PoolClient, "query">): Sql["query"] =>
  async (text, values = []): Promise<SqlResult> => {
    try {
      const result = await client.query<Record<string, unknown>>(text, safeValues(values));
      return { rows: result.rows, affected: result.rowCount ?? 0 };
    } catch (error) {
      throw engineError(error);
    }
  };

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw engineError(error);
  }
}
