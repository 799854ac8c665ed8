import { describe, expect, test } from "vitest";
import { startPooler } from "../testing/pooler.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";

const postgres = usePostgres();

/** All of it on one connection. */
const open = (url: string): SqlDriver => postgres.connect(url, { poolSize: 1 });

const prepared = async (driver: SqlDriver): Promise<readonly unknown[]> => {
  const { rows } = await driver.query("select statement from pg_prepared_statements");
  return rows.map((row) => row["statement"]);
};

describe("statements that come again", () => {
  const text = "select $1::text as said";

  test("F-G13: a connection plans them once", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = open(local.url);
    expect((await driver.query(text, ["one"])).rows).toEqual([{ said: "one" }]);
    expect((await driver.query(text, ["two"])).rows).toEqual([{ said: "two" }]);
    await driver.query("create temporary table others (a int)");
    expect((await prepared(driver)).filter((each) => each === text)).toHaveLength(1);
    expect(await prepared(driver)).not.toContain("create temporary table others (a int)");
  });

  test("F-D6: through a pooler, which may give each another connection, nothing is prepared", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const pooler = await startPooler(Number(new URL(local.url).port));
    const driver = open(local.url.replace(/:\d+\//, `:${pooler.port}/`));
    expect((await driver.query(text, ["one"])).rows).toEqual([{ said: "one" }]);
    expect(await prepared(driver)).toEqual([]);
    await driver.close();
    pooler.server.close();
  });

  test("F-D7: a connection that lost what was prepared is replaced", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = open(local.url);
    await driver.query(text, ["one"]);
    await driver.query("deallocate all");
    await expect(driver.query(text, ["two"])).rejects.toMatchObject({ code: "26000" });
    expect((await driver.query(text, ["three"])).rows).toEqual([{ said: "three" }]);
  });
});
