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
import { createBindings, inSteps, type Sql, type SqlRow, type SqlValue } from "./driver.ts";
import { at, ms, ownedBy, readMessage, toTurn, turnColumns, type PostgresContext } from "./rows.ts";

export const parentOf = ({ parentId, expectedHead }: BeginTurn): string | null =>
  parentId === undefined ? expectedHead : parentId;

/**
 * The turn of this very call: its id tells it apart from one that the same send started earlier.
 */
export type Beginning = BeginTurn & { readonly turnId: string };

/** The steps of a statement that begins a turn, and how to read it from the row with these columns. */
export interface BeginSteps {
  readonly steps: Readonly<Record<string, string>>;
  readonly columns: string;
  readonly read: (sql: Sql, row: SqlRow) => Promise<BegunTurn>;
}

/**
 * Stores question and turn and moves the head; if anything is in the way, or the condition does not
 * hold, it writes nothing. The unique indexes keep out a request that arrives at the same moment.
 */
export function beginning(
  context: PostgresContext,
  given: Beginning,
  bind: (value: SqlValue) => string,
  condition = "true",
): BeginSteps {
  const { now, newId } = context;
  const { turnId } = given;
  const fresh = given.message && newMessage(given.message, newId());
  const parentId = parentOf(given);
  const messageId = fresh?.id ?? parentId;
  const place = {
    conversation: bind(given.conversationId),
    user: bind(given.userId),
    parent: bind(parentId),
    turn: bind(turnId),
    now: bind(now()),
  };
  const sent = { ...place, question: bind(messageId), key: bind(given.idempotencyKey), condition };
  return {
    steps: {
      taken:
        given.creates === undefined
          ? holding(sent, bind(given.expectedHead), fresh)
          : creating(sent, given.creates, bind),
      question:
        fresh === undefined
          ? `select created_at from messages, taken where id = ${sent.question}`
          : `${insertMessage(fresh, place, bind)} from taken returning created_at`,
      begun: `${insertTurn(sent, context, given, bind)} from question returning ${turnColumns}`,
    },
    columns: `begun.*, (select ${ms("created_at")} from question)`,
    read: async (sql, row) => {
      const createdAt = row["created_at"] as number;
      const message =
        fresh === undefined
          ? await readMessage(sql, given.userId, messageId!)
          : storedFrom(fresh, { parentId, turnId, createdAt });
      return { turn: toTurn(row), message, isNew: true };
    },
  };
}

/** In one statement; `undefined` if anything is in the way. */
export async function beginNow(
  sql: Sql,
  context: PostgresContext,
  given: Beginning,
): Promise<BegunTurn | undefined> {
  const { values, bind } = createBindings();
  const { steps, columns, read } = beginning(context, given, bind);
  const [row] = (await sql.query(inSteps(steps, `select ${columns} from begun`), values)).rows;
  return row && read(sql, row);
}

interface QuestionPlace extends MessagePlace {
  readonly question: string;
  readonly key: string;
  readonly condition: string;
}

/**
 * Takes the conversation if it can take a turn. Without a new message, an old question is answered
 * again, or the turn continues from the head.
 */
function holding(sent: QuestionPlace, head: string, fresh: NewMessage | undefined): string {
  const { conversation, user, parent, question, key, now, condition } = sent;
  const isThere = `exists (select 1 from messages
    where id = ${parent} and conversation_id = ${conversation} and ${ownedBy(user)}`;
  return `update conversations
    set head = ${question} ${fresh === undefined ? "" : `, updated_at = ${at(now)}`}
    where id = ${conversation} and ${ownedBy(user)} and head is not distinct from ${head}
      and ${condition}
      and not exists (
        select 1 from turns where conversation_id = ${conversation} and state = 'running')
      and not exists (select 1 from turns where user_id = ${user} and idempotency_key = ${key})
      and ${fresh === undefined ? `${isThere} and (role = 'user' or id = ${head}))` : `(${parent}::text is null or ${isThere}))`}
    returning id as taken_id`;
}

/** Creates the conversation if there is none with this id. */
const creating = (
  { conversation, user, question, now, condition }: QuestionPlace,
  { title = "", info = {} }: NonNullable<BeginTurn["creates"]>,
  bind: (value: SqlValue) => string,
): string =>
  `insert into conversations (id, user_id, title, info, head, created_at, updated_at)
  select ${conversation}, ${user}, ${bind(cleanText(title))}, ${bind(encodeJson("info", info))}::json,
    ${question}, ${at(now)}, ${at(now)}
  where ${condition}
  on conflict (id) do nothing returning id as taken_id`;

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
