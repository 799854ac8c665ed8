import { storeError } from "../store-error.ts";
import type { Signals } from "../turn/live-turns.ts";

/** A value for a parameter of an SQL statement. */
export type SqlValue = string | number | boolean | null;
/** A row of an SQL result, by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The result of an SQL statement. */
export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Rows written. Only meaningful for statements that write. */
  readonly affected: number;
  /** It was sent before, on a connection that was lost, so it may be done already. */
  readonly mayBeDone?: true;
}

/** Runs SQL statements. */
export interface Sql {
  readonly query: (text: string, values?: readonly SqlValue[]) => Promise<SqlResult>;
}

/** A connection to a Postgres engine. Its errors have the SQLSTATE in `code`. */
export interface SqlDriver extends Sql, AsyncDisposable {
  /** No other process can use the same data. */
  readonly isExclusive: boolean;
  /**
   * Holds a name for as long as this process is connected, if other processes could use the data.
   * Does nothing if a connection can't be held.
   */
  readonly holdName?: (name: string) => Promise<void>;
  /** Messages to and from other processes on the same data; absent if there can be none. */
  readonly signals?: Signals;
  /** Commits what `run` did, or rolls it back when it throws. */
  readonly transaction: <T>(run: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Runs a long statement on a connection of its own; absent if there is only one connection. */
  readonly alone?: <T>(run: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Rejects soon if a statement would wait or fail. */
  readonly check?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Runs a statement that must write `count` rows: an engine that acknowledges without writing is
 * broken. A statement that is sent again and skips existing rows may find all of them.
 */
export async function write(
  sql: Sql,
  count: number,
  text: string,
  values: readonly SqlValue[],
): Promise<SqlResult> {
  const result = await sql.query(text, values);
  if (result.mayBeDone !== true || result.affected > 0) checkWritten(result.affected, count);
  return result;
}

export function checkWritten(written: number, count: number): void {
  if (written === count) return;
  throw storeError("broken", `The database wrote ${written} rows instead of ${count}.`);
}

/** Collects the values of a statement, and gives the text that refers to each. */
export function createBindings(): {
  readonly values: readonly SqlValue[];
  readonly bind: (value: SqlValue) => string;
} {
  const values: SqlValue[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/**
 * One statement made of several that use each other's rows by name. All of it is done, or nothing.
 */
export const inSteps = (steps: Readonly<Record<string, string>>, result: string): string =>
  `with ${Object.entries(steps)
    .map(([name, text]) => `${name} as (${text})`)
    .join(", ")} ${result}`;

/**
 * Engines refuse a raw NUL in a text parameter. No stored text has one, so such a search finds
 * nothing.
 */
export const safeValues = (values: readonly SqlValue[]): SqlValue[] =>
  values.map((value) =>
    typeof value === "string" && value.includes("\u0000")
      ? value.replaceAll("\u0000", "\ufffd")
      : value,
  );

/**
 * A condition that always holds, for a write that may be lost when the database crashes: its commit
 * doesn't wait for the disk. Whatever waits afterwards takes it along. The embedded engine commits
 * the statements of several callers together, and the others have to wait.
 */
export const unhurried = ({ isExclusive }: SqlDriver): string =>
  isExclusive ? "true" : "set_config('synchronous_commit', 'off', true) = 'off'";
