import { conversationTaken, keyReused, notFound, staleHead, turnRunning } from "../refusals.ts";
import { hasCode } from "../store-error.ts";
import { keyLifeMs, type BeginTurn, type BegunTurn, type Turn } from "../store.ts";
import { fingerprintOf } from "../turn/fingerprint.ts";
import { beginNow, parentOf, type Beginning } from "./begin-now.ts";
import { checkWritten, write, type Sql } from "./driver.ts";
import { endIfAbandoned, isAbandoned, readRunning } from "./end-turn.ts";
import {
  checkMessageId,
  lockConversation,
  readMessage,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";

/**
 * Two sends with one key into two conversations don't wait for each other; the loser looks again.
 */
export async function beginTurn(context: PostgresContext, asked: BeginTurn): Promise<BegunTurn> {
  const { driver } = context;
  const given = { ...asked, turnId: asked.turnId ?? context.newId() };
  const attempt = async (): Promise<BegunTurn> => {
    const begun = await driver.transaction((sql) => beginOrRefuse(sql, context, given));
    if (begun !== "abandoned") return begun;
    // A statement of its own, so that it happens even if this send is refused for something it
    // didn't see.
    await driver.transaction((sql) => endAbandoned(sql, context, given));
    return attempt();
  };
  const begun = await unlessTaken(beginNow(driver, context, given));
  return begun ?? (await unlessTaken(attempt())) ?? attempt();
}

/** `undefined` if another request got the key or the conversation first. */
export const unlessTaken = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (hasCode(error, "23505")) return undefined;
    throw error;
  });

/** Checks every reason to refuse, in the order in which they are reported. */
async function beginOrRefuse(
  sql: Sql,
  context: PostgresContext,
  given: Beginning,
): Promise<BegunTurn | "abandoned"> {
  const { userId, conversationId, expectedHead } = given;
  const { head } = await lockConversation(sql, userId, conversationId);
  const earlier = await findByKey(sql, context, given);
  if (earlier !== undefined) {
    const message = await readMessage(sql, userId, earlier.messageId);
    return { turn: earlier, message, isNew: earlier.id === given.turnId };
  }
  if (given.creates !== undefined) throw conversationTaken();
  const running = await readRunning(sql, userId, conversationId);
  if (running !== undefined) {
    if (await isAbandoned(sql, context, running)) return "abandoned";
    throw turnRunning(head);
  }
  if (head !== expectedHead) throw staleHead(head);
  await checkPlace(sql, given);
  const begun = await beginNow(sql, context, given);
  if (begun === undefined) checkWritten(0, 1);
  return begun!;
}

async function checkPlace(sql: Sql, given: BeginTurn): Promise<void> {
  const { userId, conversationId } = given;
  const parentId = parentOf(given);
  await checkMessageId(sql, userId, conversationId, parentId);
  if (given.message !== undefined || parentId === given.expectedHead) return;
  const asked = parentId === null ? undefined : await readMessage(sql, userId, parentId);
  if (asked?.message.role !== "user") throw notFound("message");
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
  const { rows } = await sql.query(
    `select ${turnColumns}, fingerprint from turns where user_id = $1 and idempotency_key = $2`,
    [given.userId, given.idempotencyKey],
  );
  if (rows[0] === undefined) return undefined;
  const turn = toTurn(rows[0]);
  if (turn.startedAt <= now() - keyLifeMs) {
    await write(sql, 1, `update turns set idempotency_key = null where id = $1`, [turn.id]);
    return undefined;
  }
  if (rows[0]["fingerprint"] !== fingerprintOf(given)) throw keyReused();
  return turn;
}
