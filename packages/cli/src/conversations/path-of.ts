import type { ConversationLog, LoggedMessage } from "@mull/store/jsonl";

/** The messages that lead to the last one: answers that were taken back are beside it. */
export function pathOf({
  messages,
  head,
}: Pick<ConversationLog, "messages" | "head">): readonly LoggedMessage[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const path: LoggedMessage[] = [];
  let last = head === null ? undefined : known.get(head);
  while (last !== undefined) {
    path.push(last);
    last = last.parent === null ? undefined : known.get(last.parent);
  }
  return path.toReversed();
}
