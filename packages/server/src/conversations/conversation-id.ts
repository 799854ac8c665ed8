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
  return [8, 4, 4, 4, 12]
    .map((length, index) =>
      hex.slice([0, 8, 12, 16, 20][index], [0, 8, 12, 16, 20][index]! + length),
    )
    .join("-");
}
