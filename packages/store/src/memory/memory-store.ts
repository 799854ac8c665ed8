import { isClosed } from "../refusals.ts";
import type { Store, StoreOptions } from "../store.ts";
import { memoryAccounts } from "./accounts.ts";
import { memoryConversations } from "./conversations.ts";
import { createMemoryData, memoryContext, type MemoryData } from "./data.ts";
import { memoryLimits } from "./limits.ts";
import { memoryPreferences } from "./preferences.ts";
import { memorySpending } from "./spending.ts";
import { memoryTurns } from "./turns.ts";
import { memoryUserKeys } from "./user-keys.ts";

/** Settings of `memoryStore`. */
export interface MemoryStoreOptions extends StoreOptions {
  /** Rows to share with another store. */
  readonly data?: MemoryData;
}

/** Makes a store in memory. Its content is lost with the process. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const context = memoryContext(options.data ?? createMemoryData(), options);
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
  };
  return {
    owner: context.owner,
    ...memoryConversations(context),
    ...memoryTurns(context),
    ...memorySpending(context),
    ...memoryLimits(context),
    ...memoryAccounts(context),
    ...memoryPreferences(context),
    ...memoryUserKeys(context),
    async check() {
      if (!isOpen) throw isClosed();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
