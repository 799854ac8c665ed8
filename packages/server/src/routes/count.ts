import { countTokens } from "mull";
import { conversationIdFor, readQuestion } from "../conversations/read-send.ts";
import { wholeSystem } from "../conversations/own-system.ts";
import { readableMessages } from "../conversations/problems.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { json } from "../http/respond.ts";
import { anyObject, object, optional } from "../http/shape.ts";
import { id, level, model } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

export const countRoutes: readonly Route[] = [
  userRoute({
    method: "POST",
    path: "/api/count",
    summary:
      "How many tokens a question takes with all that is sent before it, and who counted: the service, or an estimate and why. Nothing is asked.",
    body: object({
      conversationId: optional(id),
      message: anyObject,
      model: optional(model),
      level: optional(level),
    }),
    handle: async ({ context, user: { userId }, body, request }) => {
      const question = readQuestion(body.message);
      const store = await context.store();
      const from =
        body.conversationId === undefined
          ? undefined
          : await store.getConversation(userId, conversationIdFor(userId, body.conversationId));
      const branch = from === undefined ? [] : (await readBranch(store, userId, from)).branch;
      const maker = await context.makerFor(userId);
      const { target, level: at, isSimulated } = maker.choose(body, from?.info ?? {});
      const { isSimulated: _, hasKey: __, ...connection } = maker.upstream(target.provider);
      const system = wholeSystem(maker.system, from?.info ?? {});
      const tools = context.tools();
      const count = await countTokens(
        { ...target, level: at },
        {
          messages: [...(await maker.comply(readableMessages(branch))), question],
          ...(tools.length > 0 && { tools: tools.map(({ spec }) => spec) }),
          ...(system !== undefined && { system }),
        },
        { ...connection, simulated: isSimulated, signal: request.signal },
      );
      return json({ ...count });
    },
  }),
];
