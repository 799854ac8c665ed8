import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlDriver } from "../postgres/driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { storeConformance } from "../testing/index.ts";
import { pgliteDriver } from "./pglite-driver.ts";

describe("PGlite store", () => {
  let folder: string;
  let driver: SqlDriver;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-pglite-"));
    driver = await pgliteDriver(folder);
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  });

  storeConformance((options) => postgresStore(driver, options), test);

  test("D4: the folder has one holder", async () => {
    await expect(pgliteDriver(folder)).rejects.toThrow(`process ${process.pid}`);
  });
});
