import { nameTaken, notFound, tokenTaken } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import { hasCode } from "../store-error.ts";
import type { Account, AccountMethods, Session, SessionMethods } from "../store.ts";
import { write, type Sql, type SqlRow, type SqlValue } from "./driver.ts";
import { at, ms, type PostgresContext } from "./rows.ts";

const accountColumns = `user_id, name, password_hash, ${ms("created_at")}`;
const sessionColumns = [
  "token_hash, user_id",
  ms("created_at"),
  ms("seen_at"),
  ms("expires_at"),
].join(", ");

export function postgresAccounts(context: PostgresContext): AccountMethods {
  const { driver, now, newId } = context;
  return {
    createAccount: ({ userId = newId(), session, ...given }) =>
      driver.transaction(async (sql, mayBeDone) => {
        const done = mayBeDone ? await find(sql, "user_id = $1", userId) : undefined;
        if (done !== undefined) return done;
        const account = await insertAccount(sql, { userId, ...given, at: now() });
        if (session !== undefined) await insertSession(sql, { userId, ...session, at: now() });
        return account;
      }),

    findAccount: (name) => find(driver, "lower(name) = lower($1)", cleanText(name)),

    async getAccount(userId) {
      const account = await find(driver, "user_id = $1", userId);
      if (account === undefined) throw notFound("account");
      return account;
    },

    async countAccounts() {
      const { rows } = await driver.query(`select count(*)::int as count from accounts`);
      return rows[0]!["count"] as number;
    },

    claimAccount: (userId, { name, passwordHash }) =>
      driver
        .transaction(async (sql) => {
          const { rows } = await sql.query(
            `update accounts set name = $2, password_hash = $3
            where user_id = $1 and password_hash = '' returning ${accountColumns}`,
            [userId, cleanText(name), passwordHash],
          );
          if (rows[0] === undefined) throw notFound("account");
          await sql.query(`delete from sessions where user_id = $1`, [userId]);
          return toAccount(rows[0]);
        })
        .catch((error: unknown) => {
          throw hasCode(error, "23505") ? nameTaken() : error;
        }),

    changePassword: (userId, passwordHash) =>
      driver.transaction(async (sql) => {
        const changed = await sql.query(
          `update accounts set password_hash = $2 where user_id = $1`,
          [userId, passwordHash],
        );
        if (changed.affected === 0) throw notFound("account");
        await sql.query(`delete from sessions where user_id = $1`, [userId]);
      }),

    ...sessionMethods(context),

    async findGone({ sessions, users }) {
      const { rows } = await driver.query(
        `select true as is_session, given from json_array_elements_text($1::json) as given
        where not exists
          (select from sessions where token_hash = given and expires_at > ${at("$3")})
        union all
        select false, given from json_array_elements_text($2::json) as given
        where not exists (select from accounts where user_id = given)`,
        [JSON.stringify(sessions), JSON.stringify(users), now()],
      );
      const those = (isSession: boolean): readonly string[] =>
        rows.filter((row) => row["is_session"] === isSession).map((row) => row["given"] as string);
      return { sessions: those(true), users: those(false) };
    },

    async keepSecret(name, value) {
      await driver.query(
        `insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing`,
        [name, value],
      );
      const { rows } = await driver.query(`select value from secrets where name = $1`, [name]);
      return rows[0]!["value"] as string;
    },
  };
}

const sessionMethods = ({ driver, now }: PostgresContext): SessionMethods => ({
  createSession: (userId, tokenHash, expiresAt) =>
    insertSession(driver, { userId, tokenHash, expiresAt, at: now() }),

  async findSession(tokenHash) {
    const { rows } = await driver.query(
      `select name, found.* from accounts join (
        select ${sessionColumns} from sessions
        where token_hash = $1 and sessions.expires_at > ${at("$2")}
      ) as found using (user_id)`,
      [tokenHash, now()],
    );
    return rows[0] && { ...toSession(rows[0]), name: rows[0]["name"] as string };
  },

  async touchSession(userId, tokenHash, expiresAt) {
    await driver.query(
      `update sessions set seen_at = ${at("$3")}, expires_at = ${at("$4")}
      where token_hash = $1 and user_id = $2`,
      [tokenHash, userId, now(), expiresAt],
    );
  },

  async deleteSession(userId, tokenHash) {
    await driver.query(`delete from sessions where token_hash = $1 and user_id = $2`, [
      tokenHash,
      userId,
    ]);
  },

  async deleteSessions(userId) {
    await driver.query(`delete from sessions where user_id = $1`, [userId]);
  },

  async deleteExpiredSessions() {
    const deleted = await driver.query(`delete from sessions where expires_at <= ${at("$1")}`, [
      now(),
    ]);
    return deleted.affected;
  },
});

async function find(sql: Sql, where: string, value: SqlValue): Promise<Account | undefined> {
  const { rows } = await sql.query(`select ${accountColumns} from accounts where ${where}`, [
    value,
  ]);
  return rows[0] && toAccount(rows[0]);
}

async function insertAccount(
  sql: Sql,
  given: Pick<Account, "userId" | "name" | "passwordHash"> & { readonly at: number },
): Promise<Account> {
  try {
    const { rows } = await write(
      sql,
      1,
      `insert into accounts (user_id, name, password_hash, created_at)
      values ($1, $2, $3, ${at("$4")}) returning ${accountColumns}`,
      [given.userId, cleanText(given.name), given.passwordHash, given.at],
    );
    return toAccount(rows[0]!);
  } catch (error) {
    throw hasCode(error, "23505") ? nameTaken() : error;
  }
}

async function insertSession(
  sql: Sql,
  given: Pick<Session, "userId" | "tokenHash" | "expiresAt"> & { readonly at: number },
): Promise<Session> {
  const { tokenHash, userId, expiresAt } = given;
  const text = `insert into sessions (token_hash, user_id, created_at, seen_at, expires_at)
    values ($1, $2, ${at("$3")}, ${at("$3")}, ${at("$4")})
    on conflict (token_hash) do nothing returning ${sessionColumns}`;
  const made = await sql
    .query(text, [tokenHash, userId, given.at, expiresAt])
    .catch(withoutAccount);
  if (made.rows[0] !== undefined) return toSession(made.rows[0]);
  if (made.mayBeDone !== true) throw tokenTaken();
  const { rows } = await sql.query(
    `select ${sessionColumns} from sessions where token_hash = $1 and user_id = $2`,
    [tokenHash, userId],
  );
  if (rows[0] === undefined) throw tokenTaken();
  return toSession(rows[0]);
}

function withoutAccount(error: unknown): never {
  throw hasCode(error, "23503") ? notFound("account") : error;
}

const toAccount = (row: SqlRow): Account => ({
  userId: row["user_id"] as string,
  name: row["name"] as string,
  passwordHash: row["password_hash"] as string,
  createdAt: row["created_at"] as number,
});

const toSession = (row: SqlRow): Session => ({
  tokenHash: row["token_hash"] as string,
  userId: row["user_id"] as string,
  createdAt: row["created_at"] as number,
  seenAt: row["seen_at"] as number,
  expiresAt: row["expires_at"] as number,
});
