import type { Message } from "mull";
import { decodeMessage, encodeMessage } from "../encode-message.ts";
import { growingTimes, type Times } from "../growing-times.ts";
import { searchTextOf } from "../search-text.ts";
import type { StoredMessage } from "../store.ts";
import { write, type Sql, type SqlValue } from "./driver.ts";
import { inPieces } from "./in-pieces.ts";
import { at, ownedBy } from "./rows.ts";

/** A message to store, checked and in the form of a row. */
export interface NewMessage {
  readonly id: string;
  readonly role: Message["role"];
  readonly parts: string;
  readonly fields: string;
  readonly search: string;
}

export const newMessage = (message: Message, id: string): NewMessage => ({
  id,
  ...encodeMessage(message),
  search: searchTextOf(message),
});

/** Where a message goes, in SQL. */
export interface MessagePlace {
  readonly conversation: string;
  readonly user: string;
  readonly parent: string;
  readonly turn: string;
  readonly now: string;
}

/** The insert of one message. Within a conversation its time grows, whatever the clock does. */
export const insertMessage = (
  { id, role, parts, fields, search }: NewMessage,
  place: MessagePlace,
  bind: (value: SqlValue) => string,
): string =>
  `insert into messages
    (id, conversation_id, user_id, parent_id, turn_id, role, parts, fields, search, created_at)
  select ${bind(id)}, ${place.conversation}, ${place.user}, ${place.parent}, ${place.turn},
    ${bind(role)}, ${bind(parts)}::json, ${bind(fields)}::json, ${bind(search)},
    greatest(${at(place.now)}, (select max(created_at) + interval '1 millisecond' from messages
      where conversation_id = ${place.conversation}))`;

/** What was stored, as it will be read. */
export const storedFrom = (
  { id, role, parts, fields }: NewMessage,
  row: { readonly parentId: string | null; readonly turnId?: string; readonly createdAt: number },
): StoredMessage => ({ id, ...row, message: decodeMessage({ role, parts, fields }).message });

export interface NewMessages {
  readonly userId: string;
  readonly conversationId: string;
  readonly parentId: string | null;
  readonly messages: readonly Message[];
  /** One row each. */
  readonly ids: readonly string[];
  readonly times: Times;
}

/** A message with its place and its time. */
export interface PlacedMessage extends NewMessage {
  readonly parentId: string | null;
  readonly createdAt: number;
}

/**
 * Inserts many messages, passing over those that exist. Values that are JSON already are sent as
 * text inside the list, because engines can't read NUL from JSON.
 */
const insertMany = `insert into messages
    (id, conversation_id, user_id, parent_id, role, parts, fields, search, created_at)
  select fresh.id, $1, $2, fresh."parentId", fresh.role, fresh.parts::json, fresh.fields::json,
    fresh.search, ${at(`fresh."createdAt"`)}
  from json_to_recordset($3::json) as fresh (id text, "parentId" text, role text, parts text,
    fields text, search text, "createdAt" float8)
  on conflict (id) do nothing`;

/** Stores messages of one conversation that don't belong to a turn. */
export async function storeMessages(
  sql: Sql,
  userId: string,
  conversationId: string,
  messages: readonly PlacedMessage[],
): Promise<void> {
  await write(sql, messages.length, insertMany, [conversationId, userId, JSON.stringify(messages)]);
}

/**
 * Adds messages that don't belong to a turn and moves the head, in a transaction that locks the
 * conversation.
 */
export async function addMessages(
  sql: Sql,
  now: number,
  { userId, conversationId, messages, ids, ...given }: NewMessages,
): Promise<readonly StoredMessage[]> {
  const added: StoredMessage[] = [];
  const times = growingTimes(messages.length, given.times, now);
  const first = (await latestTime(sql, conversationId)) + 1;
  let { parentId } = given;
  const pieces = inPieces(messages, (message, nth): PlacedMessage => {
    const createdAt = Math.max(times[nth]!, first + nth);
    const placed = { ...newMessage(message, ids[nth]!), parentId, createdAt };
    parentId = placed.id;
    return placed;
  });
  for (const piece of pieces) {
    await storeMessages(sql, userId, conversationId, piece);
    for (const placed of piece) {
      const { parentId: follows, createdAt } = placed;
      added.push(storedFrom(placed, { parentId: follows, createdAt }));
    }
  }
  await write(
    sql,
    1,
    `update conversations set head = $3, updated_at = ${at("$4")}
    where id = $1 and ${ownedBy("$2")}`,
    [conversationId, userId, parentId, now],
  );
  return added;
}

/** When the last message of a conversation was stored. The next one is later. */
async function latestTime(sql: Sql, conversationId: string): Promise<number> {
  const { rows } = await sql.query(
    `select coalesce(ceil(extract(epoch from max(created_at)) * 1000), 0)::float8 as latest
    from messages where conversation_id = $1`,
    [conversationId],
  );
  return rows[0]!["latest"] as number;
}
