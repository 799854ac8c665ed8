import { isMullError, type JsonObject, type MullError } from "mull";
import type { Conversation, Store } from "@mull/store";
import { describeConversation } from "../conversations/view.ts";
import { conversationIdFor, readQuestion, titleOf } from "../conversations/read-send.ts";
import { ownSystem } from "../conversations/own-system.ts";
import { json } from "../http/respond.ts";
import { anyObject, badRequest, list, object, optional } from "../http/shape.ts";
import { ask } from "../turns/ask.ts";
import { id, level, model } from "./fields.ts";
import { userRoute, type Route, type UserCall } from "./route.ts";

const [fewest, most] = [2, 4];
const choices = list(object({ model, level: optional(level) }), most);

interface AskSeveral {
  readonly store: Store;
  /** The conversation that the question continues; absent: it is the first question. */
  readonly from: Conversation | undefined;
  readonly question: ReturnType<typeof readQuestion>;
}

/** One question to several models, each in a conversation of its own. */
export const compareRoutes: readonly Route[] = [
  userRoute({
    method: "POST",
    path: "/api/compare",
    summary:
      "Asks 2 to 4 models or levels the same question, each in a conversation of its own that begins like `conversationId`. Read each by its stream; delete those that you don't keep.",
    body: object({ conversationId: optional(id), message: anyObject, choices }),
    handle: async (call) => {
      const { context, user, body } = call;
      if (body.choices.length < fewest) throw badRequest("choices", `${fewest} to ${most} choices`);
      const question = readQuestion(body.message);
      // Refuse before anything is created, not when the third model is asked.
      for (const choice of body.choices) context.maker.choose(choice);
      const store = await context.store();
      const from =
        body.conversationId === undefined
          ? undefined
          : await store.getConversation(
              user.userId,
              conversationIdFor(user.userId, body.conversationId),
            );
      const columns: JsonObject[] = [];
      const refusals: MullError[] = [];
      // One after the other, so that limits count the earlier ones.
      for (const choice of body.choices) {
        try {
          columns.push(await askOne(call, { store, from, question }, choice));
        } catch (error) {
          if (!isMullError(error)) throw error;
          refusals.push(error);
          columns.push({ ...choice, refused: context.scrub(error.message) });
        }
      }
      const [first] = refusals;
      if (first !== undefined && refusals.length === columns.length) throw first;
      return json({ columns }, 201);
    },
  }),
];

async function askOne(
  { context, user: { userId } }: UserCall<unknown, unknown>,
  { store, from, question }: AskSeveral,
  choice: { readonly model: string; readonly level?: string },
): Promise<JsonObject> {
  const { model: ref, level: at, target } = context.maker.choose(choice);
  // In a narrow list only the beginning of a title is seen, and their questions are the same.
  const title = `${at} ${target.model.id} · ${titleOf([question])}`;
  const info = { model: ref, level: at };
  const made =
    from === undefined
      ? await store.createConversation(userId, { title, info })
      : await store.forkConversation(userId, from.id, {
          title,
          info: { ...info, system: ownSystem(from.info) ?? "", forkOf: from.id },
        });
  try {
    const turn = await ask(context, {
      userId,
      conversationId: made.id,
      kind: "new",
      question,
      ...info,
    });
    return { conversation: describeConversation(made), turnId: turn.id };
  } catch (error) {
    await store.deleteConversation(userId, made.id);
    throw error;
  }
}
