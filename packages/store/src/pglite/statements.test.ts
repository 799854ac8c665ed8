import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStatements, type Statements } from "./statements.ts";

describe("prepared statements of the embedded engine", () => {
  let db: PGlite;
  let statements: Statements;
  beforeAll(async () => {
    db = await PGlite.create();
    await db.exec("create table notes (id text primary key, body json, size float8, seen bool)");
    statements = createStatements(db);
  }, 60_000);
  afterAll(() => db.close());

  const add = (id: string, body = "{}"): ReturnType<Statements["query"]> =>
    statements.query("insert into notes values ($1, $2::json, $3::float8, $4)", [
      id,
      body,
      1.5,
      true,
    ]);

  const read = (id: string): ReturnType<Statements["query"]> =>
    statements.query(
      "select id, body::text as body, size, seen, null::text as none from notes where id = $1",
      [id],
    );

  test("H3: values come back as they were given, the second time as the first", async () => {
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
    const [row] = (await statements.query(text, [])).rows;
    expect(row).toMatchObject({ at: expect.any(Date), two: 2, list: [1] });
  });

  test("an error keeps its code, and the next statement works", async () => {
    await add("twice");
    await expect(add("twice")).rejects.toMatchObject({ code: "23505" });
    await expect(statements.query("select * from nowhere", [])).rejects.toMatchObject({
      code: "42P01",
    });
    expect((await add("once more")).affected).toBe(1);
  });

  test("what is rolled back is gone, also after an error in between", async () => {
    await statements.query("begin", []);
    await add("undone");
    await expect(add("undone")).rejects.toMatchObject({ code: "23505" });
    await expect(add("other")).rejects.toMatchObject({ code: "25P02" });
    await statements.query("rollback", []);
    const { rows } = await statements.query("select id from notes where id = $1", ["undone"]);
    expect(rows).toEqual([]);
  });

  test("a changed table gives its new columns", async () => {
    await statements.query("create table grown (a text)", []);
    await statements.query("insert into grown values ($1)", ["x"]);
    const all = (): ReturnType<Statements["query"]> => statements.query("select * from grown", []);
    expect((await all()).rows).toEqual([{ a: "x" }]);
    await statements.query("alter table grown add b text default 'y'", []);
    expect((await all()).rows).toEqual([{ a: "x", b: "y" }]);
  });

  test("more texts than are kept prepared are run all the same", async () => {
    for (let n = 0; n < 250; n++) {
      const { rows } = await statements.query(`select ${n} as n`, []);
      expect(rows).toEqual([{ n }]);
    }
    const { rows } = await db.query("select count(*)::int as held from pg_prepared_statements");
    expect((rows as { held: number }[]).at(0)?.held).toBeLessThanOrEqual(210);
  });
});
