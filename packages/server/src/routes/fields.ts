import { levels, type JsonObject } from "mull";
import type { Conversation, Store } from "@mull/store";
import type { ServerContext } from "../context.ts";
import { choice, text, type Shape } from "../http/shape.ts";
import type { UserCall } from "./route.ts";

/** `[provider:]name[/level]`: a provider the library knows, at an address that only the server knows. */
export const model: Shape<string> = text({
  min: 1,
  max: 200,
  pattern: /^[\w.:/@+-]+$/,
  words: "a model such as claude-opus-5-5 or openai:gpt-6-sol",
});
export const level: Shape<(typeof levels)[number]> = choice(levels);
export const title: Shape<string> = text({ max: 300 });
/** A system prompt of a conversation; empty takes it away. */
export const system: Shape<string> = text({ max: 20_000 });
export const id: Shape<string> = text({
  min: 1,
  max: 64,
  pattern: /^[\w-]+$/,
  words: "an id",
});
/** The last moment a `Date` can hold. */
export const latest = 8_640_000_000_000_000;

/** The conversation a route is about: whose it is comes before what is asked of it. */
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

/** A choice is checked when it is made, not when it is used. */
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
