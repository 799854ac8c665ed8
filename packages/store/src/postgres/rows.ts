import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue, Message, Usage } from "mull";
import { isJsonObject } from "mull/wire";
import { decodeMessage } from "../encode-message.ts";
import { notFound } from "../refusals.ts";
import type { Conversation, StoredMessage, StoreOptions, Turn, TurnState } from "../store.ts";
import type { Sql, SqlDriver, SqlRow } from "./driver.ts";
import { retrying, type RetryingDriver } from "./retrying.ts";

export interface PostgresContext {
  readonly driver: RetryingDriver;
  readonly owner: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly leaseMs: number;
}

export const postgresContext = (driver: SqlDriver, options: StoreOptions): PostgresContext => ({
  driver: retrying(driver),
  owner: options.owner ?? randomUUID(),
  now: options.now ?? Date.now,
  newId: options.newId ?? randomUUID,
  leaseMs: options.leaseMs ?? 30_000,
});

/** Milliseconds in a parameter as a timestamp, and a timestamp as milliseconds. */
export const at = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
export const ms = (column: string): string =>
  `round(extract(epoch from ${column}) * 1000)::float8 as ${column}`;

/**
 * The owner of a row that was found by id. Written so that no index can serve it: an engine without
 * statistics would rather scan everything the user has than look up the id.
 */
export const ownedBy = (parameter: string): string => `user_id is not distinct from ${parameter}`;

export const conversationColumns: string = [
  "id, title, head, info::text as info",
  ms("created_at"),
  ms("updated_at"),
].join(", ");

export const toConversation = (row: SqlRow): Conversation => ({
  id: row["id"] as string,
  title: row["title"] as string,
  head: row["head"] as string | null,
  createdAt: row["created_at"] as number,
  updatedAt: row["updated_at"] as number,
  info: objectIn(row["info"] as string),
});

/** Wraps a value that isn't an object (edited by hand) in one. */
function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as JsonValue;
  return isJsonObject(value) ? value : { unreadable: value };
}

export const messageColumns: string = [
  "id, parent_id, turn_id, role, parts::text as parts, fields::text as fields",
  ms("created_at"),
].join(", ");

export const toStored = (row: SqlRow): StoredMessage => ({
  id: row["id"] as string,
  parentId: row["parent_id"] as string | null,
  ...(row["turn_id"] !== null && { turnId: row["turn_id"] as string }),
  createdAt: row["created_at"] as number,
  ...decodeMessage({
    role: row["role"] as Message["role"],
    parts: row["parts"] as string,
    fields: row["fields"] as string,
  }),
});

const turnColumnsWith = (details: string): string =>
  [
    "id, conversation_id, state, owner, message_id, cost",
    `info::text as info, ${details}, error::text as error`,
    ms("lease_until"),
    ms("started_at"),
    ms("ended_at"),
  ].join(", ");

export const turnColumns: string = turnColumnsWith(
  "usage::text as usage, receipt::text as receipt",
);
/** Receipts are most of a turn, so they have rows of their own. */
export const briefColumns: string = turnColumnsWith("null as usage, null as receipt");

export function toTurn(row: SqlRow): Turn {
  const json = (name: string): JsonObject | undefined =>
    row[name] === null ? undefined : objectIn(row[name] as string);
  const usage = json("usage") as Usage | undefined;
  const receipt = json("receipt");
  const error = json("error");
  return {
    id: row["id"] as string,
    conversationId: row["conversation_id"] as string,
    state: row["state"] as TurnState,
    owner: row["owner"] as string,
    leaseUntil: row["lease_until"] as number,
    messageId: row["message_id"] as string,
    startedAt: row["started_at"] as number,
    ...(row["ended_at"] !== null && { endedAt: row["ended_at"] as number }),
    info: objectIn(row["info"] as string),
    ...(usage !== undefined && { usage }),
    ...(row["cost"] !== null && { cost: row["cost"] as number }),
    ...(receipt !== undefined && { receipt }),
    ...(error !== undefined && { error }),
  };
}

export async function readTurn(sql: Sql, userId: string, turnId: string): Promise<Turn> {
  const { rows } = await sql.query(
    `select ${turnColumns} from turns where id = $1 and ${ownedBy("$2")}`,
    [turnId, userId],
  );
  if (rows[0] === undefined) throw notFound("turn");
  return toTurn(rows[0]);
}

export async function readConversation(
  sql: Sql,
  userId: string,
  conversationId: string,
  lock: "" | "for update" = "",
): Promise<Conversation> {
  const { rows } = await sql.query(
    `select ${conversationColumns} from conversations where id = $1 and ${ownedBy("$2")} ${lock}`,
    [conversationId, userId],
  );
  if (rows[0] === undefined) throw notFound("conversation");
  return toConversation(rows[0]);
}

/**
 * Locks the conversation until the transaction ends. Every write to a conversation goes through
 * here.
 */
export const lockConversation = (
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<Conversation> => readConversation(sql, userId, conversationId, "for update");

export async function checkMessageId(
  sql: Sql,
  userId: string,
  conversationId: string,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  const { rows } = await sql.query(
    `select 1 from messages where id = $1 and conversation_id = $2 and ${ownedBy("$3")}`,
    [id, conversationId, userId],
  );
  if (rows.length === 0) throw notFound("message");
}

/** Those that are stored, in order. */
export async function readMessages(
  sql: Sql,
  userId: string,
  ids: readonly string[],
): Promise<readonly StoredMessage[]> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages
    where id in (select json_array_elements_text($1::json)) and ${ownedBy("$2")}
    order by messages.created_at`,
    [JSON.stringify(ids), userId],
  );
  return rows.map(toStored);
}

export async function readMessage(sql: Sql, userId: string, id: string): Promise<StoredMessage> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages where id = $1 and ${ownedBy("$2")}`,
    [id, userId],
  );
  if (rows[0] === undefined) throw notFound("message");
  return toStored(rows[0]);
}
