import type { Sql, SqlRow, SqlValue } from "./driver.ts";

/**
 * As many rows as an engine that does one thing at a time can take without holding others up, and
 * this thread can read.
 */
const pageSize = 500;

/** What is read: rows of a table with an `id`, in an order that only grows at its end. */
export interface PagedRows {
  readonly table: "messages" | "turns";
  readonly columns: string;
  readonly where: string;
  /** The columns that give every row a unique place. */
  readonly order: string;
}

/** All rows, page by page, so that others get to the engine and to this thread in between. */
export async function readPages(
  sql: Sql,
  { table, columns, where, order }: PagedRows,
  values: readonly SqlValue[],
): Promise<readonly SqlRow[]> {
  const sorted = order.split(", ").map((column) => `${table}.${column}`);
  const page = (behind: string): string =>
    `select ${columns} from ${table} where ${where} ${behind}
    order by ${sorted.join(", ")} limit ${pageSize}`;
  const last = `$${values.length + 1}`;
  const further = page(`and (${order}) > (select ${order} from ${table} where id = ${last})`);
  let { rows } = await sql.query(page(""), values);
  const all = [...rows];
  while (rows.length === pageSize) {
    ({ rows } = await sql.query(further, [...values, rows.at(-1)!["id"] as string]));
    for (const row of rows) all.push(row);
  }
  return all;
}
