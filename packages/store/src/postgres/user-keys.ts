import { notFound } from "../refusals.ts";
import { hasCode } from "../store-error.ts";
import type { UserKeyMethods } from "../user-key-methods.ts";
import { at, type PostgresContext } from "./rows.ts";

export const postgresUserKeys = ({ driver, now }: PostgresContext): UserKeyMethods => ({
  async listUserKeys(userId) {
    const { rows } = await driver.query(
      `select provider, sealed from user_keys where user_id = $1 order by provider`,
      [userId],
    );
    return rows.map((row) => ({
      provider: row["provider"] as string,
      sealed: row["sealed"] as string,
    }));
  },

  async storeUserKey(userId, { provider, sealed }) {
    try {
      await driver.query(
        `insert into user_keys (user_id, provider, sealed, stored_at)
        values ($1, $2, $3, ${at("$4")})
        on conflict (user_id, provider) do update
        set sealed = excluded.sealed, stored_at = excluded.stored_at`,
        [userId, provider, sealed, now()],
      );
    } catch (error) {
      throw hasCode(error, "23503") ? notFound("account") : error;
    }
  },

  async deleteUserKey(userId, provider) {
    const { affected } = await driver.query(
      `delete from user_keys where user_id = $1 and provider = $2`,
      [userId, provider],
    );
    return affected > 0;
  },
});
