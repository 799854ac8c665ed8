import { encodeJson } from "../encode-json.ts";
import type { BeginTurn, BegunTurn } from "../store.ts";
import { cleanText } from "../search-text.ts";
import { fingerprintOf } from "../turn/fingerprint.ts";
import {
  insertMessage,
  newMessage,
  storedFrom,
  type NewMessage,
  type MessagePlace,
} from "./add-message.ts";
import { createBindings, inSteps, type Sql, type SqlValue } from "./driver.ts";
import { at, ms, ownedBy, readMessage, toTurn, turnColumns, type PostgresContext } from "./rows.ts";

export const parentOf = ({ parentId, expectedHead }: BeginTurn): string | null =>
  parentId === undefined ? expectedHead : parentId;

/**
 * Stores question and turn and moves the head in one statement; if anything is in the way, it
 * writes and returns nothing. The unique indexes keep out a request that arrives at the same
 * moment.
 */
export async function beginNow(
  sql: Sql,
  context: PostgresContext,
  given: BeginTurn & { readonly turnId: string },
): Promise<BegunTurn | undefined> {
  const { now, newId } = context;
  const { turnId } = given;
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
  const sent = { ...place, question: bind(messageId), key: bind(given.idempotencyKey) };
  const steps = {
    held:
      given.creates === undefined
        ? holding(sent, bind(given.expectedHead), fresh)
        : creating(sent, given.creates, bind),
    question:
      fresh === undefined
        ? `select created_at from messages, held where id = ${sent.question}`
        : `${insertMessage(fresh, place, bind)} from held returning created_at`,
    begun: `${insertTurn(sent, context, given, bind)} from question returning ${turnColumns}`,
  };
  const result = `select begun.*, (select ${ms("created_at")} from question) from begun`;
  const [row] = (await sql.query(inSteps(steps, result), values)).rows;
  if (row === undefined) return undefined;
  const createdAt = row["created_at"] as number;
  const message =
    fresh === undefined
      ? await readMessage(sql, given.userId, messageId!)
      : storedFrom(fresh, { parentId, turnId, createdAt });
  return { turn: toTurn(row), message, isNew: true };
}

interface QuestionPlace extends MessagePlace {
  readonly question: string;
  readonly key: string;
}

/**
 * Takes the conversation if it can take a turn. Without a new message, an old question is answered
 * again, or the turn continues from the head.
 */
function holding(sent: QuestionPlace, head: string, fresh: NewMessage | undefined): string {
  const { conversation, user, parent, question, key, now } = sent;
  const isThere = `exists (select 1 from messages
    where id = ${parent} and conversation_id = ${conversation} and ${ownedBy(user)}`;
  return `update conversations
    set head = ${question} ${fresh === undefined ? "" : `, updated_at = ${at(now)}`}
    where id = ${conversation} and ${ownedBy(user)} and head is not distinct from ${head}
      and not exists (
        select 1 from turns where conversation_id = ${conversation} and state = 'running')
      and not exists (select 1 from turns where user_id = ${user} and idempotency_key = ${key})
      and ${fresh === undefined ? `${isThere} and (role = 'user' or id = ${head}))` : `(${parent}::text is null or ${isThere}))`}
    returning id as held_id`;
}

/** Creates the conversation if there is none with this id. */
const creating = (
  { conversation, user, question, now }: QuestionPlace,
  { title = "", info = {} }: NonNullable<BeginTurn["creates"]>,
  bind: (value: SqlValue) => string,
): string =>
  `insert into conversations (id, user_id, title, info, head, created_at, updated_at)
  values (${conversation}, ${user}, ${bind(cleanText(title))}, ${bind(encodeJson("info", info))}::json,
    ${question}, ${at(now)}, ${at(now)})
  on conflict (id) do nothing returning id as held_id`;

/**
 * The lease on the turn itself is for older releases, which know no other. It makes them leave the
 * turn to this process for as long as any turn takes. Should this process be gone by then, they end
 * it.
 */
const insertTurn = (
  { turn, conversation, user, question, key, now: time }: QuestionPlace,
  { owner }: PostgresContext,
  given: BeginTurn,
  bind: (value: SqlValue) => string,
): string =>
  `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
    idempotency_key, fingerprint, info, started_at)
  select ${turn}, ${conversation}, ${user}, 'running', ${bind(owner)},
    clock_timestamp() + interval '1 hour', ${question}, ${key}, ${bind(fingerprintOf(given))},
    ${bind(encodeJson("info", given.info ?? {}))}::json, ${at(time)}`;
