import { applyChange } from "../apply-change.ts";
import { mapInSlices } from "../loop-share.ts";
import { isLeft } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { ListConversations } from "../listing.ts";
import { spendingKeptMs, type Store } from "../store.ts";
import {
  addConversation,
  addMessages,
  branchTo,
  checkMessageId,
  copyInfo,
  rowOf,
  forgottenBy,
  sendOf,
  toStored,
  type ConversationRow,
  type MemoryContext,
} from "./data.ts";
import { forkConversation } from "./fork.ts";
import { importConversation } from "./import.ts";

type MemoryConversations = Pick<
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

export const memoryConversations = (context: MemoryContext): MemoryConversations => ({
  createConversation: async (userId, given = {}) => addConversation(context, userId, given).value,

  importConversation: (userId, given) => importConversation(context, userId, given),

  async getConversation(userId, conversationId) {
    return rowOf(context, userId, conversationId).value;
  },

  async listConversations(userId, options = {}) {
    if (options.signal?.aborted === true) throw isLeft();
    return [...context.data.conversations.values()]
      .filter((row) => row.userId === userId && matches(row, options))
      .map((row) => row.value)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
      .slice(0, options.limit ?? 50);
  },

  async updateConversation(userId, conversationId, change) {
    const row = rowOf(context, userId, conversationId);
    if (change.head !== undefined) checkMessageId(row, change.head);
    const { info, ...changed } = applyChange(row.value, change);
    row.value = { ...row.value, ...changed, info: copyInfo(info), updatedAt: context.now() };
    return row.value;
  },

  forkConversation: async (userId, conversationId, given = {}) =>
    forkConversation(context, userId, conversationId, given),

  async deleteConversation(userId, conversationId) {
    const { turns } = rowOf(context, userId, conversationId);
    const { data } = context;
    const since = context.now() - spendingKeptMs;
    data.deletedTurns = data.deletedTurns.filter(({ startedAt }) => startedAt >= since);
    data.conversations.delete(conversationId);
    for (const row of turns) {
      const { value, key } = row;
      data.turns.delete(value.id);
      data.deletedTurns.push(...forgottenBy(row));
      if (key !== undefined) data.sends.delete(sendOf(userId, key));
    }
  },

  async listMessages(userId, conversationId, ids) {
    const wanted = ids && new Set(ids);
    const { messages } = rowOf(context, userId, conversationId);
    return mapInSlices(
      messages.filter(({ id }) => wanted?.has(id) ?? true),
      toStored,
    );
  },

  async listLinks(userId, conversationId) {
    const { messages } = rowOf(context, userId, conversationId);
    return mapInSlices(messages.slice(), ({ id, parentId, turnId, encoded }) => ({
      id,
      parentId,
      ...(turnId !== undefined && { turnId }),
      role: encoded.role,
    }));
  },

  async listBranch(userId, conversationId, messageId) {
    const row = rowOf(context, userId, conversationId);
    return mapInSlices(branchTo(row, messageId ?? row.value.head), toStored);
  },

  async appendMessages(userId, conversationId, parentId, messages, times = []) {
    const row = rowOf(context, userId, conversationId);
    checkMessageId(row, parentId);
    return addMessages(context, row, { parentId, messages, times }).map(toStored);
  },
});

const isBefore = ({ value }: ConversationRow, time: number, id: string | undefined): boolean =>
  value.updatedAt < time || (value.updatedAt === time && id !== undefined && value.id < id);

function matches(row: ConversationRow, options: ListConversations): boolean {
  if (options.before !== undefined && !isBefore(row, options.before, options.beforeId))
    return false;
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
