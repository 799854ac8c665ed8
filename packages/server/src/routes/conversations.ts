import { describeConversation } from "../conversations/view.ts";
import { empty, json } from "../http/respond.ts";
import { flag, nullable, object, optional, text, whole } from "../http/shape.ts";
import { chosen, id, latest, level, model, ownOf, system, title } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

/** Lists, creates, renames, moves and deletes conversations. */
export const conversationRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/conversations",
    summary:
      "Conversations, latest change first. `before` and `beforeId` of the last one give the next page; `search` looks at what people read.",
    query: object({
      search: optional(text({ max: 200 })),
      everything: optional(flag),
      before: optional(whole(0, latest)),
      beforeId: optional(id),
      limit: optional(whole(1, 200)),
    }),
    handle: async ({ context, request, user, query }) => {
      const store = await context.store();
      const signal = query.search === undefined ? {} : { signal: request.signal };
      const found = await store.listConversations(user.userId, { ...query, ...signal });
      return json({ conversations: found.map(describeConversation) });
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/conversations",
    summary: "A new conversation.",
    body: object({
      title: optional(title),
      model: optional(model),
      level: optional(level),
      system: optional(system),
    }),
    handle: async ({ context, user, body }) => {
      const made = await (
        await context.store()
      ).createConversation(user.userId, { title: body.title ?? "", info: chosen(context, body) });
      return json(describeConversation(made), 201);
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId",
    summary: "One conversation, its model and its head.",
    handle: async (call) => json(describeConversation((await ownOf(call)).conversation)),
  }),
  userRoute({
    method: "PATCH",
    path: "/api/conversations/:conversationId",
    summary:
      "Renames it, chooses model, level and system prompt, or moves its head to another branch.",
    body: object({
      title: optional(title),
      model: optional(model),
      level: optional(level),
      system: optional(system),
      head: optional(nullable(id)),
    }),
    handle: async (call) => {
      const { context, user, body } = call;
      const { store, conversationId } = await ownOf(call);
      const changed = await store.updateConversation(user.userId, conversationId, {
        info: chosen(context, body),
        ...(body.title !== undefined && { title: body.title }),
        ...(body.head !== undefined && { head: body.head }),
      });
      return json(describeConversation(changed));
    },
  }),
  userRoute({
    method: "DELETE",
    path: "/api/conversations/:conversationId",
    summary: "Deletes it with all branches; a running turn is stopped first.",
    handle: async ({ context, user, params }) => {
      const conversationId = params["conversationId"]!;
      await context.turns.stop(user.userId, conversationId);
      await (await context.store()).deleteConversation(user.userId, conversationId);
      return empty();
    },
  }),
];
