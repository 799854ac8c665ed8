import type { Message, Part } from "../../types/message.ts";

/** Joins neighbours of one of these roles into one message: on a wire each tool result may be a message of its own. */
export function joinMessages(
  messages: readonly Message[],
  ...roles: readonly Message["role"][]
): readonly Message[] {
  const joined: Message[] = [];
  let open: Part[] = [];
  for (const message of messages) {
    const isNew = message.role !== joined.at(-1)?.role || !roles.includes(message.role);
    if (isNew) joined.push({ ...message, parts: (open = []) });
    open.push(...message.parts);
  }
  return joined;
}
