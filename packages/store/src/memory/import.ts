import { encodeMessage } from "../encode-message.ts";
import { mapInSlices } from "../loop-share.ts";
import { planImport } from "../plan-import.ts";
import { searchTextOf } from "../search-text.ts";
import type { Conversation, ImportConversation } from "../store.ts";
import { addConversation, type MemoryContext, type MessageRow } from "./data.ts";

/** Encode every message before creating the conversation. */
export async function importConversation(
  context: MemoryContext,
  userId: string,
  given: ImportConversation,
): Promise<Conversation> {
  const { messages, head } = planImport(given, context.now(), context.newId);
  const rows = await mapInSlices(messages, ({ message, ...place }): MessageRow => {
    const encoded = encodeMessage(message);
    return { ...place, encoded, search: searchTextOf(message) };
  });
  const { title, info, createdAt } = given;
  const row = addConversation(context, userId, {
    ...(title !== undefined && { title }),
    ...(info !== undefined && { info }),
    ...(createdAt !== undefined && { createdAt }),
  });
  for (const each of rows) row.messages.push(each);
  row.value = { ...row.value, head };
  return row.value;
}
