import { applyChange } from "../apply-change.ts";
import { branchOf } from "../branch.ts";
import { encodeJson } from "../encode-json.ts";
import { mapInSlices } from "../loop-share.ts";
import { conversationTaken, notFound } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { MessageLink } from "../listing.ts";
import {
  spendingKeptMs,
  type Conversation,
  type ConversationChange,
  type NewConversation,
  type Store,
} from "../store.ts";
import { addMessages } from "./add-message.ts";
import { write, type Sql, type SqlRow } from "./driver.ts";
import { forkConversation } from "./fork.ts";
import { importConversation } from "./import.ts";
import { listRows } from "./list-rows.ts";
import { readPages, type PagedRows } from "./read-pages.ts";
import {
  at,
  checkMessageId,
  conversationColumns,
  lockConversation,
  messageColumns,
  ownedBy,
  readConversation,
  readMessages,
  toConversation,
  toStored,
  type PostgresContext,
} from "./rows.ts";

type PostgresConversations = Pick<
  Store,
  | "createConversation"
  | "importConversation"
  | "getConversation"
  | "listConversations"
  | "updateConversation"
  | "forkConversation"
  | "deleteConversation"
  | "listMessages"
  | "listLinks"
  | "listBranch"
  | "appendMessages"
>;

export function postgresConversations(context: PostgresContext): PostgresConversations {
  const { driver, now, newId } = context;

  return {
    createConversation: (userId, given = {}) => createConversation(context, userId, given),

    importConversation: (userId, given) => importConversation(context, userId, given),

    getConversation: (userId, id) => readConversation(driver, userId, id),

    async listConversations(userId, options = {}) {
      return (await listRows(driver, userId, options)).map(toConversation);
    },

    updateConversation: (userId, id, change) => updateConversation(context, userId, id, change),

    forkConversation: (userId, id, given = {}) => forkConversation(context, userId, id, given),

    deleteConversation: (userId, id) => deleteConversation(context, userId, id),

    async listMessages(userId, id, ids) {
      const rows =
        ids === undefined
          ? await readMessageRows(driver, userId, id)
          : await readPages(driver, someMessages, [id, userId, JSON.stringify(ids)]);
      // Only if there are none: perhaps the conversation is missing.
      if (rows.length === 0) await readConversation(driver, userId, id);
      return mapInSlices(rows, toStored);
    },

    async listLinks(userId, id) {
      const rows = await readPages(driver, messageLinks, [id, userId]);
      if (rows.length === 0) await readConversation(driver, userId, id);
      return mapInSlices(rows, toLink);
    },

    async listBranch(userId, id, messageId) {
      const end = messageId ?? (await readConversation(driver, userId, id)).head;
      if (end === null) return [];
      const rows = await readMessageRows(driver, userId, id);
      const links = rows.map((row) => ({
        id: row["id"] as string,
        parentId: row["parent_id"] as string | null,
        row,
      }));
      const branch = branchOf(links, end);
      if (branch.length > 0) return mapInSlices(branch, ({ row }) => toStored(row));
      await readConversation(driver, userId, id);
      throw notFound("message");
    },

    async appendMessages(userId, conversationId, parentId, messages, times = []) {
      const ids = messages.map(() => newId());
      const place = { userId, conversationId, parentId };
      return driver.transaction(async (sql, mayBeDone) => {
        await lockConversation(sql, userId, conversationId);
        const done = mayBeDone ? await readMessages(sql, userId, ids) : [];
        if (done.length > 0) return done;
        await checkMessageId(sql, userId, conversationId, parentId);
        return addMessages(sql, now(), { ...place, messages, ids, times });
      });
    },
  };
}

async function createConversation(
  { driver, now, newId }: PostgresContext,
  userId: string,
  given: NewConversation,
): Promise<Conversation> {
  const id = given.id ?? newId();
  const values = [
    id,
    userId,
    cleanText(given.title ?? ""),
    encodeJson("info", given.info ?? {}),
    now(),
    Math.min(given.createdAt ?? now(), now()),
  ];
  const made = await driver.query(
    `insert into conversations (id, user_id, title, info, created_at, updated_at)
    values ($1, $2, $3, $4::json, ${at("$6")}, ${at("$5")})
    on conflict (id) do nothing returning ${conversationColumns}`,
    values,
  );
  const [row] = made.rows;
  if (row !== undefined) return toConversation(row);
  if (made.mayBeDone === true) return readConversation(driver, userId, id);
  throw conversationTaken();
}

const updateConversation = (
  { driver, now }: PostgresContext,
  userId: string,
  id: string,
  change: ConversationChange,
): Promise<Conversation> =>
  driver.transaction(async (sql) => {
    const known = await lockConversation(sql, userId, id);
    const { title, info, head } = applyChange(known, change);
    if (change.head !== undefined) await checkMessageId(sql, userId, id, head);
    const { rows } = await write(
      sql,
      1,
      `update conversations
      set title = $3, info = $4::json, head = $5, updated_at = ${at("$6")}
      where id = $1 and ${ownedBy("$2")} returning ${conversationColumns}`,
      [id, userId, title, encodeJson("info", info), head, now()],
    );
    return toConversation(rows[0]!);
  });

async function deleteConversation(
  { driver, now }: PostgresContext,
  userId: string,
  id: string,
): Promise<void> {
  const deleted = await driver.query(
    `with kept as (
      insert into deleted_turns (user_id, started_at, tokens, cost)
      select user_id, started_at, tokens, cost from turns
      where conversation_id = $1 and ${ownedBy("$2")} and copy_of is null
    ), forgotten as (
      delete from deleted_turns where user_id = $2 and started_at < ${at("$3")}
    )
    delete from conversations where id = $1 and ${ownedBy("$2")}`,
    [id, userId, now() - spendingKeptMs],
  );
  if (deleted.affected === 0 && deleted.mayBeDone !== true) throw notFound("conversation");
}

/**
 * All branches, as one index range. Following parents inside the engine costs more than reading the
 * other branches' rows; with a plan made while the table was small, it costs the square of the
 * length.
 */
const readMessageRows = (
  sql: Sql,
  userId: string,
  conversationId: string,
): Promise<readonly SqlRow[]> => readPages(sql, messagePages, [conversationId, userId]);

const messagePages: PagedRows = {
  table: "messages",
  columns: messageColumns,
  where: `conversation_id = $1 and ${ownedBy("$2")}`,
  order: "created_at",
};

const someMessages: PagedRows = {
  ...messagePages,
  where: `${messagePages.where} and id in (select json_array_elements_text($3::json))`,
};

const messageLinks: PagedRows = { ...messagePages, columns: "id, parent_id, turn_id, role" };

const toLink = (row: SqlRow): MessageLink => ({
  id: row["id"] as string,
  parentId: row["parent_id"] as string | null,
  ...(row["turn_id"] !== null && { turnId: row["turn_id"] as string }),
  role: row["role"] as MessageLink["role"],
});
