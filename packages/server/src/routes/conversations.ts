import { History, type JsonObject, type UserMessage } from "mull";
import type { Conversation } from "@mull/store";
import {
  dispositionFor,
  exportHistory,
  exportMarkdown,
  exportRaw,
} from "../conversations/export.ts";
import { historyBefore } from "../conversations/history-before.ts";
import { readImport, readRaw } from "../conversations/import.ts";
import { inspect } from "../conversations/inspect.ts";
import { describeTurn } from "../turns/turn-chunks.ts";
import { offersFor, readableMessages } from "../conversations/problems.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { titleOf } from "../conversations/open-conversation.ts";
import { describeConversation, viewBranch } from "../conversations/view.ts";
import { longJson } from "../http/long-json.ts";
import { empty, json } from "../http/respond.ts";
import {
  anyObject,
  anything,
  choice,
  flag,
  list,
  nullable,
  object,
  optional,
  text,
  whole,
} from "../http/shape.ts";
import { findMessageId } from "../turns/ask.ts";
import { id, level, model, title } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

const latest = 8_640_000_000_000_000;

/** As an export wrote them. */
const importFields = {
  history: optional(anyObject),
  messages: optional(list(anyObject, 100_000)),
  title: optional(title),
  model: optional(model),
  level: optional(level),
  createdAt: optional(whole(0, latest)),
  problems: optional(list(anything, 100_000)),
};

