import { afterAll, beforeAll } from "vitest";
import { leaveOut } from "../../../../test/left-out.ts";
import { pgDriver, type PgDriverOptions } from "../postgres/pg-driver.ts";
import type { SqlDriver } from "../postgres/driver.ts";
import { startPostgres, type LocalPostgres } from "./local-postgres.ts";

/** A Postgres for the tests of one file, with connections that are closed at its end. */
export interface UsedPostgres {
  /** `undefined` if the machine has none; says so once. */
  readonly local: () => LocalPostgres | undefined;
  readonly connect: (url: string, options?: PgDriverOptions) => SqlDriver;
}

export function usePostgres(): UsedPostgres {
  let local: LocalPostgres | undefined;
  const drivers: SqlDriver[] = [];
  beforeAll(async () => {
    local = await startPostgres();
    if (local === undefined) leaveOut("postgres");
  }, 60_000);
  afterAll(async () => {
    await Promise.all(drivers.map((driver) => driver.close()));
    await local?.remove();
  }, 60_000);
  return {
    local: () => local,
    connect: (url, options) => {
      const driver = pgDriver(url, options);
      drivers.push(driver);
      return driver;
    },
  };
}
