import type { Conversation, Store, StoredMessage } from "@mull/store";
import { branchOf } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { findLostHead, findProblems, type StoredProblem } from "./problems.ts";

export interface ReadBranch {
  readonly all: readonly StoredMessage[];
  readonly branch: readonly StoredMessage[];
  readonly problems: readonly StoredProblem[];
}

/**
 * The readable messages of a conversation, up to `at` or the head, and what is wrong with the
 * others.
 */
export async function readBranch(
  store: Store,
  userId: string,
  conversation: Conversation,
  at?: string,
): Promise<ReadBranch> {
  const all = await store.listMessages(userId, conversation.id);
  const lost = at === undefined ? findLostHead(conversation, all) : [];
  const end = lost.length > 0 ? all.at(-1)?.id : (at ?? conversation.head ?? undefined);
  const branch = end === undefined ? [] : branchOf(all, end);
  if (end !== undefined && branch.length === 0) throw noSuch("message");
  return { all, branch, problems: [...lost, ...findProblems(branch)] };
}
