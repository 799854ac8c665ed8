import { cleanText } from "./search-text.ts";
import type { Conversation, ConversationChange } from "./store.ts";

/** Applies a change to a conversation. The caller keeps other writers out. */
export function applyChange(
  known: Conversation,
  { title, firstTitle, info = {}, head = known.head }: ConversationChange,
): Pick<Conversation, "title" | "info" | "head"> {
  const given = title ?? (known.title === "" ? firstTitle : undefined);
  return {
    title: given === undefined ? known.title : cleanText(given),
    info: Object.fromEntries(
      Object.entries({ ...known.info, ...info }).filter(([, value]) => value !== null),
    ),
    head,
  };
}
