export { branchOf, type Link } from "./branch.ts";
export { encodeJson, storeLimits } from "./encode-json.ts";
export type { Times } from "./growing-times.ts";
export { historyOf, jsonlConversation, readJsonlConversation } from "./jsonl/index.ts";
export type {
  ConversationLog,
  Damage,
  JsonlConversation,
  JsonlOptions,
  LoggedMessage,
  LoggedTurn,
} from "./jsonl/index.ts";
export type { Hold } from "./lock/held.ts";
export { hold } from "./lock/hold.ts";
export { mapInSlices } from "./map-in-slices.ts";
export { createMemoryData, memoryStore } from "./memory/index.ts";
export type { MemoryData, MemoryStoreOptions } from "./memory/index.ts";
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
  ImportConversation,
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
