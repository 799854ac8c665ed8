import type { Store, StoreOptions } from "../store.ts";
import { postgresAccounts } from "./accounts.ts";
import { postgresConversations } from "./conversations.ts";
import type { SqlDriver } from "./driver.ts";
import { forgetHolders } from "./hold-names.ts";
import { postgresLimits } from "./limits.ts";
import { migrate } from "./migrations.ts";
import { forgetProcesses, sayAlive } from "./processes.ts";
import { postgresPreferences } from "./preferences.ts";
import { postgresContext } from "./rows.ts";
import { openSearch } from "./search-index.ts";
import { postgresSpending } from "./spending.ts";
import { postgresTurns } from "./turns.ts";
import { postgresUserKeys } from "./user-keys.ts";
import { forgetUnfinished } from "./unfinished.ts";

/** A store in Postgres, embedded or not. Brings the schema up to date first; closing it closes the driver. */
export async function postgresStore(driver: SqlDriver, options: StoreOptions = {}): Promise<Store> {
  await migrate(driver);
  await openSearch(driver, options.onNotice ?? (() => undefined));
  const context = postgresContext(driver, options);
  if (driver.holdName !== undefined) {
    await driver.holdName(context.owner);
    await forgetHolders(driver);
  }
  await forgetUnfinished(context);
  await sayAlive(context);
  await forgetProcesses(driver);
  return {
    owner: context.owner,
    ...postgresConversations(context),
    ...postgresTurns(context),
    ...postgresSpending(context),
    ...postgresLimits(context),
    ...postgresAccounts(context),
    ...postgresPreferences(context),
    ...postgresUserKeys(context),
    async check() {
      await (driver.check ?? (() => driver.query("select 1")))();
    },
    close: () => driver.close(),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}
