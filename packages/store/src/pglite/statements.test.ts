import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SqlResult, SqlValue } from "../postgres/driver.ts";
import type { Statement } from "./protocol.ts";
import { createStatements, type Statements } from "./statements.ts";

const adding = (id: string, body = "{}"): Statement => ({
  text: "insert into notes values ($1, $2::json, $3::float8, $4)",
  values: [id, body, 1.5, true],
});

describe("prepared statements of the embedded engine", () => {
  let db: PGlite;
  let statements: Statements;
  beforeAll(async () => {
    db = await PGlite.create();
    await db.exec("create table notes (id text primary key, body json, size float8, seen bool)");
    statements = createStatements(db);
  }, 60_000);
  afterAll(() => db.close(), 60_000);

  const query = async (text: string, values: readonly SqlValue[] = []): Promise<SqlResult> => {
    const [outcome] = await statements.run([{ text, values }]);
    if (outcome === undefined || "failure" in outcome) throw outcome?.failure;
    return outcome;
  };
  const add = (id: string, body?: string): Promise<SqlResult> => {
    const { text, values } = adding(id, body);
    return query(text, values);
  };

  const read = (id: string): Promise<SqlResult> =>
    query(
      "select id, body::text as body, size, seen, null::text as none from notes where id = $1",
      [id],
    );

  test("F-H3: values come back as they were given, the second time as the first", async () => {
    expect((await add("é\u2028", '{"a":"\\u0000"}')).affected).toBe(1);
    const expected = {
      rows: [{ id: "é\u2028", body: '{"a":"\\u0000"}', size: 1.5, seen: true, none: null }],
      affected: 0,
    };
    expect(await read("é\u2028")).toEqual(expected);
    expect(await read("é\u2028")).toEqual(expected);
    expect((await read("nobody")).rows).toEqual([]);
  });

  test("types that are not read here are read by the engine's own client", async () => {
    const text = "select now() as at, 2::int8 as two, '{1}'::int[] as list";
    const [row] = (await query(text)).rows;
    expect(row).toMatchObject({ at: expect.any(Date), two: 2, list: [1] });
  });

  test("an error keeps its code, and the next statement works", async () => {
    await add("twice");
    await expect(add("twice")).rejects.toMatchObject({ code: "23505" });
    await expect(query("select * from nowhere")).rejects.toMatchObject({
      code: "42P01",
    });
    expect((await add("once more")).affected).toBe(1);
  });

  test("what is rolled back is gone, also after an error in between", async () => {
    await query("begin");
    await add("undone");
    await expect(add("undone")).rejects.toMatchObject({ code: "23505" });
    await expect(add("other")).rejects.toMatchObject({ code: "25P02" });
    await query("rollback");
    const { rows } = await query("select id from notes where id = $1", ["undone"]);
    expect(rows).toEqual([]);
  });

  const idsLike = async (pattern: string): Promise<readonly unknown[]> => {
    const { rows } = await query("select id from notes where id like $1 order by id", [pattern]);
    return rows.map(({ id }) => id);
  };
  /** The number of the transaction that wrote each row. */
  const writersOf = async (pattern: string): Promise<readonly unknown[]> => {
    const { rows } = await query(
      "select distinct xmin::text as writer from notes where id like $1",
      [pattern],
    );
    return rows;
  };

  test("F-D1: a group is one transaction, and later members see earlier ones", async () => {
    const outcomes = await statements.run([
      adding("group 1"),
      { text: "update notes set size = 3 where id = $1", values: ["group 1"] },
      { text: "select size from notes where id = $1", values: ["group 1"] },
      adding("group 2"),
    ]);
    expect(outcomes).toEqual([
      { rows: [], affected: 1 },
      { rows: [], affected: 1 },
      { rows: [{ size: 3 }], affected: 0 },
      { rows: [], affected: 1 },
    ]);
    expect(await idsLike("group %")).toEqual(["group 1", "group 2"]);
    expect(await writersOf("group %")).toHaveLength(1);
  });

  test("F-D1: a member of a group that fails, fails alone", async () => {
    await add("taken");
    const nowhere = { text: "select * from nowhere_at_all", values: [] };
    const outcomes = await statements.run([
      adding("first of all"),
      adding("taken"),
      adding("last of all"),
    ]);
    expect(outcomes).toEqual([
      { rows: [], affected: 1 },
      { failure: expect.objectContaining({ code: "23505", isFatal: false }) },
      { rows: [], affected: 1 },
    ]);
    expect(await idsLike("% of all")).toEqual(["first of all", "last of all"]);
    expect(await statements.run([nowhere, adding("beside nowhere")])).toEqual([
      { failure: expect.objectContaining({ code: "42P01" }) },
      { rows: [], affected: 1 },
    ]);
  });

  test("F-D1: what cannot be prepared goes alone, in its place", async () => {
    const outcomes = await statements.run([
      adding("before"),
      { text: "alter table notes add late text default 'x'", values: [] },
      { text: "select late from notes where id = $1", values: ["before"] },
    ]);
    expect(outcomes.at(-1)).toEqual({ rows: [{ late: "x" }], affected: 0 });
    await query("alter table notes drop late");
  });

  test("F-D14: an engine that answers too little is broken, not believed", async () => {
    await add("heard");
    const real = db.execProtocol.bind(db);
    vi.spyOn(db, "execProtocol").mockImplementationOnce(async (...given) => {
      const answer = await real(...given);
      return { ...answer, messages: answer.messages.slice(0, 2) };
    });
    const group = [adding("unheard 1"), adding("unheard 2")];
    await expect(statements.run(group)).rejects.toThrow("answered 1 of 2");
  });

  test("a changed table gives its new columns", async () => {
    await query("create table grown (a text)");
    await query("insert into grown values ($1)", ["x"]);
    const all = (): Promise<SqlResult> => query("select * from grown");
    expect((await all()).rows).toEqual([{ a: "x" }]);
    await query("alter table grown add b text default 'y'");
    expect((await all()).rows).toEqual([{ a: "x", b: "y" }]);
  });

  test("more texts than are kept prepared are run all the same", async () => {
    for (let n = 0; n < 250; n++) {
      const { rows } = await query(`select ${n} as n`);
      expect(rows).toEqual([{ n }]);
    }
    const { rows } = await db.query("select count(*)::int as held from pg_prepared_statements");
    expect((rows as { held: number }[]).at(0)?.held).toBeLessThanOrEqual(210);
  });
});
