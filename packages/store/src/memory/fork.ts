import { planFork, type ForkedMessage } from "../fork/plan-fork.ts";
import type { Conversation, ForkConversation } from "../store.ts";
import {
  addConversation,
  branchTo,
  rowOf,
  type MemoryContext,
  type MessageRow,
  type TurnRow,
} from "./data.ts";

const toForked = ({ id, turnId }: MessageRow): ForkedMessage => ({ id, turnId: turnId ?? null });

export function forkConversation(
  context: MemoryContext,
  userId: string,
  conversationId: string,
  given: ForkConversation,
): Conversation {
  const { data, now, newId } = context;
  const from = rowOf(context, userId, conversationId);
  const branch = branchTo(from, given.messageId ?? from.value.head);
  const plan = planFork(
    branch.map(toForked),
    from.messages.map(toForked),
    from.turns.map(({ value }) => value),
    newId,
  );
  const row = addConversation(context, userId, given);
  for (const [index, { id, parentId, turnId }] of plan.messages.entries()) {
    const { encoded, search } = branch[index]!;
    const createdAt = now() + index;
    const turn = turnId === null ? {} : { turnId };
    row.messages.push({ id, parentId, ...turn, createdAt, encoded, search });
  }
  for (const { source, id, messageId } of plan.turns) {
    const { value, fingerprint } = data.turns.get(source)!;
    const copy: TurnRow = {
      userId,
      fingerprint,
      value: {
        ...value,
        id,
        messageId,
        conversationId: row.value.id,
        // A running turn is copied as one that was stopped here.
        state: value.state === "running" ? "stopped" : value.state,
        endedAt: value.endedAt ?? now(),
      },
      draft: [],
      texts: [],
    };
    data.turns.set(id, copy);
    row.turns.push(copy);
  }
  row.value = { ...row.value, head: plan.head };
  return row.value;
}
