import type { ConversationLog } from "@mull/store/jsonl";

type MessageOfLog = ConversationLog["messages"][number];

/** The messages that lead to the last one: answers that were taken back are beside it. */
export function pathOf({
  messages,
  head,
}: Pick<ConversationLog, "messages" | "head">): readonly MessageOfLog[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const path: MessageOfLog[] = [];
  let last = head === null ? undefined : known.get(head);
  while (last !== undefined) {
    path.push(last);
    last = last.parent === null ? undefined : known.get(last.parent);
  }
  return path.toReversed();
}
