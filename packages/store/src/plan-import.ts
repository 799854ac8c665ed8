import type { Message } from "mull";
import { growingTimes } from "./growing-times.ts";
import type { ImportConversation } from "./store.ts";

/** A message to store, and its place. */
export interface PlannedMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly createdAt: number;
  readonly message: Message;
}

export interface ImportPlan {
  readonly messages: readonly PlannedMessage[];
  readonly head: string | null;
}

/** Which messages an import stores (all branches), with which ids and times. */
export function planImport(
  { history, times = [] }: Pick<ImportConversation, "history" | "times">,
  now: number,
  newId: () => string,
): ImportPlan {
  const { head, entries } = history.toJSON();
  const ids = entries.map(() => newId());
  const idAt = (position: number): string | null => ids[position] ?? null;
  const made = growingTimes(entries.length, times, now);
  return {
    messages: entries.map(({ parent, message }, nth) => ({
      id: ids[nth]!,
      parentId: idAt(parent),
      createdAt: made[nth]!,
      message,
    })),
    head: idAt(head),
  };
}
