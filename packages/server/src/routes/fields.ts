import { levels, type JsonObject } from "mull";
import type { Conversation, Store } from "@mull/store";
import type { ServerContext } from "../context.ts";
import { choice, text, type Shape } from "../http/shape.ts";
import type { UserCall } from "./route.ts";

/**
 * `[provider:]name[/level]`: a provider that the library knows, at an address that only the server
 * knows.
 */
export const model: Shape<string> = text({
  min: 1,
  max: 200,
  pattern: /^[\w.:/@+-]+$/,
  words: "a model such as claude-opus-5-5 or openai:gpt-6-sol",
});
export const level: Shape<(typeof levels)[number]> = choice(levels);
export const title: Shape<string> = text({ max: 300 });
/** The system prompt of a conversation; an empty one removes it. */
export const system: Shape<string> = text({ max: 20_000 });
export const id: Shape<string> = text({
  min: 1,
  max: 64,
  pattern: /^[\w-]+$/,
  words: "an id",
});
/** The latest time that a `Date` can hold. */
export const latest = 8_640_000_000_000_000;

/** The conversation of a route. Check the owner before anything else. */
export async function ownOf({ context, user, params }: UserCall<unknown, unknown>): Promise<{
  readonly store: Store;
  readonly conversationId: string;
  readonly conversation: Conversation;
}> {
  const store = await context.store();
  const conversationId = params["conversationId"]!;
  const conversation = await store.getConversation(user.userId, conversationId);
  return { store, conversationId, conversation };
}

/** Check a choice when it is made, not when it is used. */
export function chosen(
  { maker }: ServerContext,
  wish: { readonly model?: string; readonly level?: string; readonly system?: string },
): JsonObject {
  const own = wish.system === undefined ? {} : { system: wish.system.trim() };
  if (wish.model === undefined && wish.level === undefined) return own;
  const { model: ref, level: at } = maker.choose(wish);
  return {
    ...own,
    ...(wish.model !== undefined && { model: ref }),
    ...((wish.level !== undefined || wish.model?.includes("/")) && { level: at }),
  };
}
