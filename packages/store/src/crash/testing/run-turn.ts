import type { Store } from "../../store.ts";
import { answerOf, questionOf } from "./material.ts";

/**
 * One turn in small steps; `acknowledge` is called with the label of each step once it is stored.
 */
export async function runTurn(
  store: Store,
  userId: string,
  conversationId: string,
  turn: number,
  acknowledge: (label: string) => void,
): Promise<void> {
  const { head } = await store.getConversation(userId, conversationId);
  const begun = await store.beginTurn({
    userId,
    conversationId,
    idempotencyKey: `${conversationId} ${turn}`,
    expectedHead: head,
    message: questionOf(turn),
  });
  acknowledge(`u${turn}`);
  const answer = answerOf(turn);
  for (const [index, part] of answer.parts.entries()) {
    await store.appendPart(userId, begun.turn.id, part);
    acknowledge(`a${turn}.${index}`);
  }
  await store.finishTurn(userId, begun.turn.id, { state: "done", messages: [answer] });
  acknowledge(`f${turn}`);
}
