import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pgliteDriver } from "../../pglite/pglite-driver.ts";
import { say } from "./material.ts";

/** Takes the engine's log away, so that it panics as it does when the disk fails. */
const [folder = ""] = process.argv.slice(2);
const driver = await pgliteDriver(folder, {
  // A slow disk.
  freeBytes: async () => {
    for (let round = 0; round < 3; round++) await new Promise(setImmediate);
    return 1e12;
  },
});
await driver.query("create table if not exists poisoned (content json not null)");
await driver.query("insert into poisoned values ('1')");
const log = join(folder, "database", "pg_wal");
await rename(log, `${log}.away`);
await driver.query("select pg_switch_wal()");
const attempts = [
  driver.query("insert into poisoned values ('2')"),
  driver.transaction((sql) => sql.query("insert into poisoned values ('3')")),
  driver.query("select 1"),
].map((attempt) =>
  attempt.then(
    () => "acknowledged",
    (error: unknown) => `failed ${String((error as { readonly code?: unknown }).code)}`,
  ),
);
for (const outcome of await Promise.all(attempts)) say(outcome);
setInterval(() => undefined, 1000);
