import { messages, type PGlite } from "@electric-sql/pglite";
import type { SqlResult } from "../postgres/driver.ts";
import { createPreparedNames } from "../postgres/prepared-names.ts";
import { engineFailure } from "./engine-failure.ts";
import type { EngineOutcome, Statement } from "./protocol.ts";
import { prepareMessages, runMessages } from "./wire-messages.ts";

/** Runs statements, preparing those that repeat. */
export interface Statements {
  /**
   * Several statements are one transaction. If one fails, each runs alone and has its own outcome.
   * Rejects if the engine broke: then no outcome is known.
   */
  readonly run: (group: readonly Statement[]) => Promise<readonly EngineOutcome[]>;
}

type ReadColumn = (value: string) => unknown;

interface Column {
  readonly name: string;
  readonly read: ReadColumn;
}

interface PreparedStatement {
  readonly name: string;
  readonly columns: readonly Column[];
}

const asText: ReadColumn = (value) => value;

/**
 * The types (by number) whose text we can read; the engine's own client runs statements with any
 * other.
 */
const readers: ReadonlyMap<number, ReadColumn> = new Map<number, ReadColumn>([
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

/** Tables change, and a statement prepared earlier may then give other columns. */
const changesTables = (text: string): boolean => /^\s*(?:create|alter|drop)\b/i.test(text);

/**
 * The engine's own client sends five messages for each statement and has it parsed and planned
 * again, which is most of what a small statement costs. We plan it once, and run many in one
 * exchange and one commit. For one caller at a time.
 */
export function createStatements(db: PGlite): Statements {
  const names = createPreparedNames();
  const known = new Map<string, PreparedStatement | undefined>();

  const exchange = async (bytes: Uint8Array): Promise<readonly object[]> =>
    (await db.execProtocol(bytes, { syncToFs: false })).messages;

  const prepare = async (text: string, name: string): Promise<PreparedStatement | undefined> => {
    const columns = columnsIn(await exchange(prepareMessages(name, text)));
    const prepared = columns === undefined ? undefined : { name, columns };
    known.set(text, prepared);
    return prepared;
  };

  const forget = async (): Promise<void> => {
    names.forget();
    known.clear();
    await db.exec("deallocate all");
  };

  const find = (
    text: string,
  ): Promise<PreparedStatement | undefined> | PreparedStatement | undefined => {
    if (known.has(text)) return known.get(text);
    const name = names.nameOf(text);
    return name === undefined ? undefined : prepare(text, name);
  };

  /** `undefined`: one of them can't be run this way. */
  const runTogether = async (
    group: readonly Statement[],
  ): Promise<readonly SqlResult[] | undefined> => {
    const prepared: PreparedStatement[] = [];
    for (const { text } of group) {
      const found = await find(text);
      if (found === undefined) return undefined;
      prepared.push(found);
    }
    const runs = group.map(({ values }, at) => ({ name: prepared[at]!.name, values }));
    const results = resultsIn(await exchange(runMessages(runs)), prepared);
    if (results.length !== group.length) {
      throw new Error(`The engine answered ${results.length} of ${group.length} statements.`);
    }
    return results;
  };

  const runAlone = async (statement: Statement): Promise<SqlResult> => {
    const [result] = (await runTogether([statement])) ?? [];
    if (result !== undefined) return result;
    const { text, values } = statement;
    const { rows, affectedRows = 0 } = await db.query<Record<string, unknown>>(text, [...values]);
    if (changesTables(text)) await forget();
    return { rows, affected: affectedRows };
  };

  return {
    async run(group) {
      const together = group.length > 1 ? await unlessFailed(runTogether(group)) : undefined;
      if (together !== undefined && !("failure" in together)) return together;
      const outcomes: EngineOutcome[] = [];
      for (const statement of group) outcomes.push(await unlessFailed(runAlone(statement)));
      return outcomes;
    },
  };
}

/**
 * The answer, or the error that the engine answered with. An error that breaks the engine is
 * thrown.
 */
async function unlessFailed<T>(
  work: Promise<T>,
): Promise<T | Extract<EngineOutcome, { readonly failure: unknown }>> {
  try {
    return await work;
  } catch (error) {
    const failure = engineFailure(error);
    if (failure.isFatal) throw error;
    return { failure };
  }
}

/** `undefined`: only the engine's own client reads one of the types. */
function columnsIn(answers: readonly object[]): readonly Column[] | undefined {
  const described = answers.find((answer) => answer instanceof messages.RowDescriptionMessage);
  const columns = (described?.fields ?? []).flatMap(({ name, dataTypeID }) => {
    const read = readers.get(dataTypeID);
    return read === undefined ? [] : [{ name, read }];
  });
  return columns.length === (described?.fields.length ?? 0) ? columns : undefined;
}

/** The results of statements that ran one after the other. */
function resultsIn(
  answers: readonly object[],
  prepared: readonly PreparedStatement[],
): readonly SqlResult[] {
  const results: SqlResult[] = [];
  let rows: Record<string, unknown>[] = [];
  for (const answer of answers) {
    if (answer instanceof messages.DataRowMessage) {
      rows.push(rowOf(prepared[results.length]!.columns, answer.fields));
    } else if (answer instanceof messages.CommandCompleteMessage) {
      results.push({ rows, affected: affectedIn(answer.text) });
      rows = [];
    }
  }
  return results;
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

/** `INSERT 0 1`, `UPDATE 3`, `SELECT 5`: a reading statement affects no rows. */
const affectedIn = (tag: string): number =>
  /^(?:INSERT|UPDATE|DELETE|MERGE)\b/.test(tag) ? Number(tag.split(" ").at(-1)) : 0;
