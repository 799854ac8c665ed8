import type { JsonObject } from "mull";
import { json } from "../http/respond.ts";
import { choice, list, object, optional } from "../http/shape.ts";
import { id, level, model } from "./fields.ts";
import { userRoute, type Route } from "./route.ts";

/** What a page may store for its user, and the allowed values. None of it reaches a model. */
export const preferenceWords = {
  theme: ["system", "light", "dark"],
  thinking: ["peek", "full", "hide"],
  speech: ["end", "paragraphs", "none"],
} as const;

const fields = {
  theme: optional(choice(preferenceWords.theme)),
  thinking: optional(choice(preferenceWords.thinking)),
  speech: optional(choice(preferenceWords.speech)),
  model: optional(model),
  level: optional(level),
  /** Conversations pinned to the top of the list. */
  pinned: optional(list(id, 100)),
};

export const preferenceRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/preferences",
    summary: "What you chose for every conversation. A field that is absent was never chosen.",
    handle: async ({ context, user }) => {
      const kept = await (await context.store()).getPreferences(user.userId);
      return json(readKept(kept));
    },
  }),
  userRoute({
    method: "PATCH",
    path: "/api/preferences",
    summary:
      "Changes the fields that are given; the others stay, so that two devices do not undo each other's choices.",
    body: object(fields),
    handle: async ({ context, user, body }) => {
      const ref = body.model === undefined ? {} : { model: context.maker.choose(body).model };
      const store = await context.store();
      return json(readKept(await store.changePreferences(user.userId, { ...body, ...ref })));
    },
  }),
];

/** Settings from another release that this one doesn't know are left out, not refused. */
function readKept(kept: JsonObject): JsonObject {
  const read = Object.entries(fields).flatMap(([name, shape]) => {
    try {
      return name in kept ? [[name, shape.read(kept[name], name)]] : [];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(read) as JsonObject;
}
