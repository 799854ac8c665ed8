import { planImport } from "../plan-import.ts";
import type { Conversation, ImportConversation } from "../store.ts";
import { newMessage, storeMessages } from "./add-message.ts";
import { inPieces } from "./in-pieces.ts";
import type { PostgresContext } from "./rows.ts";
import { makeConversation } from "./unfinished.ts";

/** A new conversation with all branches of a history. */
export function importConversation(
  context: PostgresContext,
  userId: string,
  given: ImportConversation,
): Promise<Conversation> {
  const { messages, head } = planImport(given, context.now(), context.newId);
  return makeConversation(context, userId, { ...given, head }, async (conversationId) => {
    const pieces = inPieces(messages, ({ message, ...place }) => ({
      ...newMessage(message, place.id),
      ...place,
    }));
    for (const piece of pieces) {
      await storeMessages(context.driver, userId, conversationId, piece);
    }
  });
}
