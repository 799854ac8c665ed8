import type { UIMessage } from "@mull/ui-messages";
import type { Loaded } from "../api.ts";
import { filesIn, textOf } from "../thread/read-turn.ts";
import { setFiles } from "./files.ts";
import { keepDraft, placeOf, readKept, setThread, withoutSent, type StateParts } from "./parts.ts";

/** A question on its way to the server, and the last one that was there before it. */
interface SentQuestion {
  readonly text: string;
  readonly after: string | undefined;
}

const sentKey = ({ box }: StateParts, conversationId: string): string =>
  `mull.sent.${placeOf(box, conversationId)}`;

const lastQuestion = (messages: readonly UIMessage[]): UIMessage | undefined =>
  messages.findLast(({ role }) => role === "user");

/**
 * Notes what is sent: if the page is reloaded before the server has answered, the question would
 * look asked and unsent.
 */
export function noteSent(
  parts: StateParts,
  conversationId: string,
  text: string,
  before: readonly UIMessage[],
): void {
  const sent: SentQuestion = { text, after: lastQuestion(before)?.id };
  parts.storage.setItem(sentKey(parts, conversationId), JSON.stringify(sent));
}

/** The server has answered, so the sender knows what became of it. */
export const forgetSent = (parts: StateParts, conversationId: string): void =>
  parts.storage.removeItem(sentKey(parts, conversationId));

/**
 * Removes from the composer, with its files, what the server had accepted when the page was left.
 */
export async function dropTaken(
  parts: StateParts,
  { conversation, messages }: Loaded,
): Promise<void> {
  const { box, shelf, storage } = parts;
  const { id } = conversation;
  const noted = readKept(storage, sentKey(parts, id)) as SentQuestion | null;
  if (typeof noted?.text !== "string") return;
  forgetSent(parts, id);
  const { text, after } = noted;
  const question = lastQuestion(messages);
  if (question === undefined || question.id === after || textOf(question) !== text) return;
  // A user who saw it there and sent it again meant this one.
  if (box.get().thread.queued === text) setThread(box, { queued: undefined, queuedFiles: [] });
  keepDraft(parts, withoutSent(box.get().draft, text));
  const urls = new Set(filesIn(question).map(({ url }) => url));
  const kept = await shelf.read(placeOf(box, id));
  setFiles(parts, id, (files) => files.filter(({ url }) => !urls.has(url)));
  await shelf.remove(kept.filter(({ url }) => urls.has(url)));
}
