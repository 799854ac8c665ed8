import { hash } from "node:crypto";
import { noSuch } from "../http/refusals.ts";

const ours = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const theirs = /^[\w-]{1,64}$/;

export const isOurId = (id: string): boolean => ours.test(id);

/**
 * Ids made here are UUIDs. AI SDK clients make up names of their own; such a name is the user's
 * alone: for another user it is another conversation, so it tells nothing about what exists.
 */
export function conversationIdFor(userId: string, given: string): string {
  if (isOurId(given)) return given;
  if (!theirs.test(given)) throw noSuch("conversation");
  const hex = hash("sha256", `${userId}\n${given}`);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${a}-${b}-${c}-${d}-${hex.slice(20, 32)}`;
}
