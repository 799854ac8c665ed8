import type { Message } from "mull";
import { notFound, turnOver } from "../refusals.ts";
import type { Turn, TurnDraft, TurnEnd } from "../store.ts";
import { closeTurn } from "../turn/close-turn.ts";
import { draftFrom, type DraftRow } from "../turn/draft.ts";
import { checkWritten, type Sql } from "./driver.ts";
import { textColumns, toPiece } from "./live-turns.ts";
import { isGone } from "./processes.ts";
import {
  lockConversation,
  messageColumns,
  ownedBy,
  readMessage,
  readTurn,
  toStored,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";
import { settleTurn, type TurnEnding, type Settling } from "./settle-turn.ts";

export async function readRunning(
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<Turn | undefined> {
  const { rows } = await sql.query(
    `select ${turnColumns} from turns
    where conversation_id = $1 and ${ownedBy("$2")} and state = 'running'`,
    [conversationId, userId],
  );
  return rows[0] && toTurn(rows[0]);
}

export async function readDraft(sql: Sql, userId: string, turnId: string): Promise<TurnDraft> {
  const { rows } = await sql.query(
    `select kind, content::text as content from turn_parts
    where turn_id = $1 and ${ownedBy("$2")} order by seq`,
    [turnId, userId],
  );
  const texts = await sql.query(
    `select ${textColumns} from turn_texts join turns on turns.id = turn_id
    where turn_id = $1 and ${ownedBy("$2")} and state = 'running' order by step, block, start`,
    [turnId, userId],
  );
  return draftFrom(
    rows.map(({ kind, content }) => ({ kind, content }) as DraftRow),
    texts.rows.map(toPiece),
  );
}

/**
 * If only this process can open the data, turns of other owners belong to dead processes. Otherwise
 * the owner's connection tells at once; if that can't be known, the lease decides in the end.
 */
export async function isAbandoned(
  sql: Sql,
  { driver, owner }: PostgresContext,
  turn: Turn,
): Promise<boolean> {
  if (turn.state !== "running" || turn.owner === owner) return false;
  if (driver.isExclusive) return true;
  const { rows } = await sql.query(
    `select ${isGone("turns.owner", "turns.lease_until")} as gone from turns where id = $1`,
    [turn.id],
  );
  return rows[0]?.["gone"] === true;
}

/** Locks the conversation, then the turn: the order that every writer uses. */
async function lockTurn(sql: Sql, userId: string, turnId: string): Promise<Turn> {
  const { conversationId } = await readTurn(sql, userId, turnId);
  await lockConversation(sql, userId, conversationId);
  const { rows } = await sql.query(
    `select ${turnColumns} from turns where id = $1 and ${ownedBy("$2")} for update`,
    [turnId, userId],
  );
  if (rows[0] === undefined) throw notFound("turn");
  return toTurn(rows[0]);
}

export async function lockOwnTurn(
  sql: Sql,
  context: PostgresContext,
  userId: string,
  turnId: string,
): Promise<Turn> {
  const turn = await lockTurn(sql, userId, turnId);
  if (!isOwn(context, turn)) throw turnOver(turn);
  return turn;
}

const isOwn = ({ owner }: PostgresContext, turn: Turn): boolean =>
  turn.state === "running" && turn.owner === owner;

/** Explains why a write to a turn of this process reached no row. */
export async function refuseLost(
  context: PostgresContext,
  userId: string,
  turnId: string,
): Promise<never> {
  const turn = await readTurn(context.driver, userId, turnId);
  if (isOwn(context, turn)) checkWritten(0, 1);
  throw turnOver(turn);
}

/**
 * The last answer that the turn made or continues from, with the results after it; otherwise the
 * question.
 */
async function tailOf(sql: Sql, userId: string, turn: Turn): Promise<readonly Message[]> {
  const { rows } = await sql.query(
    `select ${messageColumns} from messages where turn_id = $1 and ${ownedBy("$2")}
    order by messages.created_at desc limit 1`,
    [turn.id, userId],
  );
  let at = rows[0] ? toStored(rows[0]) : await readMessage(sql, userId, turn.messageId);
  const tail = [at.message];
  while (at.message.role === "tool" && at.parentId !== null) {
    at = await readMessage(sql, userId, at.parentId);
    tail.unshift(at.message);
  }
  return tail;
}

/** Everything that ends a turn, inside the transaction that locks it. */
export async function endTurn(
  sql: Sql,
  context: PostgresContext,
  userId: string,
  turn: Turn,
  { messages, ...end }: TurnEnding & Pick<TurnEnd, "messages">,
): Promise<Turn> {
  const { id: turnId, owner } = turn;
  const draft = messages === undefined ? await readDraft(sql, userId, turnId) : undefined;
  const left = messages ?? closeTurn(await tailOf(sql, userId, turn), draft!);
  // Parts that no message can hold would be lost with the draft.
  const keepsDraft = draft?.unreadable !== undefined;
  const settle = (given: Pick<Settling, "message" | "end">): ReturnType<typeof settleTurn> =>
    settleTurn(sql, context, { userId, turnId, owner, keepsDraft, ...given });
  for (const message of left.slice(0, -1)) await settle({ message });
  const last = left.at(-1);
  const settled = await settle({ end, ...(last !== undefined && { message: last }) });
  if (settled === undefined) throw turnOver(turn);
  return settled.turn;
}

/**
 * Ends a turn whose process is gone. Lock it first: that process may be alive after all, and a part
 * it stores meanwhile would be acknowledged and then deleted.
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
