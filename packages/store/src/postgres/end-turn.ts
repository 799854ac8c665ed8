import type { Message } from "mull";
import { encodeJson } from "../encode-json.ts";
import { notFound, turnOver } from "../refusals.ts";
import type { Turn, TurnDraft, TurnEnd } from "../store.ts";
import { closeTurn } from "../turn/close-turn.ts";
import { draftFrom, type DraftRow } from "../turn/draft.ts";
import { write, type Sql } from "./driver.ts";
import { isHolderGone } from "./hold-names.ts";
import {
  addMessages,
  at,
  lockConversation,
  messageColumns,
  toStored,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";

export async function readTurn(sql: Sql, userId: string, turnId: string): Promise<Turn> {
  const { rows } = await sql.query(
    `select ${turnColumns} from turns where id = $1 and user_id = $2`,
    [turnId, userId],
  );
  if (rows[0] === undefined) throw notFound("turn");
  return toTurn(rows[0]);
}

export async function readRunning(
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<Turn | undefined> {
  const { rows } = await sql.query(
    `select ${turnColumns} from turns
    where conversation_id = $1 and user_id = $2 and state = 'running'`,
    [conversationId, userId],
  );
  return rows[0] && toTurn(rows[0]);
}

export async function readDraft(sql: Sql, userId: string, turnId: string): Promise<TurnDraft> {
  const { rows } = await sql.query(
    `select kind, content::text as content from turn_parts
    where turn_id = $1 and user_id = $2 order by seq`,
    [turnId, userId],
  );
  return draftFrom(rows as unknown as readonly DraftRow[]);
}

/**
 * Where nobody else can have the data, every turn of another owner belongs to a process that is gone.
 * Elsewhere its connection tells at once; where that cannot be known, its lease does in the end.
 */
export async function isAbandoned(
  sql: Sql,
  { driver, owner, now }: PostgresContext,
  turn: Turn,
): Promise<boolean> {
  if (turn.state !== "running" || turn.owner === owner) return false;
  if (driver.isExclusive || turn.leaseUntil < now()) return true;
  const { rows } = await sql.query(`select ${isHolderGone("$1")} as gone`, [turn.owner]);
  return rows[0]?.["gone"] === true;
}

/** Locks conversation and turn, in the order every writer uses. */
async function lockTurn(sql: Sql, userId: string, turnId: string): Promise<Turn> {
  const { conversationId } = await readTurn(sql, userId, turnId);
  await lockConversation(sql, userId, conversationId);
  const { rows } = await sql.query(
    `select ${turnColumns} from turns where id = $1 and user_id = $2 for update`,
    [turnId, userId],
  );
  if (rows[0] === undefined) throw notFound("turn");
  return toTurn(rows[0]);
}

export async function lockOwnTurn(
  sql: Sql,
  { owner }: PostgresContext,
  userId: string,
  turnId: string,
): Promise<Turn> {
  const turn = await lockTurn(sql, userId, turnId);
  if (turn.state !== "running" || turn.owner !== owner) throw turnOver(turn);
  return turn;
}

/** The last message of the turn; what it is to answer while it has none. */
export async function lastOf(
  sql: Sql,
  userId: string,
  turn: Turn,
): Promise<{ readonly id: string; readonly message: Message | undefined }> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages where turn_id = $1 and user_id = $2
    order by messages.created_at desc limit 1`,
    [turn.id, userId],
  );
  if (rows[0] === undefined) return { id: turn.messageId, message: undefined };
  const { id, message } = toStored(rows[0]);
  return { id, message };
}

export async function clearDraft(sql: Sql, userId: string, turnId: string): Promise<void> {
  await sql.query(`delete from turn_parts where turn_id = $1 and user_id = $2`, [turnId, userId]);
}

const json = (value: unknown): string | null =>
  value === undefined ? null : encodeJson("turn", value);

const noDraft: TurnDraft = { parts: [], intents: [], results: [] };

/** Everything that ends a turn, in the transaction that holds it. */
export async function endTurn(
  sql: Sql,
  context: PostgresContext,
  userId: string,
  turn: Turn,
  end: Omit<TurnEnd, "state"> & { readonly state: Turn["state"] },
): Promise<Turn> {
  const last = await lastOf(sql, userId, turn);
  const { conversationId, id: turnId } = turn;
  const draft = end.messages === undefined ? await readDraft(sql, userId, turnId) : noDraft;
  const messages = end.messages ?? closeTurn(last.message, draft);
  await addMessages(sql, context, { userId, conversationId, parentId: last.id, messages, turnId });
  // What no message could be made of would be lost with it.
  if (draft.unreadable === undefined) await clearDraft(sql, userId, turnId);
  const { rows } = await write(
    sql,
    1,
    `update turns set state = $3, usage = $4::json, tokens = $5::float8, cost = $6::float8,
      receipt = $7::json, error = $8::json, ended_at = ${at("$9")}
    where id = $1 and user_id = $2 and state = 'running' returning ${turnColumns}`,
    [
      turnId,
      userId,
      end.state,
      json(end.usage),
      end.usage?.total ?? null,
      end.cost ?? null,
      json(end.receipt),
      json(end.error),
      context.now(),
    ],
  );
  return toTurn(rows[0]!);
}

/**
 * Ends a turn whose process is gone. Its lock comes first: that process may live after all, and a
 * part it stores meanwhile would be acknowledged and then cleared away.
 */
export async function endIfAbandoned(
  sql: Sql,
  context: PostgresContext,
  userId: string,
  turnId: string,
): Promise<Turn | undefined> {
  const turn = await lockTurn(sql, userId, turnId);
  if (!(await isAbandoned(sql, context, turn))) return undefined;
  const error = { code: "interrupted" };
  return endTurn(sql, context, userId, turn, { state: "interrupted", error });
}
