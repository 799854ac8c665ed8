import { MullError } from "mull";
import type { Opened } from "../accounts/auth.ts";
import { passwordLength } from "../accounts/password.ts";
import { empty, json } from "../http/respond.ts";
import { object, text, type Shape } from "../http/shape.ts";
import { publicRoute, userRoute, type Route } from "./route.ts";

const written = text({
  min: 1,
  max: 100,
  pattern: /^(?=.*\S)[\P{Cc}]+$/u,
  words: "a name or e-mail address of 1 to 100 characters",
});
/**
 * Keyboards of phones put a space behind a word, and systems spell one letter in two ways: neither
 * makes another name, for whoever signs in or whoever would look like somebody else.
 */
const name: Shape<string> = {
  read: (value, field) => written.read(value, field).trim().normalize("NFC"),
};
const newPassword = text(passwordLength);
const password = text({ max: passwordLength.max });

const answer = ({ userId, name: called, setCookie }: Opened, status = 200): Response =>
  json({ userId, name: called }, status, { "set-cookie": setCookie });

export const accountRoutes: readonly Route[] = [
  publicRoute({
    method: "POST",
    path: "/api/account/sign-up",
    summary: "Makes an account and signs in.",
    body: object({ name, password: newPassword }),
    handle: async ({ context, body, address }) => {
      if (context.parts.isClosed) throw closed();
      return answer(await context.accounts.signUp(body.name, body.password, address), 201);
    },
  }),
  publicRoute({
    method: "POST",
    path: "/api/account/sign-in",
    summary: "Signs in; the session is in the cookie.",
    body: object({ name, password }),
    handle: async ({ context, body, address }) =>
      answer(await context.accounts.signIn(body.name, body.password, address)),
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
    handle: async ({ context, user, body }) =>
      answer(await context.accounts.changePassword(user, body.current, body.next)),
  }),
  userRoute({
    method: "GET",
    path: "/api/account",
    summary: "Who is signed in.",
    handle: async ({ context, user }) => {
      const account = await (await context.store()).getAccount(user.userId);
      return json({ userId: account.userId, name: account.name, createdAt: account.createdAt });
    },
  }),
];

const closed = (): MullError =>
  new MullError("No accounts are made here. Ask whoever runs this server.", {
    category: "permission",
    status: 403,
    code: "closed",
  });
