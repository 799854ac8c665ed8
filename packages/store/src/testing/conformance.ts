import type { Store, StoreOptions } from "../store.ts";
import { accountCases } from "./account-cases.ts";
import { conversationCases } from "./conversation-cases.ts";
import { forkCases } from "./fork-cases.ts";
import { importCases } from "./import-cases.ts";
import { limitCases } from "./limit-cases.ts";
import { liveCases } from "./live-cases.ts";
import { messageCases } from "./message-cases.ts";
import { preferenceCases } from "./preference-cases.ts";
import { recoveryCases } from "./recovery-cases.ts";
import { turnCases } from "./turn-cases.ts";

/**
 * Opens a store. All stores of a suite must share the same rows. A negative `leaseMs` means a
 * process that counts as gone; nothing else may vouch for it.
 */
export type OpenStore = (options?: StoreOptions) => Promise<Store>;

/** One test case for stores. Each uses users of its own, so cases can share rows. */
export interface StoreCase {
  readonly name: string;
  readonly run: (open: OpenStore) => Promise<void>;
}

/** What every store must do, as test cases. */
export const storeCases: readonly StoreCase[] = [
  ...conversationCases,
  ...importCases,
  ...messageCases,
  ...turnCases,
  ...recoveryCases,
  ...liveCases,
  ...accountCases,
  ...forkCases,
  ...preferenceCases,
  ...limitCases,
];

/** Registers every case with a test runner: `storeConformance(open, test)`. */
export function storeConformance(
  open: OpenStore,
  test: (name: string, run: () => Promise<void>) => void,
): void {
  for (const { name, run } of storeCases) test(name, () => run(open));
}
