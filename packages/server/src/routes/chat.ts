import { isMullError, type JsonObject, type UserMessage } from "mull";
import {
  conversationIdFor,
  openConversation,
  readQuestion,
  titleOf,
} from "../conversations/read-send.ts";
import type { ServerContext } from "../context.ts";
import { streamChunks, streamTurn, type Answer } from "../http/answer.ts";
import { empty, json } from "../http/respond.ts";
import {
  anyObject,
  anything,
  badRequest,
  choice,
  flag,
  list,
  nullable,
  object,
  optional,
  text,
  whole,
} from "../http/shape.ts";
import { decisionsIn, type CallDecision, type UIPart } from "@mull/ui-messages";
import { isJsonObject } from "mull/wire";
import { ask, type Ask } from "../turns/ask.ts";
import { decide } from "../turns/decide.ts";
import { messageIdOf } from "../turns/turn-chain.ts";
import type { WaitingCalls } from "../conversations/waiting-calls.ts";
import { describeTurn } from "../turns/turn-chunks.ts";
import { id, level, model, ownOf } from "./fields.ts";
import { userRoute, type Route, type UserCall } from "./route.ts";

const clientId = text({ min: 1, max: 200 });
const longestReason = 2000;
const mostCalls = 200;
const choiceFields = {
  model: optional(model),
  level: optional(level),
  expectedHead: optional(nullable(id)),
};

