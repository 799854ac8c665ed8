import type { JsonObject } from "mull";
import { encodeJson } from "../encode-json.ts";
import { notFound } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import { storeError } from "../store-error.ts";
import type { Conversation, ListConversations, Store } from "../store.ts";
import { addMessages, checkMessageId, rowOf, sendOf, toStored } from "./data.ts";
import type { ConversationRow, MemoryContext, MessageRow } from "./data.ts";

type ConversationMethods = Pick<
  Store,
  | "createConversation"
  | "getConversation"
  | "listConversations"
  | "updateConversation"
  | "deleteConversation"
  | "listMessages"
  | "listBranch"
  | "appendMessages"
>;

const copy = (info: JsonObject): JsonObject => JSON.parse(encodeJson("info", info)) as JsonObject;

export const memoryConversations = (context: MemoryContext): ConversationMethods => ({
  async createConversation(userId, given = {}) {
    const { data, now, newId } = context;
    const id = given.id ?? newId();
    if (data.conversations.has(id)) {
      throw storeError("name_taken", "There is a conversation of that id. Choose another one.");
    }
    const at = now();
    const value: Conversation = {
      id,
      title: cleanText(given.title ?? ""),
      head: null,
      createdAt: at,
      updatedAt: at,
      info: copy(given.info ?? {}),
    };
    data.conversations.set(id, { userId, value, messages: [], turns: [] });
    return value;
  },

  async getConversation(userId, conversationId) {
    return rowOf(context, userId, conversationId).value;
  },

  async listConversations(userId, options = {}) {
    return [...context.data.conversations.values()]
      .filter((row) => row.userId === userId && matches(row, options))
      .map((row) => row.value)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
      .slice(0, options.limit ?? 50);
  },

  async updateConversation(userId, conversationId, change) {
    const row = rowOf(context, userId, conversationId);
    if (change.head !== undefined) checkMessageId(row, change.head);
    row.value = {
      ...row.value,
      updatedAt: context.now(),
      ...(change.title !== undefined && { title: cleanText(change.title) }),
      ...(change.info !== undefined && { info: copy(change.info) }),
      ...(change.head !== undefined && { head: change.head }),
    };
    return row.value;
  },

  async deleteConversation(userId, conversationId) {
    const { turns } = rowOf(context, userId, conversationId);
    context.data.conversations.delete(conversationId);
    for (const { value, key } of turns) {
      context.data.turns.delete(value.id);
      context.data.sends.delete(sendOf(userId, key));
    }
  },

  async listMessages(userId, conversationId) {
    return rowOf(context, userId, conversationId).messages.map(toStored);
  },

  async listBranch(userId, conversationId, messageId) {
    const row = rowOf(context, userId, conversationId);
    return branchOf(row, messageId ?? row.value.head).map(toStored);
  },

  async appendMessages(userId, conversationId, parentId, messages) {
    const row = rowOf(context, userId, conversationId);
    checkMessageId(row, parentId);
    return addMessages(context, row, { parentId, messages });
  },
});

function branchOf(row: ConversationRow, end: string | null): readonly MessageRow[] {
  const byId = new Map(row.messages.map((message) => [message.id, message]));
  const branch: MessageRow[] = [];
  for (let id = end; id !== null;) {
    const message = byId.get(id);
    if (message === undefined) throw notFound("message");
    branch.push(message);
    id = message.parentId;
  }
  return branch.toReversed();
}

function matches(row: ConversationRow, options: ListConversations): boolean {
  if (options.before !== undefined && row.value.updatedAt >= options.before) return false;
  if (options.search === undefined) return true;
  const wanted = cleanText(options.search).toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  const inParts = JSON.stringify(wanted).slice(1, -1);
  return (
    has(row.value.title) ||
    row.messages.some(
      ({ search, encoded }) =>
        has(search) || (options.everything && encoded.parts.toLowerCase().includes(inParts)),
    )
  );
}
