import { History, type Message } from "mull";
import type { Conversation } from "@mull/store";
import type { ServerContext } from "../context.ts";
import {
  dispositionFor,
  exportHistory,
  exportMarkdown,
  exportRaw,
} from "../conversations/export.ts";
import { readImport, readRaw } from "../conversations/import.ts";
import { inspect } from "../conversations/inspect.ts";
import { titleOf } from "../conversations/read-send.ts";
import { readableMessages } from "../conversations/problems.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { describeConversation } from "../conversations/view.ts";
import type { Answer } from "../http/answer.ts";
import type { RequestedUrl } from "../http/asked.ts";
import { longJson } from "../http/long-json.ts";
import { json } from "../http/respond.ts";
import {
  anyObject,
  anything,
  choice,
  flag,
  list,
  object,
  optional,
  whole,
  type ReadShape,
} from "../http/shape.ts";
import { takeImport } from "../limits/import-quota.ts";
import { findMessageId } from "../turns/ask.ts";
import { chosen, id, latest, level, model, ownOf, system, title } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

/** As an export writes them. */
const importFields = {
  history: optional(anyObject),
  messages: optional(list(anyObject, 100_000)),
  title: optional(title),
  model: optional(model),
  level: optional(level),
  system: optional(system),
  createdAt: optional(whole(0, latest)),
  problems: optional(list(anything, 100_000)),
};

/** The size that a request declares; one without a length counts as the largest. */
const sizeOf = ({ limits }: ServerContext, { headers }: RequestedUrl): number =>
  Number(headers.get("content-length") ?? limits.bodyBytes);

type ImportBody = ReadShape<typeof importFields> & {
  readonly conversation?: object;
  readonly turns?: unknown;
};

async function importOne(
  context: ServerContext,
  userId: string,
  body: ImportBody,
  bytes: number,
): Promise<Answer> {
  const { conversation: raw, turns: _, ...plain } = body;
  const { loop, limits, maker } = context;
  const store = await context.store();
  await takeImport(store, userId, limits, { files: 1, messages: countIn(plain), bytes });
  await loop.take();
  const given =
    raw === undefined ? plain : object(importFields).read(readRaw(raw, plain.messages ?? []), "");
  const imported = await readImport(given, loop);
  const { messages } = imported.history;
  const conversation = await store.importConversation(userId, {
    title: given.title || titleOf(messages),
    info: chosen(context, given),
    ...(given.createdAt !== undefined && { createdAt: given.createdAt }),
    history: imported.history,
    times: imported.times,
  });
  const checked = latestMessages(messages);
  const { lint } = await inspect(maker, maker.choose(given), checked, [], loop);
  const isPart = checked.length < messages.length;
  const notes = isPart
    ? [...imported.notes, partlyChecked(checked.length, messages.length)]
    : imported.notes;
  return json({ conversation: describeConversation(conversation), notes, lint }, 201);
}

/** A rule looks at all messages at once: at 40,000, one rule would hold others up for a tenth of a second. */
const mostChecked = 2000;

/** The end of a conversation, without the results whose calls are before it. */
function latestMessages(messages: readonly Message[]): readonly Message[] {
  const last = messages.slice(-mostChecked);
  const first = last.findIndex(({ role }) => role !== "tool");
  return last.length < messages.length && first !== -1 ? last.slice(first) : last;
}

const partlyChecked = (checked: number, all: number): string =>
  `Only ${checked.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} messages, the latest, were checked for what a model refuses.`;

/** Either of the two lists. */
const countIn = ({ history, messages }: ImportBody): number => {
  const entries = history?.["entries"];
  return (Array.isArray(entries) ? entries.length : 0) + (messages?.length ?? 0);
};

/** Imports, exports and forks conversations. */
export const copyRoutes: readonly Route[] = [
  userRoute({
    method: "POST",
    path: "/api/conversations/import",
    summary:
      "A conversation from what `export` wrote, all branches, or from UI messages; says what a model would refuse.",
    body: object({
      ...importFields,
      // As `export?format=raw` wrote it. The cost of its turns was counted when they ran.
      conversation: optional(anyObject),
      turns: optional(anything),
    }),
    handle: ({ context, request, user, body }) =>
      context.imports.run(() => importOne(context, user.userId, body, sizeOf(context, request))),
  }),
  userRoute({
    method: "GET",
    path: "/api/conversations/:conversationId/export",
    summary:
      "The conversation as JSON (a History, all branches), as Markdown (what people read), or raw (everything as it is stored).",
    query: object({ format: optional(choice(["json", "markdown", "raw"])) }),
    handle: async (call) => {
      const { user, query } = call;
      const { store, conversationId, conversation } = await ownOf(call);
      const { all, branch } = await readBranch(store, user.userId, conversation);
      if (query.format === "markdown") {
        const turns = await store.listTurns(user.userId, conversationId);
        const written = exportMarkdown(conversation, branch, turns);
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
    handle: async (call) => {
      const { user, body } = call;
      const { store, conversationId, conversation: from } = await ownOf(call);
      const end =
        body.messageId === undefined
          ? undefined
          : await findMessageId(store, user.userId, conversationId, body.messageId, "last");
      const { model: chosenModel, level: chosenLevel, system: own = "" } = from.info;
      const given = {
        title: body.title ?? `${from.title} (fork)`.slice(0, 300),
        info: { model: chosenModel, level: chosenLevel, system: own, forkOf: conversationId },
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
];

const downloadHead = (
  { title: called }: Conversation,
  ending: "md" | "json",
): Readonly<Record<string, string>> => ({
  "content-type": ending === "md" ? "text/markdown; charset=utf-8" : "application/json",
  "content-disposition": dispositionFor(called, ending),
  "cache-control": "no-store",
});
