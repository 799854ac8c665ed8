import { branchOf, type Link } from "../branch.ts";
import { planFork, type ForkedMessage, type ForkedTurn } from "../fork/plan-fork.ts";
import { notFound } from "../refusals.ts";
import type { Conversation, ForkConversation } from "../store.ts";
import { checkWritten, type Sql } from "./driver.ts";
import { readPages, type PagedRows } from "./read-pages.ts";
import { at, ownedBy, readConversation, type PostgresContext } from "./rows.ts";
import { makeConversation } from "./unfinished.ts";

/** As many as an engine that does one thing at a time can take without holding others up. */
const mostAtOnce = 500;

/**
 * Copies rows inside the database, so that even unreadable rows are forked. It copies only what
 * never changes: messages, and turns that are over.
 */
export async function forkConversation(
  context: PostgresContext,
  userId: string,
  conversationId: string,
  given: ForkConversation,
): Promise<Conversation> {
  const { driver, newId } = context;
  const { head } = await readConversation(driver, userId, conversationId);
  const end = given.messageId ?? head;
  // Turns before messages: a turn that is over by now has said everything.
  const turns = await readTurns(driver, userId, conversationId);
  const all = await readMessages(driver, userId, conversationId);
  const branch = end === null ? [] : branchOf(all, end);
  if (end !== null && branch.length === 0) throw notFound("message");
  const plan = planFork(branch, all, turns, newId);
  const open = new Set(turns.flatMap(({ id, isRunning }) => (isRunning ? [id] : [])));
  const turnRows = plan.turns.map((each) => ({ ...each, open: open.has(each.source) }));
  const making = { ...given, head: plan.head };
  return makeConversation(context, userId, making, async (to, time) => {
    const copy = { userId, from: conversationId, to, at: time };
    await copyRows(driver, copyMessages, copy, plan.messages);
    await copyRows(driver, copyTurns, copy, turnRows);
  });
}

/** Which rows go where, and when. */
interface Copy {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

const copyMessages = `insert into messages
    (id, conversation_id, user_id, parent_id, turn_id, role, parts, fields, search, created_at)
  select copy.id, $2, user_id, copy."parentId", copy."turnId", role, parts, fields, search,
    ${at("$4")} + copy.nth * interval '1 millisecond'
  from json_to_recordset($1::json)
    as copy (source text, id text, "parentId" text, "turnId" text, nth int)
    join messages on messages.id = copy.source and ${ownedBy("$3")}
  on conflict (id) do nothing`;

/** A running turn is copied as one that was stopped here, whatever becomes of it. */
const copyTurns = `insert into turns (id, conversation_id, user_id, state, owner, lease_until,
    message_id, fingerprint, info, usage, tokens, cost, receipt, error, started_at, ended_at, copy_of)
  select copy.id, $2, user_id, case when copy.open then 'stopped' else state end, owner, lease_until,
    copy."messageId", fingerprint, info, ${["usage", "tokens", "cost", "receipt", "error"]
      .map((column) => `case when copy.open then null else ${column} end`)
      .join(", ")}, started_at, case when copy.open then ${at("$4")} else ended_at end, copy.source
  from json_to_recordset($1::json) as copy (source text, id text, "messageId" text, open boolean)
    join turns on turns.id = copy.source and ${ownedBy("$3")}
  on conflict (id) do nothing`;

async function copyRows(
  sql: Sql,
  text: string,
  { userId, from, to, at: time }: Copy,
  rows: readonly object[],
): Promise<void> {
  for (let next = 0; next < rows.length; next += mostAtOnce) {
    const some = rows
      .slice(next, next + mostAtOnce)
      .map((row, nth) => ({ ...row, nth: next + nth }));
    const { affected, mayBeDone } = await sql.query(text, [JSON.stringify(some), to, userId, time]);
    if (affected === 0 && mayBeDone === true) continue;
    // Somebody may have deleted the source meanwhile.
    if (affected !== some.length) await readConversation(sql, userId, from);
    checkWritten(affected, some.length);
  }
}

const readMessages = async (
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<readonly (ForkedMessage & Link)[]> =>
  (await readPages(sql, messageLinks, [conversationId, userId])).map((row) => ({
    id: row["id"] as string,
    parentId: row["parent_id"] as string | null,
    turnId: row["turn_id"] as string | null,
  }));

const readTurns = async (
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<readonly (ForkedTurn & { readonly isRunning: boolean })[]> =>
  (await readPages(sql, turnLinks, [conversationId, userId])).map((row) => ({
    id: row["id"] as string,
    messageId: row["message_id"] as string,
    isRunning: row["state"] === "running",
  }));

const where = `conversation_id = $1 and ${ownedBy("$2")}`;

const messageLinks: PagedRows = {
  table: "messages",
  columns: "id, parent_id, turn_id",
  where,
  order: "created_at",
};

const turnLinks: PagedRows = {
  table: "turns",
  columns: "id, message_id, state",
  where,
  order: "started_at, id",
};
