/** Conversations in files. Loads nothing for a database. */
export { jsonlConversation } from "./conversation.ts";
export type { JsonlConversation, JsonlOptions } from "./conversation.ts";
export { historyOf, readJsonlConversation } from "./read-conversation.ts";
export type { ConversationLog, Damage, LoggedMessage, LoggedTurn } from "./read-conversation.ts";
