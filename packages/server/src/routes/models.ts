import { describePlan, levels, planThinking } from "mull";
import { estimateInstructions } from "../conversations/estimate-instructions.ts";
import { json } from "../http/respond.ts";
import { flag, object, optional, whole } from "../http/shape.ts";
import { listModels, recommendModels } from "../models/list-models.ts";
import { level, model } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

const dayMs = 24 * 60 * 60_000;

export const modelRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/models",
    summary:
      "Models by vendor, with key or simulated, price, window, status and successor; what is sent along with every question.",
    handle: async ({ context, user }) => {
      const maker = await context.makerFor(user.userId);
      const { model: ref, level: at } = maker.choose({});
      return json({
        default: { model: ref, level: at },
        levels,
        recommended: recommendModels(maker.upstream),
        providers: listModels(maker.upstream),
        instructions: estimateInstructions(maker.system, context.tools()),
        tools: context.tools().map(({ spec }) => ({
          name: spec.name,
          description: spec.description,
        })),
      });
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/plan",
    summary: "What a level means on a model, before anything is sent.",
    query: object({
      model,
      level: optional(level),
      budget: optional(whole(0, 1_000_000)),
      room: optional(whole(1, 1_000_000)),
      show: optional(flag),
    }),
    handle: async ({ context, user, query }) => {
      const maker = await context.makerFor(user.userId);
      const { target, level: at, model: ref, isSimulated } = maker.choose(query);
      const plan = planThinking({
        model: target.model,
        level: at,
        hasTools: context.tools().length > 0,
        ...(query.budget !== undefined && { thinkingBudget: query.budget }),
        ...(query.room !== undefined && { maxOutputTokens: query.room }),
        ...(query.show !== undefined && { showThinking: query.show }),
      });
      return json({ model: ref, simulated: isSimulated, plan, words: describePlan(plan) });
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/usage",
    summary:
      "What you used since a time (24 hours by default), and your limits. `minutesEast` of Greenwich adds `rows`: the same by day, model and level.",
    query: object({
      since: optional(whole(0, 8_640_000_000_000_000)),
      minutesEast: optional(whole(-840, 840)),
    }),
    handle: async ({ context, user, query }) => {
      const { limits, now } = context;
      const since = query.since ?? now() - dayMs;
      const store = await context.store();
      const spending = await store.sumSpending(user.userId, since);
      const { minutesEast } = query;
      const rows =
        minutesEast === undefined
          ? undefined
          : await store.listSpending(user.userId, since, minutesEast);
      const { tokensPerDay, dollarsPerDay, turnsPerUser } = limits;
      const answer = { since, ...spending, limits: { tokensPerDay, dollarsPerDay, turnsPerUser } };
      return json({ ...answer, ...(rows !== undefined && { rows }) });
    },
  }),
];
