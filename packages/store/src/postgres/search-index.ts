import type { Sql, SqlDriver, SqlRow } from "./driver.ts";

/**
 * The index that finds words without reading every text. The user comes first, so that other
 * people's texts aren't touched. `lower` makes upper and lower case equal.
 */
const indexes = [
  { name: "messages_by_words", table: "messages", column: "search" },
  { name: "conversations_by_words", table: "conversations", column: "title" },
] as const;
type WordIndex = (typeof indexes)[number];

/** Any number other than the migrations' own. */
const searchLock = 4_157_003;

/** Tables with fewer rows are indexed while the store opens, which takes no time. */
const fewRows = 5000;

const howToHaveIt =
  "Let an administrator run: create extension pg_trgm; create extension btree_gin";

/**
 * Gives search an index if the engine has the extensions. This isn't a migration: without an index,
 * search reads conversations one by one and finds the same. A table that is already large gets its
 * index in the background. Returns what is used.
 */
export async function openSearch(driver: SqlDriver, notice: (text: string) => void): Promise<void> {
  // The embedded files would then hold an index that an older release can't write to.
  if (driver.isExclusive) return;
  try {
    const missing = await driver.transaction(prepare);
    if (missing.length === 0) notice("Search uses an index (pg_trgm).");
    else {
      notice("Search gets an index (pg_trgm). Until it is built, search is slower.");
      void buildAll(driver, missing, notice);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notice(`Search has no index: ${reason}. ${howToHaveIt}`);
  }
}

/** Builds what takes no time. Returns the indexes that take longer, as statements. */
async function prepare(sql: Sql): Promise<readonly WordIndex[]> {
  await sql.query(`select pg_advisory_xact_lock(${searchLock})`);
  const valid = await readIndexes(sql);
  if (indexes.every(({ name }) => valid.get(name) === true)) return [];
  const { rows } = await sql.query(
    `select coalesce(to_regnamespace('public')::text, quote_ident(current_schema())) as place`,
  );
  for (const name of ["pg_trgm", "btree_gin"]) {
    await sql.query(`create extension if not exists ${name} schema ${rows[0]!["place"] as string}`);
  }
  const left: WordIndex[] = [];
  for (const index of indexes) {
    if (valid.get(index.name) === true) continue;
    const isMade = !valid.has(index.name) && (await isSmall(sql, index));
    if (isMade) await sql.query(await creating(sql, index, ""));
    else left.push(index);
  }
  return left;
}

const isSmall = async (sql: Sql, { table }: WordIndex): Promise<boolean> =>
  (await sql.query(`select 1 from ${table} limit ${fewRows}`)).rows.length < fewRows;

/** Operators live where the extension is, and this schema's path may not lead there. */
async function creating(
  sql: Sql,
  { name, table, column }: WordIndex,
  how: "" | "concurrently",
): Promise<string> {
  const { rows } = await sql.query(
    `select extnamespace::regnamespace::text as place from pg_extension where extname = 'pg_trgm'`,
  );
  const operators = `${rows[0]!["place"] as string}.gin_trgm_ops`;
  return `create index ${how} ${name} on ${table} using gin (user_id, lower(${column}) ${operators})`;
}

/** The existing indexes, and whether each can be used. */
async function readIndexes(sql: Sql): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql.query(
    `select name, indisvalid as is_valid from json_array_elements_text($1::json) as name
    join pg_index on indexrelid = to_regclass(name)`,
    [JSON.stringify(indexes.map(({ name }) => name))],
  );
  return new Map(rows.map((row: SqlRow) => [row["name"] as string, row["is_valid"] === true]));
}

/** An engine that builds one may be asked before it is whole. */
export const hasSearchIndex = async (sql: Sql): Promise<boolean> => {
  const valid = await readIndexes(sql);
  return indexes.every(({ name }) => valid.get(name) === true);
};

async function buildAll(
  driver: SqlDriver,
  missing: readonly WordIndex[],
  notice: (text: string) => void,
): Promise<void> {
  try {
    await driver.alone?.(async (sql) => {
      for (const index of missing) await build(sql, index);
    });
    if (await hasSearchIndex(driver)) notice("Search uses an index (pg_trgm).");
  } catch (error) {
    // Another process is building it, or this one is closing. The next start looks again.
    const reason = error instanceof Error ? error.message : String(error);
    notice(`Search has no index yet: ${reason}.`);
  }
}

/**
 * Writers continue meanwhile. A half-built index, which the engine never uses, is dropped first.
 */
async function build(sql: Sql, index: WordIndex): Promise<void> {
  const { rows } = await sql.query(
    `select 1 from pg_stat_progress_create_index where relid = to_regclass($1)`,
    [index.table],
  );
  if (rows.length > 0) return;
  const valid = await readIndexes(sql);
  if (valid.get(index.name) === true) return;
  if (valid.has(index.name)) await sql.query(`drop index concurrently ${index.name}`);
  await sql.query(await creating(sql, index, "concurrently"));
}