export const conversationRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/conversations",
    summary:
      "Conversations, latest change first; `before` and `beforeId` of the last one read list those behind it; `search` looks at what people read.",
    query: object({
      search: optional(text({ max: 200 })),
      everything: optional(flag),
      before: optional(whole(0, latest)),
      beforeId: optional(id),
      limit: optional(whole(1, 200)),
    }),
    handle: async ({ context, user, query }) => {
      const found = await (await context.store()).listConversations(user.userId, query);
      return json({ conversations: found.map(describeConversation) });
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/conversations",
    summary: "A new conversation.",
    body: object({ title: optional(title), model: optional(model), level: optional(level) }),
    handle: async ({ context, user, body }) => {
      const made = await (
        await context.store()
      ).createConversation(user.userId, { title: body.title ?? "", info: chosen(context, body) });
      return json(describeConversation(made), 201);
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/conversations/import",
    summary:
      "A conversation from what `export` wrote, all branches, or from UI messages; says what a model would refuse.",
    body: object({
      ...importFields,
      // As `export?format=raw` wrote it; what turns took was counted when they ran.
      conversation: optional(anyObject),
      turns: optional(anything),
    }),
    handle: async ({ context, user, body }) => {
      const { conversation: raw, turns: _, ...plain } = body;
      const given =
        raw === undefined
          ? plain
          : object(importFields).read(readRaw(raw, plain.messages ?? []), "");
      const imported = readImport(given);
      const { messages } = imported.history;
      const store = await context.store();
      const conversation = await store.importConversation(user.userId, {
        title: given.title || titleOf(messages),
        info: chosen(context, given),
        ...(given.createdAt !== undefined && { createdAt: given.createdAt }),
        history: imported.history,
        times: imported.times,
      });
      const { lint } = await inspect(context.maker, context.maker.choose(given), messages, []);
      return json(
        { conversation: describeConversation(conversation), notes: imported.notes, lint },
        201,
      );
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId",
    summary: "One conversation, its model and its head.",
    handle: async ({ context, user, params }) => {
      const store = await context.store();
      return json(
        describeConversation(await store.getConversation(user.userId, params["conversationId"]!)),
      );
    },
  }),
  userRoute({
    method: "PATCH",
    path: "/api/conversations/:conversationId",
    summary: "Renames it, chooses model and level, or moves its head to another branch.",
    body: object({
      title: optional(title),
      model: optional(model),
      level: optional(level),
      head: optional(nullable(id)),
    }),
    handle: async ({ context, user, params, body }) => {
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      // Whose it is comes before what is asked of it.
      await store.getConversation(user.userId, conversationId);
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
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/messages",
    summary:
      "UI messages of the branch that ends at the head, or at `at`; other branches; the running turn, whose answer comes by its stream.",
    query: object({ at: optional(id) }),
    handle: async ({ context, user, params, query }) => {
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      const conversation = await store.getConversation(user.userId, conversationId);
      const [{ all, branch, problems }, turns] = await Promise.all([
        readBranch(store, user.userId, conversation, query.at),
        store.listTurns(user.userId, conversationId),
      ]);
      const running = turns.find((turn) => turn.state === "running");
      return longJson({
        conversation: describeConversation(conversation),
        ...(await viewBranch(all, branch, turns)),
        running: running === undefined ? null : describeTurn(running),
        ...(problems.length > 0 && { problems, offers: offersFor(conversationId) }),
      });
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/export",
    summary:
      "The conversation as JSON (a History, all branches), as Markdown (what people read), or raw (everything as it is stored).",
    query: object({ format: optional(choice(["json", "markdown", "raw"])) }),
    handle: async ({ context, user, params, query }) => {
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      const conversation = await store.getConversation(user.userId, conversationId);
      const { all, branch } = await readBranch(store, user.userId, conversation);
      if (query.format === "markdown") {
        const messages = readableMessages(branch);
        const written = exportMarkdown(conversation.title, messages);
        return new Response(written, { headers: downloadHead(conversation, "md") });
      }
      const exported =
        query.format === "raw"
          ? exportRaw(conversation, all, await store.listTurns(user.userId, conversationId))
          : exportHistory(conversation, all);
      return longJson(exported, downloadHead(conversation, "json"));
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/conversations/:conversationId/fork",
    summary:
      "A new conversation that begins with this one up to a message, with the receipts of its answers; `readable`: only with what can be read.",
    body: object({ messageId: optional(id), title: optional(title), readable: optional(flag) }),
    handle: async ({ context, user, params, body }) => {
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      const from = await store.getConversation(user.userId, conversationId);
      const end =
        body.messageId === undefined
          ? undefined
          : await findMessageId(store, user.userId, conversationId, body.messageId, "last");
      const { model: chosenModel, level: chosenLevel } = from.info;
      const given = {
        title: body.title ?? `${from.title} (fork)`.slice(0, 300),
        info: { model: chosenModel, level: chosenLevel, forkOf: conversationId },
      };
      if (body.readable === true) {
        const { branch } = await readBranch(store, user.userId, from, end);
        const history = History.from(readableMessages(branch));
        const made = await store.importConversation(user.userId, { ...given, history });
        return json(describeConversation(made), 201);
      }
      const made = await store.forkConversation(user.userId, conversationId, {
        ...given,
        ...(end !== undefined && { messageId: end }),
      });
      return json(describeConversation(made), 201);
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
    handle: async ({ context, user, params, query }) => {
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      const conversation = await store.getConversation(user.userId, conversationId);
      const { info } = conversation;
      const end =
        query.at && (await findMessageId(store, user.userId, conversationId, query.at, "last"));
      const branch =
        query.before === undefined
          ? (await readBranch(store, user.userId, conversation, end)).branch
          : await historyBefore(store, user.userId, conversationId, query.before, query.step ?? 1);
      const chosenTarget = context.maker.choose(query, info);
      const messages = [
        ...readableMessages(branch),
        ...(query.question === undefined ? [] : [asQuestion(query.question)]),
      ];
      const tools = context.parts.tools ?? [];
      return longJson(await inspect(context.maker, chosenTarget, messages, tools));
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

type Context = Parameters<Route["handle"]>[0]["context"];

/** A choice is checked when it is made, not when it is used. */
function chosen(
  { maker }: Context,
  wish: { readonly model?: string; readonly level?: string },
): JsonObject {
  if (wish.model === undefined && wish.level === undefined) return {};
  const { model: ref, level: at } = maker.choose(wish);
  return {
    ...(wish.model !== undefined && { model: ref }),
    ...((wish.level !== undefined || wish.model?.includes("/")) && { level: at }),
  };
}

const downloadHead = (
  { title: called }: Conversation,
  ending: "md" | "json",
): Readonly<Record<string, string>> => ({
  "content-type": ending === "md" ? "text/markdown; charset=utf-8" : "application/json",
  "content-disposition": dispositionFor(called, ending),
  "cache-control": "no-store",
});
