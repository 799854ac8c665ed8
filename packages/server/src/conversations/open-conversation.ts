import { hash } from "node:crypto";
import { isMullError, type JsonObject, type Message } from "mull";
import type { Conversation, Store } from "@mull/store";
import { noSuch } from "../http/refusals.ts";

const ours = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const theirs = /^[\w-]{1,64}$/;

/**
 * The server's own ids are UUIDs. AI SDK clients make up names; such a name belongs to its user,
 * and means another conversation for another user. So it reveals nothing about what exists.
 */
export function conversationIdFor(userId: string, given: string): string {
  if (ours.test(given)) return given;
  if (!theirs.test(given)) throw noSuch("conversation");
  const hex = hash("sha256", `${userId}\n${given}`);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${a}-${b}-${c}-${d}-${hex.slice(20, 32)}`;
}

/** A conversation that an AI SDK client named is created with its first question. */
export async function openConversation(
  store: Store,
  userId: string,
  given: string,
  first: () => { readonly title?: string; readonly info?: JsonObject },
  isLikelyNew: boolean,
): Promise<Conversation> {
  const id = conversationIdFor(userId, given);
  const find = (): Promise<Conversation> => store.getConversation(userId, id);
  if (id === given) return find();
  // Two sends may create it at once: the second one finds it.
  const create = async (): Promise<Conversation> =>
    store
      .createConversation(userId, { id, ...first(), isForTurn: true })
      .catch(after("name_taken", find));
  return isLikelyNew ? create() : find().catch(after("not_found", create));
}

/**
 * How to recover from one kind of failure. Any other, such as a full disk, is reported as it is.
 */
const after =
  <T>(code: string, next: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (isMullError(error) && error.code === code) return next();
    throw error;
  };

const longest = 80;

/** The beginning of the first question, or the name of its file if it has no words. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user");
  const said = first?.parts.find((part) => part.type === "text");
  const file = first?.parts.find((part) => part.type === "file");
  // Looks only at the beginning, because a question may have megabytes.
  const start = (said?.text || file?.name || "").trimStart().slice(0, longest * 10);
  const line = start.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
