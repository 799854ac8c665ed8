export { branchOf, type Link } from "./branch.ts";
export { encodeJson, storeLimits } from "./encode-json.ts";
export type { Times } from "./growing-times.ts";
export { jsonlConversation } from "./jsonl/conversation.ts";
export type { JsonlConversation, JsonlOptions } from "./jsonl/conversation.ts";
export { historyOf, readJsonlConversation } from "./jsonl/read-conversation.ts";
export type {
  ConversationLog,
  Damage,
  LoggedMessage,
  LoggedTurn,
} from "./jsonl/read-conversation.ts";
export type { Hold } from "./lock/held.ts";
export { hold } from "./lock/hold.ts";
export { mapInSlices } from "./map-in-slices.ts";
export { createMemoryData, type MemoryData } from "./memory/data.ts";
export { memoryStore, type MemoryStoreOptions } from "./memory/memory-store.ts";
export { pgliteDriver, type PgliteDriverOptions } from "./pglite/pglite-driver.ts";
export type { Sql, SqlDriver, SqlResult, SqlRow, SqlValue } from "./postgres/driver.ts";
export { pgDriver, type PgDriverOptions } from "./postgres/pg-driver.ts";
export { postgresStore } from "./postgres/postgres-store.ts";
export type { StoreErrorCode } from "./store-error.ts";
export { turnStates } from "./store.ts";
export type {
  Account,
  BeginTurn,
  BegunTurn,
  Conversation,
  ConversationChange,
  ForkConversation,
  FoundSession,
  ListConversations,
  NewConversation,
  Session,
  Spending,
  Store,
  StoredMessage,
  StoreOptions,
  Turn,
  TurnDraft,
  TurnEnd,
  TurnState,
  Unreadable,
} from "./store.ts";
