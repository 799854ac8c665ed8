import type { Message } from "mull";
import { decodeMessage, encodeMessage } from "../encode-message.ts";
import { growingTimes, type Times } from "../growing-times.ts";
import { searchTextOf } from "../search-text.ts";
import type { StoredMessage } from "../store.ts";
import { write, type Sql, type SqlValue } from "./driver.ts";
import { at, ms, ownedBy, type PostgresContext } from "./rows.ts";

/** A message that is about to be stored, checked and in the form of a row. */
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
export interface Place {
  readonly conversation: string;
  readonly user: string;
  readonly parent: string;
  readonly turn: string;
  readonly now: string;
}

/** The insert of one message. Its time grows in a conversation whatever the clock does. */
export const insertMessage = (
  { id, role, parts, fields, search }: NewMessage,
  place: Place,
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
  readonly times: Times;
}

/** As many as take an engine that does one thing at a time no longer than others can wait. */
const mostAtOnce = 500;

/** The same for many. What is JSON itself is a text in the list: engines read no NUL out of JSON. */
const insertMany = `insert into messages
    (id, conversation_id, user_id, parent_id, role, parts, fields, search, created_at)
  select fresh.id, $1, $2, fresh."parentId", fresh.role, fresh.parts::json, fresh.fields::json,
    fresh.search, greatest(${at("fresh.time")}, latest.at + fresh.nth * interval '1 millisecond')
  from (select max(created_at) + interval '1 millisecond' as at
      from messages where conversation_id = $1) as latest,
    json_to_recordset($3::json) as fresh (nth int, id text, "parentId" text, role text, parts text,
      fields text, search text, time float8)
  returning id, ${ms("created_at")}`;

/** Adds messages that no turn made and moves the head, in a transaction that holds the conversation. */
export async function addMessages(
  sql: Sql,
  { now, newId }: PostgresContext,
  { userId, conversationId, messages, ...given }: NewMessages,
): Promise<readonly StoredMessage[]> {
  const added: StoredMessage[] = [];
  const times = growingTimes(messages.length, given.times, now());
  let { parentId } = given;
  for (let next = 0; next < messages.length; next += mostAtOnce) {
    const some = messages.slice(next, next + mostAtOnce).map((message) => {
      const fresh = { ...newMessage(message, newId()), parentId };
      parentId = fresh.id;
      return fresh;
    });
    const list = JSON.stringify(
      some.map((fresh, nth) => ({ ...fresh, nth, time: times[next + nth] })),
    );
    const values = [conversationId, userId, list];
    const { rows } = await write(sql, some.length, insertMany, values);
    const timeOf = new Map(rows.map((row) => [row["id"], row["created_at"] as number]));
    for (const fresh of some) {
      added.push(storedFrom(fresh, { parentId: fresh.parentId, createdAt: timeOf.get(fresh.id)! }));
    }
  }
  await write(
    sql,
    1,
    `update conversations set head = $3, updated_at = ${at("$4")}
    where id = $1 and ${ownedBy("$2")}`,
    [conversationId, userId, parentId, now()],
  );
  return added;
}
