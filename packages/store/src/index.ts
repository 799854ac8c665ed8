/** Conversations in memory, in files and in Postgres. */
export { historyOf, jsonlConversation, readJsonlConversation } from "./jsonl/index.ts";
export type {
  ConversationLog,
  Damage,
  JsonlConversation,
  JsonlOptions,
  LoggedMessage,
  LoggedTurn,
} from "./jsonl/index.ts";
export { createMemoryData, type MemoryData } from "./memory/data.ts";
export type {
  Bucket,
  FromBucket,
  LimitRefusal,
  Reservation,
  Reserved,
  ReservedTurn,
  Taken,
} from "./limits/methods.ts";
export type { ListConversations, ListTurns, MessageLink } from "./listing.ts";
export { memoryStore, type MemoryStoreOptions } from "./memory/memory-store.ts";
export { pgliteDriver, type PgliteDriverOptions } from "./pglite/pglite-driver.ts";
export type { Sql, SqlDriver, SqlResult, SqlRow, SqlValue } from "./postgres/driver.ts";
export { pgDriver, type PgDriverOptions } from "./postgres/pg-driver.ts";
export { postgresStore } from "./postgres/postgres-store.ts";
export type { StoreErrorCode } from "./store-error.ts";
export type {
  Account,
  BeginTurn,
  BegunTurn,
  Conversation,
  ConversationChange,
  ForkConversation,
  FoundSession,
  ImportConversation,
  NewConversation,
  Session,
  Store,
  StoredMessage,
  StoreOptions,
  Turn,
  TurnDraft,
  TurnEnd,
  TurnState,
  Unreadable,
} from "./store.ts";
export type { DailySpending, Spending } from "./spending-methods.ts";
export type { SealedKey } from "./user-key-methods.ts";
