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
import { insertMessage, newMessage, storedFrom } from "./add-message.ts";
import { checkWritten, createBindings, inSteps, write, type Sql } from "./driver.ts";
import { endIfAbandoned, isAbandoned, readRunning } from "./end-turn.ts";
import {
  at,
  checkMessageId,
  lockConversation,
  messageColumns,
  ms,
  ownedBy,
  toStored,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";

/** Two sends with one key into two conversations do not wait for each other; the loser looks again. */
export async function beginTurn(context: PostgresContext, given: BeginTurn): Promise<BegunTurn> {
  const { driver } = context;
  const attempt = async (): Promise<BegunTurn> => {
    const begun = await driver.transaction((sql) => beginOrRefuse(sql, context, given));
    if (begun !== "abandoned") return begun;
    // Apart, so that it is done even where this send is refused for what it did not see.
    await driver.transaction((sql) => endAbandoned(sql, context, given));
    return attempt();
  };
  const begun = await unlessTaken(beginNow(driver, context, given));
  return begun ?? (await unlessTaken(attempt())) ?? attempt();
}

/** Nothing where somebody else was first with the key, or in the conversation. */
const unlessTaken = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (hasCode(error, "23505")) return undefined;
    throw error;
  });

/** Looks for every reason there is against it, in the order in which they are told. */
async function beginOrRefuse(
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
  await checkPlace(sql, given);
  const begun = await beginNow(sql, context, given);
  if (begun === undefined) checkWritten(0, 1);
  return begun!;
}

const parentOf = ({ parentId, expectedHead }: BeginTurn): string | null =>
  parentId === undefined ? expectedHead : parentId;

async function checkPlace(sql: Sql, given: BeginTurn): Promise<void> {
  const { userId, conversationId } = given;
  const parentId = parentOf(given);
  await checkMessageId(sql, userId, conversationId, parentId);
  if (given.message !== undefined) return;
  const asked = parentId === null ? undefined : await readMessage(sql, userId, parentId);
  if (asked?.message.role !== "user") throw notFound("message");
}

/** All of it in one statement; nothing where anything is against it, and nothing is written then. */
async function beginNow(
  sql: Sql,
  context: PostgresContext,
  given: BeginTurn,
): Promise<BegunTurn | undefined> {
  const { now, newId, owner, leaseMs } = context;
  const turnId = newId();
  const fresh = given.message && newMessage(given.message, newId());
  const parentId = parentOf(given);
  const messageId = fresh?.id ?? parentId;
  const { values, bind } = createBindings();
  const place = {
    conversation: bind(given.conversationId),
    user: bind(given.userId),
    parent: bind(parentId),
    turn: bind(turnId),
    now: bind(now()),
  };
  const { conversation, user, parent, turn, now: time } = place;
  const [asked, key] = [bind(messageId), bind(given.idempotencyKey)];
  const isAnswered = fresh === undefined;
  const steps = {
    held: `update conversations set head = ${asked}
        ${isAnswered ? "" : `, updated_at = ${at(time)}`}
      where id = ${conversation} and ${ownedBy(user)}
        and head is not distinct from ${bind(given.expectedHead)}
        and not exists (
          select 1 from turns where conversation_id = ${conversation} and state = 'running')
        and not exists (
          select 1 from turns where user_id = ${user} and idempotency_key = ${key})
        and (${isAnswered ? "" : `${parent}::text is null or`} exists (
          select 1 from messages where id = ${parent} and conversation_id = ${conversation}
            and ${ownedBy(user)} ${isAnswered ? "and role = 'user'" : ""}))
      returning id as held_id`,
    question: isAnswered
      ? `select messages.created_at from messages, held where messages.id = ${asked}`
      : `${insertMessage(fresh, place, bind)} from held returning created_at`,
    begun: `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
        idempotency_key, fingerprint, info, started_at)
      select ${turn}, ${conversation}, ${user}, 'running', ${bind(owner)},
        ${at(bind(now() + leaseMs))}, ${asked}, ${key}, ${bind(fingerprintOf(given))},
        ${bind(encodeJson("info", given.info ?? {}))}::json, ${at(time)}
      from question returning ${turnColumns}`,
  };
  const { rows } = await sql.query(
    inSteps(steps, `select begun.*, (select ${ms("created_at")} from question) from begun`),
    values,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const createdAt = row["created_at"] as number;
  const message =
    fresh === undefined
      ? await readMessage(sql, given.userId, messageId!)
      : storedFrom(fresh, { parentId, turnId, createdAt });
  return { turn: toTurn(row), message, isNew: true };
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

async function readMessage(sql: Sql, userId: string, id: string): Promise<StoredMessage> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages where id = $1 and ${ownedBy("$2")}`,
    [id, userId],
  );
  if (rows[0] === undefined) throw notFound("message");
  return toStored(rows[0]);
}
