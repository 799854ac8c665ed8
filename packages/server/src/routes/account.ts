import { isMullError, MullError } from "mull";
import type { OpenedHere, SignInPlace } from "../accounts/accounts.ts";
import type { Opened } from "../accounts/auth.ts";
import { isCommonPassword } from "../accounts/common-passwords.ts";
import { passwordLength } from "../accounts/password.ts";
import { linkNeeded } from "../http/refusals.ts";
import { empty, json } from "../http/respond.ts";
import { badRequest, object, optional, text, type Shape } from "../http/shape.ts";
import { publicRoute, userRoute, type Route, type RouteCall } from "./route.ts";

const written = text({
  min: 1,
  max: 100,
  pattern: /^(?=.*\S)[\P{Cc}]+$/u,
  words: "a name or e-mail address of 1 to 100 characters",
});
/**
 * Phone keyboards add a space after a word, and systems spell one letter in two ways. Neither makes
 * another name.
 */
const anyName: Shape<string> = {
  read: (value, field) => written.read(value, field).trim().normalize("NFC"),
};
const withoutUnseen = (given: string): string =>
  given.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
/** Some characters are invisible: `an\u200Bn` must not become a second `ann`. */
const newName: Shape<string> = {
  read: (value, field) => anyName.read(withoutUnseen(anyName.read(value, field)), field),
};
const newPassword = text(passwordLength);

/** A new password that isn't among the first guesses. */
const checkNew = (called: string, given: string): void => {
  if (isCommonPassword(given, called)) throw badRequest("password", "one that is harder to guess");
};
const password = text({ max: passwordLength.max });
const link = text({ min: 1, max: 200 });

const answer = (
  { userId, name: called, setCookie, setDevice }: Opened & Partial<OpenedHere>,
  status = 200,
): Response => {
  const response = json({ userId, name: called }, status, { "set-cookie": setCookie });
  if (setDevice !== undefined) response.headers.append("set-cookie", setDevice);
  return response;
};

const placeOf = ({
  request,
  address,
}: Pick<RouteCall<never, never>, "request" | "address">): SignInPlace => ({
  address,
  cookies: request.headers.get("cookie"),
});

export const accountRoutes: readonly Route[] = [
  publicRoute({
    method: "POST",
    path: "/api/account/sign-up",
    summary: "Makes an account and signs in.",
    body: object({ name: newName, password: newPassword, link: optional(link) }),
    handle: async ({ context, body, ...call }) => {
      const { accounts, owner, parts } = context;
      // The operator has the link, and would lose what they said before there were accounts.
      if (parts.isClosed && body.link === undefined) throw closed();
      checkNew(body.name, body.password);
      const from = placeOf(call);
      if (body.link !== undefined) {
        return answer(await owner.claimByLink(body.link, body, from), 201);
      }
      // Otherwise anybody could be first, and get the conversations of the person before them.
      if ((await owner.use()) !== "accounts") throw linkNeeded();
      return answer(await accounts.signUp(body.name, body.password, from), 201);
    },
  }),
  publicRoute({
    method: "POST",
    path: "/api/account/enter",
    summary: "Opens the session of the one person of a server without accounts, with its link.",
    body: object({ link }),
    handle: async ({ context, body, ...call }) =>
      answer(await context.owner.enter(body.link, call)),
  }),
  userRoute({
    method: "POST",
    path: "/api/account/claim",
    summary: "Turns a session without an account into the first account; everything stays with it.",
    body: object({ name: newName, password: newPassword }),
    handle: async ({ context, user, body, ...call }) => {
      checkNew(body.name, body.password);
      return answer(await context.owner.claim(user.userId, body, placeOf(call)), 201);
    },
  }),
  publicRoute({
    method: "POST",
    path: "/api/account/sign-in",
    summary: "Signs in; the session is in the cookie.",
    body: object({ name: anyName, password }),
    handle: async ({ context, body, ...call }) => {
      const { name, password: given } = body;
      const from = placeOf(call);
      const seen = withoutUnseen(name);
      // Accounts created before this rule keep their names.
      const opened = await context.accounts.signIn(seen, given, from).catch((error: unknown) => {
        if (seen === name || !isMullError(error) || error.code !== "wrong_password") throw error;
        return context.accounts.signIn(name, given, from);
      });
      return answer(opened);
    },
  }),
  userRoute({
    method: "POST",
    path: "/api/account/sign-out",
    summary: "Ends this session.",
    handle: async ({ context, user }) =>
      empty(204, { "set-cookie": await context.accounts.signOut(user) }),
  }),
  userRoute({
    method: "POST",
    path: "/api/account/password",
    summary: "Changes the password and ends every other session.",
    body: object({ current: password, next: newPassword }),
    handle: async ({ context, user, body }) => {
      checkNew(user.name, body.next);
      return answer(await context.accounts.changePassword(user, body.current, body.next));
    },
  }),
  userRoute({
    method: "GET",
    path: "/api/account",
    summary: "The account that is signed in.",
    handle: async ({ context, user }) => {
      const account = await (await context.store()).getAccount(user.userId);
      const { userId, name, createdAt, passwordHash } = account;
      return json({ userId, name, createdAt, hasPassword: passwordHash !== "" });
    },
  }),
];

const closed = (): MullError =>
  new MullError("Sign-up is closed. Ask the person who runs this server.", {
    category: "permission",
    status: 403,
    code: "closed",
  });
