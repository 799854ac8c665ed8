import type { Message, Part } from "../../types/message.ts";

/** Neighbours of one of these roles as one message: wires cut up what mull keeps together. */
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
