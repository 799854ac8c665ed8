import type { MessageLink, StoredMessage, Turn } from "@mull/store";

/**
 * The id of the UI message that a turn writes: its own, or that of the turn whose calls it
 * continues.
 */
export const messageIdOf = ({ id, info }: Turn): string =>
  typeof info["continues"] === "string" ? info["continues"] : id;

/** A turn and those that continued from its calls, oldest first: people see them as one answer. */
export function chainOf(
  first: Turn,
  turns: readonly Turn[],
  messages: readonly (StoredMessage | MessageLink)[],
): readonly Turn[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const chain = new Map([[first.id, first]]);
  for (const turn of turns) {
    const from = byId.get(turn.messageId);
    if (from === undefined || roleOf(from) === "user") continue;
    if (chain.has(from.turnId ?? "")) chain.set(turn.id, turn);
  }
  return [...chain.values()];
}

const roleOf = (each: StoredMessage | MessageLink): MessageLink["role"] =>
  "message" in each ? each.message.role : each.role;
