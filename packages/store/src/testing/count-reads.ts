import type { Sql } from "../postgres/driver.ts";

/** Rows and index entries that an embedded engine has read so far. */
export async function countReads(sql: Sql): Promise<number> {
  await sql.query("select pg_stat_force_next_flush()");
  const { rows } = await sql.query(
    `select (select sum(seq_tup_read) from pg_stat_user_tables)::float8
      + (select sum(idx_tup_read) from pg_stat_user_indexes)::float8 as reads`,
  );
  return rows[0]?.["reads"] as number;
}