export const chatRoutes: readonly Route[] = [
  userRoute({
    method: "POST",
    path: "/api/chat",
    summary:
      "Asks. The body is what `useChat` sends; only the last message counts, the rest is in the store. Answers with the UI message stream.",
    body: object({
      id: clientId,
      messages: optional(list(anyObject, 100_000)),
      message: optional(anyObject),
      trigger: optional(choice(["submit-message", "regenerate-message"])),
      messageId: optional(clientId),
      metadata: optional(anything),
      ...choiceFields,
    }),
    handle: async (call) => {
      const { context, user, body } = call;
      const conversationId = conversationIdFor(user.userId, body.id);
      const given = body.message ?? body.messages?.at(-1);
      const isAgain = body.trigger === "regenerate-message";
      if (given === undefined && !isAgain) throw badRequest("messages", "at least one message");
      if (!isAgain && given?.["role"] === "assistant") {
        return goOnDecided(call, conversationId, readDecisions(given));
      }
      const question = isAgain || given === undefined ? undefined : readQuestion(given);
      if (question === undefined) {
        return begin(call, conversationId, { kind: "again", ...named(body.messageId) });
      }
      const conversation = await openConversation(
        await context.store(),
        user.userId,
        body.id,
        () => describeFirst(context, body, question),
        // An edited first question comes alone, too.
        body.messages?.length === 1 && body.messageId === undefined,
      );
      return begin(call, conversationId, {
        kind: body.messageId === undefined ? "new" : "edit",
        conversation,
        question,
        ...named(body.messageId),
        ...(typeof given?.["id"] === "string" && { clientMessageId: given["id"].slice(0, 200) }),
      });
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/chat/:conversationId/stream",
    summary:
      "Continues reading the running turn: from the start, or after the number in `after` or `Last-Event-ID`. 204 if no turn runs and no number is given.",
    query: object({ after: optional(whole(0, Number.MAX_SAFE_INTEGER)), turn: optional(id) }),
    handle: async (call) => {
      const { context, user, params, query, request, url } = call;
      const store = await context.store();
      const conversationId = params["conversationId"]!;
      const isNamedByClient = !url.pathname.includes(conversationId);
      try {
        await store.getConversation(user.userId, conversationId);
      } catch (error) {
        // A client asks for the stream of the name it made up before it has sent a question.
        if (isNamedByClient && isMullError(error) && error.category === "not_found") return empty();
        throw error;
      }
      const after = query.after ?? readNumber(request.headers.get("last-event-id"));
      const turn =
        query.turn === undefined
          ? ((await store.findRunningTurn(user.userId, conversationId)) ??
            (after === undefined
              ? undefined
              : (await store.listTurns(user.userId, conversationId, { isBrief: true })).at(-1)))
          : await store.getTurn(user.userId, query.turn);
      if (turn === undefined || turn.conversationId !== conversationId) return empty(204);
      return streamTurn(
        context,
        user.session,
        turn,
        await context.turns.read(user.userId, turn, after ?? 0),
      );
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/stop",
    summary: "Stops the running turn and keeps the partial answer. Fine if nothing runs.",
    handle: async (call) => {
      const { conversationId } = await ownOf(call);
      const turn = await call.context.turns.stop(call.user.userId, conversationId);
      return json({ turn: turn === undefined ? null : describeTurn(turn) });
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/retry",
    summary:
      "Answers a question again, the last one unless `messageId` names another; a new branch. `room`: most tokens of an answer; `plain`: without earlier thoughts; `fix`: the rules repair what they refuse; if that is refused, too, it goes out plain.",
    body: object({
      messageId: optional(clientId),
      room: optional(whole(1, 1_000_000)),
      plain: optional(flag),
      fix: optional(flag),
      ...choiceFields,
    }),
    handle: (call) => {
      const { messageId, room, plain, fix } = call.body;
      return begin(call, call.params["conversationId"]!, {
        kind: "again",
        ...named(messageId),
        ...(room !== undefined && { room }),
        ...(plain !== undefined && { plain }),
        ...(fix !== undefined && { fix }),
      });
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/edit",
    summary: "Asks another question in place of one; a new branch.",
    body: object({ messageId: clientId, message: anyObject, ...choiceFields }),
    handle: (call) =>
      begin(call, call.params["conversationId"]!, {
        kind: "edit",
        messageId: call.body.messageId,
        question: readQuestion(call.body.message),
      }),
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/continue",
    summary: "Continues after a turn that was interrupted, stopped or cut.",
    body: object(choiceFields),
    handle: (call) => begin(call, call.params["conversationId"]!, { kind: "new", question: goOn }),
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/decide",
    summary:
      "Decides whether waiting calls run, with a reason if not. Continues the turn once each is decided, from any process and at any time; until then, the answer's stream ends with the requests that are left.",
    body: object({
      decisions: list(
        object({ callId: clientId, run: flag, reason: optional(text({ max: longestReason })) }),
        mostCalls,
      ),
      model: optional(model),
      level: optional(level),
    }),
    handle: (call) =>
      goOnDecided(
        call,
        call.params["conversationId"]!,
        call.body.decisions.map(({ callId, run, reason = "" }) => ({
          callId,
          decision: run ? "run" : { refuse: reason },
        })),
      ),
  }),
  userRoute({
    method: "POST",
    path: "/api/chat/:conversationId/use",
    summary:
      "Hands the running turn to another model at its next step; `answering` names the model that finishes this one.",
    body: object({ model, level: optional(level) }),
    handle: async (call) => {
      const { context, user, body } = call;
      const { store, conversationId, conversation } = await ownOf(call);
      const {
        target,
        isSimulated,
        model: ref,
        level: at,
      } = (await context.makerFor(user.userId)).choose(body, conversation.info);
      await store.updateConversation(user.userId, conversationId, {
        info: { model: ref, level: at },
      });
      const running = await store.findRunningTurn(user.userId, conversationId);
      const local = running && context.turns.findLocal(running.id);
      local?.use({ model: { ...target, level: at }, level: at });
      const answering = local?.answering();
      return json({
        model: ref,
        level: at,
        simulated: isSimulated,
        tookOver: local !== undefined,
        ...(answering !== undefined && { answering }),
      });
    },
  }),
];

const goOn: UserMessage = {
  role: "user",
  parts: [{ type: "text", text: "Go on where you stopped." }],
};

/** What `useChat` sends once the person has decided every waiting call. */
function readDecisions(message: Readonly<Record<string, unknown>>): readonly CallDecision[] {
  const { parts } = message;
  if (!Array.isArray(parts)) throw badRequest("message.parts", "a list of parts");
  const known = parts.filter(
    (part: unknown) => isJsonObject(part) && typeof part["type"] === "string",
  );
  const found = decisionsIn([{ id: "", role: "assistant", parts: known as readonly UIPart[] }]);
  if (found.length === 0) throw badRequest("message.role", "user; or assistant, with approvals");
  return found.map(({ callId, decision }, index) => ({
    callId: clientId.read(callId, `message.parts[${index}].toolCallId`),
    decision:
      decision !== "run" && "refuse" in decision
        ? { refuse: decision.refuse.slice(0, longestReason) }
        : "run",
  }));
}

/** The settings a conversation is created with, so that its first turn needn't change it. */
const describeFirst = (
  { maker }: ServerContext,
  wish: { readonly model?: string; readonly level?: string },
  question: UserMessage,
): { readonly title: string; readonly info: JsonObject } => {
  const { model: chosen, level: at } = maker.choose(wish);
  return { title: titleOf([question]), info: { model: chosen, level: at } };
};

const named = (messageId: string | undefined): { readonly messageId?: string } =>
  messageId === undefined ? {} : { messageId };

const readNumber = (spelled: string | null): number | undefined =>
  spelled !== null && /^\d{1,15}$/.test(spelled) ? Number(spelled) : undefined;

type ChoiceCall = UserCall<
  { readonly model?: string; readonly level?: string; readonly expectedHead?: string | null },
  unknown
>;

function readKey(request: ChoiceCall["request"]): { readonly idempotencyKey?: string } {
  const key = request.headers.get("idempotency-key");
  if (key === null) return {};
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw badRequest("Idempotency-Key", "1 to 200 printable characters");
  }
  return { idempotencyKey: key };
}

async function goOnDecided(
  { context, user, body, request }: Pick<ChoiceCall, "context" | "user" | "body" | "request">,
  conversationId: string,
  decisions: readonly CallDecision[],
): Promise<Answer> {
  const { model: wanted, level: at } = body;
  const decided = await decide(context, {
    userId: user.userId,
    conversationId,
    decisions,
    ...readKey(request),
    ...(wanted !== undefined && { model: wanted }),
    ...(at !== undefined && { level: at }),
  });
  if ("calls" in decided) return stillWaiting(decided);
  const from = await context.turns.read(user.userId, decided, 0);
  return streamTurn(context, user.session, decided, from);
}

/** Ends like the turn that made the calls, so that `useChat` goes on waiting. */
const stillWaiting = ({ turn, calls }: WaitingCalls): Answer =>
  streamChunks([
    { type: "start", messageId: messageIdOf(turn) },
    ...calls.map(({ id: callId }) => ({
      type: "tool-approval-request",
      approvalId: callId,
      toolCallId: callId,
    })),
    { type: "finish", finishReason: "tool-calls" },
  ]);

async function begin(
  call: ChoiceCall,
  conversationId: string,
  given: Pick<
    Ask,
    | "conversation"
    | "kind"
    | "question"
    | "messageId"
    | "clientMessageId"
    | "room"
    | "plain"
    | "fix"
  >,
): Promise<Answer> {
  const { context, user, body, request } = call;
  const { model: wanted, level: at, expectedHead } = body;
  const turn = await ask(context, {
    userId: user.userId,
    conversationId,
    ...given,
    ...(wanted !== undefined && { model: wanted }),
    ...(at !== undefined && { level: at }),
    ...(expectedHead !== undefined && { expectedHead }),
    ...readKey(request),
  });
  return streamTurn(context, user.session, turn, await context.turns.read(user.userId, turn, 0));
}
