import { branchOf, type Link } from "../branch.ts";
import { encodeJson } from "../encode-json.ts";
import { planFork, type ForkedMessage, type ForkedTurn } from "../fork/plan-fork.ts";
import { notFound } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { Conversation, ForkConversation } from "../store.ts";
import { write, type Sql, type SqlRow } from "./driver.ts";
import {
  at,
  conversationColumns,
  lockConversation,
  ownedBy,
  toConversation,
  type PostgresContext,
} from "./rows.ts";

/** Rows are copied inside the database: what cannot be read any more is forked all the same. */
export const forkConversation = (
  context: PostgresContext,
  userId: string,
  conversationId: string,
  given: ForkConversation,
): Promise<Conversation> =>
  context.driver.transaction(async (sql) => {
    const { newId, now } = context;
    const { head } = await lockConversation(sql, userId, conversationId);
    const end = given.messageId ?? head;
    const all = await readMessages(sql, userId, conversationId);
    const branch = end === null ? [] : branchOf(all, end);
    if (end !== null && branch.length === 0) throw notFound("message");
    const plan = planFork(branch, all, await readTurns(sql, userId, conversationId), newId);
    const id = newId();
    const { rows } = await write(
      sql,
      1,
      `insert into conversations (id, user_id, title, head, info, created_at, updated_at)
      values ($1, $2, $3, $4, $5::json, ${at("$6")}, ${at("$6")}) returning ${conversationColumns}`,
      [
        id,
        userId,
        cleanText(given.title ?? ""),
        plan.head,
        encodeJson("info", given.info ?? {}),
        now(),
      ],
    );
    await write(
      sql,
      plan.messages.length,
      `insert into messages
        (id, conversation_id, user_id, parent_id, turn_id, role, parts, fields, search, created_at)
      select copy.id, $2, user_id, copy."parentId", copy."turnId", role, parts, fields, search,
        ${at("$4")} + copy.nth * interval '1 millisecond'
      from json_to_recordset($1::json)
        as copy (source text, id text, "parentId" text, "turnId" text, nth int)
        join messages on messages.id = copy.source and ${ownedBy("$3")}`,
      [JSON.stringify(plan.messages.map((each, nth) => ({ ...each, nth }))), id, userId, now()],
    );
    // What a running turn has said so far is a turn that was stopped there.
    await write(
      sql,
      plan.turns.length,
      `insert into turns (id, conversation_id, user_id, state, owner, lease_until, message_id,
        fingerprint, info, usage, tokens, cost, receipt, error, started_at, ended_at, copy_of)
      select copy.id, $2, user_id, case state when 'running' then 'stopped' else state end, owner,
        lease_until, copy."messageId", fingerprint, info, usage, tokens, cost, receipt, error,
        started_at, coalesce(ended_at, ${at("$4")}), copy.source
      from json_to_recordset($1::json) as copy (source text, id text, "messageId" text)
        join turns on turns.id = copy.source and ${ownedBy("$3")}`,
      [JSON.stringify(plan.turns), id, userId, now()],
    );
    return toConversation(rows[0]!);
  });

const toForked = (row: SqlRow): ForkedMessage & Link => ({
  id: row["id"] as string,
  parentId: row["parent_id"] as string | null,
  turnId: row["turn_id"] as string | null,
});

async function readMessages(
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<readonly (ForkedMessage & Link)[]> {
  const { rows } = await sql.query(
    `select id, parent_id, turn_id from messages where conversation_id = $1 and ${ownedBy("$2")}
    order by created_at`,
    [conversationId, userId],
  );
  return rows.map(toForked);
}

async function readTurns(
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<readonly ForkedTurn[]> {
  const { rows } = await sql.query(
    `select id, message_id from turns where conversation_id = $1 and ${ownedBy("$2")}
    order by started_at, id`,
    [conversationId, userId],
  );
  return rows.map((row) => ({
    id: row["id"] as string,
    messageId: row["message_id"] as string,
  }));
}
