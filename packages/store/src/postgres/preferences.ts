import type { JsonObject } from "mull";
import { encodeJson } from "../encode-json.ts";
import type { PreferenceMethods } from "../store.ts";
import { write, type Sql } from "./driver.ts";
import { at, type PostgresContext } from "./rows.ts";

export const postgresPreferences = ({ driver, now }: PostgresContext): PreferenceMethods => ({
  getPreferences: (userId) => read(driver, userId),

  changePreferences: (userId, change) =>
    driver.transaction(async (sql) => {
      // The row must exist to be locked, so that two changes at once wait for each other.
      await sql.query(
        `insert into preferences (user_id, value, updated_at) values ($1, '{}', ${at("$2")})
        on conflict do nothing`,
        [userId, now()],
      );
      const merged = { ...(await read(sql, userId, "for update")), ...change };
      const value = encodeJson("preferences", merged);
      await write(
        sql,
        1,
        `update preferences set value = $2::json, updated_at = ${at("$3")} where user_id = $1`,
        [userId, value, now()],
      );
      return JSON.parse(value) as JsonObject;
    }),
});

async function read(sql: Sql, userId: string, lock: "" | "for update" = ""): Promise<JsonObject> {
  const { rows } = await sql.query(
    `select value::text as value from preferences where user_id = $1 ${lock}`,
    [userId],
  );
  return JSON.parse((rows[0]?.["value"] ?? "{}") as string) as JsonObject;
}
