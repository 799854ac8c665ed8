import { findProvider, isMullError, MullError, providers, type Provider } from "mull";
import { empty, json } from "../http/respond.ts";
import { badRequest, choice, object, text, type Shape } from "../http/shape.ts";
import { userRoute, type Route, type UserCall } from "./route.ts";

const key: Shape<string> = {
  read: (value, field) => {
    const given = typeof value === "string" ? value.trim() : "";
    // The error doesn't repeat it: it may be a key with a space in it.
    if (!/^[\x21-\x7e]{1,1000}$/.test(given)) throw badRequest(field, "a key: one word");
    return given;
  },
};

/** Whom a key is for: everyone on the server, or one user. */
const owners = choice(["server", "me"]);
const provider = text({ min: 1, max: 40, pattern: /^[\w-]+$/, words: "the id of a provider" });

/** Providers that people have keys for; of those that share a variable, the first. */
const keyed: readonly Provider[] = providers.filter(
  ({ auth, models, keyVariables: [name] }, at) =>
    auth !== "none" &&
    models.length > 0 &&
    providers.findIndex(({ keyVariables }) => keyVariables[0] === name) === at,
);

type AnyCall = Pick<UserCall<unknown, unknown>, "context" | "user" | "request" | "url" | "address">;

const runsServer = ({ context, user, ...arrival }: AnyCall): boolean =>
  context.parts.serverKeys !== undefined && context.owner.runsServer(user.userId, arrival);

export const keyRoutes: readonly Route[] = [
  userRoute({
    method: "GET",
    path: "/api/keys",
    summary: "Which providers have a key, and whether you may enter one. Never a key.",
    handle: async (call) => {
      const { context, user } = call;
      const { serverKeys } = context.parts;
      const own = new Set((await context.userKeys.list(user.userId)).map(({ id }) => id));
      return json({
        mayChangeServer: runsServer(call),
        mayKeepOwn: context.userKeys.isOn,
        providers: keyed.map((each) => ({
          id: each.id,
          name: each.name,
          variables: each.keyVariables,
          server: serverKeys?.sourceOf(each) ?? null,
          own: own.has(each.id),
          takesOwn: context.userKeys.takes(each),
        })),
      });
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/keys",
    summary:
      "Stores a key: for the `server`, by the person who runs it, or for `me`, if MULL_USER_KEYS allows it.",
    body: object({ provider, key, for: owners }),
    handle: async ({ body, ...call }) => {
      const found = findKeyed(body.provider);
      const { context, user } = call;
      if (body.for === "server") await serverKeysFor(call).store(found, body.key);
      else if (context.userKeys.takes(found)) {
        await context.userKeys.store(user.userId, found, body.key);
      } else throw notAllowed();
      return empty(204);
    },
  }),
  userRoute({
    method: "DELETE",
    path: "/api/keys/:provider",
    summary: "Removes a key that was stored this way.",
    query: object({ for: owners }),
    handle: async ({ query, params, ...call }) => {
      const found = findKeyed(params["provider"]!);
      const { context, user } = call;
      if (query.for === "server") await serverKeysFor(call).remove(found);
      else await context.userKeys.remove(user.userId, found);
      return empty(204);
    },
  }),
];

function findKeyed(id: string): Provider {
  try {
    const found = findProvider(id);
    if (keyed.includes(found)) return found;
  } catch (error) {
    if (!isMullError(error)) throw error;
  }
  throw badRequest("provider", `one of ${keyed.map((each) => each.id).join(" ")}`);
}

function serverKeysFor(call: AnyCall): NonNullable<AnyCall["context"]["parts"]["serverKeys"]> {
  const { serverKeys } = call.context.parts;
  if (serverKeys === undefined || !runsServer(call)) throw notAllowed();
  return serverKeys;
}

const notAllowed = (): MullError =>
  new MullError("You cannot enter this key here.", {
    category: "permission",
    status: 403,
    code: "no_keys_here",
    fix: "Ask the person who runs this server. That person can use mull keys set.",
  });
