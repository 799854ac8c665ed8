import { messages, type PGlite } from "@electric-sql/pglite";
import type { SqlResult, SqlValue } from "../postgres/driver.ts";
import { prepareMessages, runMessages } from "./wire-messages.ts";

/** Runs statements, those that come again and again prepared. */
export interface Statements {
  readonly query: (text: string, values: readonly SqlValue[]) => Promise<SqlResult>;
}

type Read = (value: string) => unknown;

interface Column {
  readonly name: string;
  readonly read: Read;
}

interface Prepared {
  readonly name: string;
  readonly columns: readonly Column[];
}

const asText: Read = (value) => value;

/** Types by number whose text we read; a statement with another one is left to the engine's own client. */
const readers: ReadonlyMap<number, Read> = new Map<number, Read>([
  [16, (value) => value === "t"],
  [19, asText],
  [21, Number],
  [23, Number],
  [25, asText],
  [700, Number],
  [701, Number],
  [1043, asText],
  [2950, asText],
]);

const isRepeated = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i.test(text);
/** Tables change: what was prepared before may give other columns now. */
const changesTables = (text: string): boolean => /^\s*(?:create|alter|drop)\b/i.test(text);

/** Statements whose text depends on what is asked for must not fill the engine. */
const mostPrepared = 200;

/**
 * The engine's own client sends five messages for a statement and has it parsed and planned anew
 * every time, which is most of what a small statement costs. Here it is planned once, and a run is
 * one exchange. For one caller at a time.
 */
export function createStatements(db: PGlite): Statements {
  const known = new Map<string, Prepared | undefined>();
  let named = 0;

  const exchange = async (bytes: Uint8Array): Promise<readonly object[]> =>
    (await db.execProtocol(bytes, { syncToFs: false })).messages;

  const prepare = async (text: string): Promise<Prepared | undefined> => {
    const name = `mull_${named++}`;
    const columns = columnsIn(await exchange(prepareMessages(name, text)));
    const prepared = columns === undefined ? undefined : { name, columns };
    known.set(text, prepared);
    return prepared;
  };

  const find = (text: string): Promise<Prepared | undefined> | Prepared | undefined => {
    if (known.has(text)) return known.get(text);
    return known.size < mostPrepared && isRepeated(text) ? prepare(text) : undefined;
  };

  return {
    async query(text, values) {
      const prepared = await find(text);
      if (prepared !== undefined) {
        return resultIn(await exchange(runMessages(prepared.name, values)), prepared.columns);
      }
      const { rows, affectedRows = 0 } = await db.query<Record<string, unknown>>(text, [...values]);
      if (changesTables(text)) known.clear();
      return { rows, affected: affectedRows };
    },
  };
}

/** `undefined`: there is a type that only the engine's own client reads. */
function columnsIn(answers: readonly object[]): readonly Column[] | undefined {
  const described = answers.find((answer) => answer instanceof messages.RowDescriptionMessage);
  const columns = (described?.fields ?? []).flatMap(({ name, dataTypeID }) => {
    const read = readers.get(dataTypeID);
    return read === undefined ? [] : [{ name, read }];
  });
  return columns.length === (described?.fields.length ?? 0) ? columns : undefined;
}

function resultIn(answers: readonly object[], columns: readonly Column[]): SqlResult {
  const rows: Record<string, unknown>[] = [];
  let affected = 0;
  for (const answer of answers) {
    if (answer instanceof messages.DataRowMessage) rows.push(rowOf(columns, answer.fields));
    else if (answer instanceof messages.CommandCompleteMessage) affected = affectedIn(answer.text);
  }
  return { rows, affected };
}

const rowOf = (
  columns: readonly Column[],
  fields: readonly (string | null)[],
): Record<string, unknown> =>
  Object.fromEntries(
    columns.map(({ name, read }, at) => {
      const value = fields[at] ?? null;
      return [name, value === null ? null : read(value)];
    }),
  );

/** `INSERT 0 1`, `UPDATE 3`, `SELECT 5`: a reading statement affects nothing. */
const affectedIn = (tag: string): number =>
  /^(?:INSERT|UPDATE|DELETE|MERGE)\b/.test(tag) ? Number(tag.split(" ").at(-1)) : 0;
