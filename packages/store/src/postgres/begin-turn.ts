import { encodeJson } from "../encode-json.ts";
import { keyReused, notFound, staleHead, turnRunning } from "../refusals.ts";
import { hasCode } from "../store-error.ts";
import {
  keyLifeMs,
  type BeginTurn,
  type BegunTurn,
  type StoredMessage,
  type Turn,
} from "../store.ts";
import { fingerprintOf } from "../turn/fingerprint.ts";
import { write, type Sql } from "./driver.ts";
import { endIfAbandoned, isAbandoned, readRunning } from "./end-turn.ts";
import {
  addMessages,
  at,
  checkMessageId,
  lockConversation,
  messageColumns,
  toStored,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";

/** Two sends with one key into two conversations do not wait for each other; the loser looks again. */
export async function beginTurn(context: PostgresContext, given: BeginTurn): Promise<BegunTurn> {
  const attempt = async (): Promise<BegunTurn> => {
    const { driver } = context;
    const begun = await driver.transaction((sql) => tryBegin(sql, context, given));
    if (begun !== "abandoned") return begun;
    // Apart, so that it is done even where this send is refused for what it did not see.
    await driver.transaction((sql) => endAbandoned(sql, context, given));
    return attempt();
  };
  try {
    return await attempt();
  } catch (error) {
    if (!hasCode(error, "23505")) throw error;
    return attempt();
  }
}

async function tryBegin(
  sql: Sql,
  context: PostgresContext,
  given: BeginTurn,
): Promise<BegunTurn | "abandoned"> {
  const { userId, conversationId, expectedHead } = given;
  const { head } = await lockConversation(sql, userId, conversationId);
  const earlier = await findByKey(sql, context, given);
  if (earlier !== undefined) {
    const message = await readMessage(sql, userId, earlier.messageId);
    return { turn: earlier, message, isNew: false };
  }
  const running = await readRunning(sql, userId, conversationId);
  if (running !== undefined) {
    if (await isAbandoned(sql, context, running)) return "abandoned";
    throw turnRunning(head);
  }
  if (head !== expectedHead) throw staleHead(head);
  const turnId = context.newId();
  const message = await questionOf(sql, context, given, turnId);
  return { turn: await insertTurn(sql, context, given, turnId, message.id), message, isNew: true };
}

async function endAbandoned(
  sql: Sql,
  context: PostgresContext,
  { userId, conversationId }: BeginTurn,
): Promise<void> {
  const running = await readRunning(sql, userId, conversationId);
  if (running !== undefined) await endIfAbandoned(sql, context, userId, running.id);
}

async function findByKey(
  sql: Sql,
  { now }: PostgresContext,
  given: BeginTurn,
): Promise<Turn | undefined> {
  const key = [given.userId, given.idempotencyKey];
  await sql.query(
    `update turns set idempotency_key = null
    where user_id = $1 and idempotency_key = $2 and started_at <= ${at("$3")}`,
    [...key, now() - keyLifeMs],
  );
  const { rows } = await sql.query(
    `select ${turnColumns}, fingerprint from turns where user_id = $1 and idempotency_key = $2`,
    key,
  );
  if (rows[0] === undefined) return undefined;
  if (rows[0]["fingerprint"] !== fingerprintOf(given)) throw keyReused();
  return toTurn(rows[0]);
}

async function questionOf(
  sql: Sql,
  context: PostgresContext,
  given: BeginTurn,
  turnId: string,
): Promise<StoredMessage> {
  const { userId, conversationId, expectedHead, message } = given;
  const parentId = given.parentId === undefined ? expectedHead : given.parentId;
  await checkMessageId(sql, userId, conversationId, parentId);
  if (message !== undefined) {
    const fresh = { userId, conversationId, parentId, messages: [message], turnId };
    return (await addMessages(sql, context, fresh))[0]!;
  }
  if (parentId === null) throw notFound("message");
  const asked = await readMessage(sql, userId, parentId);
  if (asked.message.role !== "user") throw notFound("message");
  await write(sql, 1, `update conversations set head = $3 where id = $1 and user_id = $2`, [
    conversationId,
    userId,
    parentId,
  ]);
  return asked;
}

async function insertTurn(
  sql: Sql,
  { now, owner, leaseMs }: PostgresContext,
  given: BeginTurn,
  turnId: string,
  messageId: string,
): Promise<Turn> {
  const { rows } = await write(
    sql,
    1,
    `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
      idempotency_key, fingerprint, info, started_at)
    values ($1, $2, $3, 'running', $4, ${at("$5")}, $6, $7, $8, $9::json, ${at("$10")})
    returning ${turnColumns}`,
    [
      turnId,
      given.conversationId,
      given.userId,
      owner,
      now() + leaseMs,
      messageId,
      given.idempotencyKey,
      fingerprintOf(given),
      encodeJson("info", given.info ?? {}),
      now(),
    ],
  );
  return toTurn(rows[0]!);
}

async function readMessage(sql: Sql, userId: string, id: string): Promise<StoredMessage> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages where id = $1 and user_id = $2`,
    [id, userId],
  );
  if (rows[0] === undefined) throw notFound("message");
  return toStored(rows[0]);
}
