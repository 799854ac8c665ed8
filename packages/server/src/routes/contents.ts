import type { UserMessage } from "mull";
import { historyBefore } from "../conversations/history-before.ts";
import { inspect } from "../conversations/inspect.ts";
import { offersFor, readableMessages } from "../conversations/problems.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { readPage } from "../conversations/read-page.ts";
import { describeConversation, viewBranch } from "../conversations/view.ts";
import { longJson } from "../http/long-json.ts";
import { object, optional, text, whole } from "../http/shape.ts";
import { findMessageId } from "../turns/ask.ts";
import { describeTurn } from "../turns/turn-chunks.ts";
import { id, level, model, ownOf } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

/** What is in a conversation, and what would be sent of it. */
export const contentRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/messages",
    summary:
      "UI messages of the branch that ends at the head, or at `at`; other branches; the running turn, whose answer comes by its stream. With `limit` only the latest, and `earlier` names what to ask for as `before` to get those before them.",
    query: object({ at: optional(id), limit: optional(whole(1, 1000)), before: optional(id) }),
    handle: async (call) => {
      const { user, query } = call;
      const { store, conversationId, conversation } = await ownOf(call);
      const read = await readPage(store, user.userId, conversation, query);
      const { links, page, turns, isNewest, earlier, problems } = read;
      const running = turns.find((turn) => turn.state === "running");
      return longJson({
        conversation: describeConversation(conversation),
        ...(await viewBranch(links, page, turns, isNewest, conversation.info)),
        ...(earlier !== undefined && { earlier }),
        running: running === undefined ? null : describeTurn(running),
        ...(problems.length > 0 && { problems, offers: offersFor(conversationId) }),
      });
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/inspect",
    summary:
      "What would be sent to a model, and what it would say: with `question` after the message `at` or the head, or for the `step`th request of the answer `before`. Nothing is sent.",
    query: object({
      model: optional(model),
      level: optional(level),
      at: optional(id),
      before: optional(id),
      step: optional(whole(1, 1000)),
      question: optional(text({ min: 1, max: 2000 })),
    }),
    handle: async (call) => {
      const { context, user, query } = call;
      const { store, conversationId, conversation } = await ownOf(call);
      const { info } = conversation;
      const end =
        query.at && (await findMessageId(store, user.userId, conversationId, query.at, "last"));
      const branch =
        query.before === undefined
          ? (await readBranch(store, user.userId, conversation, end)).branch
          : await historyBefore(store, user.userId, conversationId, query.before, query.step ?? 1);
      const maker = await context.makerFor(user.userId);
      const chosenTarget = maker.choose(query, info);
      const messages = [
        ...readableMessages(branch),
        ...(query.question === undefined ? [] : [asQuestion(query.question)]),
      ];
      const tools = context.tools();
      return longJson(await inspect(maker, chosenTarget, messages, tools, context.loop, info));
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/turns",
    summary: "Every turn with its state, usage, cost and receipts.",
    handle: async ({ context, user, params }) => {
      const turns = await (await context.store()).listTurns(user.userId, params["conversationId"]!);
      return longJson({
        turns: turns.map((turn) => ({
          ...describeTurn(turn),
          steps: turn.receipt?.["steps"] ?? [],
        })),
      });
    },
  }),
];

const asQuestion = (words: string): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text: words }],
});
