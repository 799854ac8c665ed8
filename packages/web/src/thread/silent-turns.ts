import type { UIMessage } from "@mull/ui-messages";
import type { TurnFacts } from "./read-turn.ts";

/** Questions that no answer follows. */
export const findUnanswered = (messages: readonly UIMessage[]): readonly UIMessage[] =>
  messages.filter(
    ({ role }, index) => role === "user" && messages[index + 1]?.role !== "assistant",
  );

/** A turn that failed before it said anything has no message; people must see why all the same. */
export function addSilentTurns(
  messages: readonly UIMessage[],
  turns: readonly TurnFacts[],
): readonly UIMessage[] {
  const unanswered = new Set(findUnanswered(messages));
  return messages.flatMap((message): readonly UIMessage[] => {
    const turn = unanswered.has(message)
      ? turns.findLast(({ messageId }) => messageId === message.id)
      : undefined;
    if (turn?.turnId === undefined || turn.state === "running") return [message];
    return [message, { id: turn.turnId, role: "assistant", metadata: turn, parts: [] }];
  });
}
