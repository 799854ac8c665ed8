import type { Store, StoredMessage, Turn } from "@mull/store";
import { branchOf } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { chainOf } from "../turns/turn-chain.ts";

/**
 * The messages that the request for an answer saw: those before its `step`th step. `answerId` is
 * the id that clients know: of a turn, or of an imported answer.
 */
export async function historyBefore(
  store: Store,
  userId: string,
  conversationId: string,
  answerId: string,
  step: number,
): Promise<readonly StoredMessage[]> {
  const [all, turns] = await Promise.all([
    store.listMessages(userId, conversationId),
    store.listTurns(userId, conversationId, { isBrief: true }),
  ]);
  const turn = turns.find(({ id }) => id === answerId);
  const said =
    turn === undefined ? stepsFrom(all, answerId) : answersOf(chainOf(turn, turns, all), all);
  // A turn that was refused at once has no answer; use its question.
  const end = turn !== undefined && said.length === 0 ? turn.messageId : said[step - 1]?.parentId;
  if (end === undefined) throw noSuch("message");
  return end === null ? [] : branchOf(all, end);
}

function answersOf(
  chain: readonly Turn[],
  all: readonly StoredMessage[],
): readonly StoredMessage[] {
  const ids = new Set(chain.map(({ id }) => id));
  return all.filter(({ turnId, message }) => ids.has(turnId ?? "") && message.role === "assistant");
}

/** The answer that starts with a message, up to the next question. */
function stepsFrom(all: readonly StoredMessage[], firstId: string): readonly StoredMessage[] {
  const steps: StoredMessage[] = [];
  let at = all.find(({ id, message }) => id === firstId && message.role === "assistant");
  while (at !== undefined && at.message.role !== "user") {
    if (at.message.role === "assistant") steps.push(at);
    const { id } = at;
    at = all.findLast(({ parentId }) => parentId === id);
  }
  return steps;
}
