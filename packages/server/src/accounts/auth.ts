import { AsyncLocalStorage } from "node:async_hooks";
import { isMullError, MullError } from "mull";
import { cookieName } from "../http/cookie.ts";
import { notSignedIn } from "../http/refusals.ts";
import { endingContexts } from "./async-context.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createCookieReader } from "./known-cookies.ts";
import {
  idleMs,
  openLibrary,
  randomText,
  renewalMs,
  type Library,
  type LibraryParts,
} from "./library.ts";
import { signToken } from "./signed-cookie.ts";
import { addressOf, hashToken } from "./store-adapter.ts";

/** A user's open session. */
export interface Opened {
  readonly userId: string;
  readonly name: string;
  /** The whole `set-cookie` line. */
  readonly setCookie: string;
}

export interface Found {
  readonly userId: string;
  readonly name: string;
  /** The key under which the store has the session. */
  readonly session: string;
  /** The `set-cookie` line of a renewed session. */
  readonly setCookie?: string;
}

/** Accounts as the library keeps them. `cookie` is the value of the session's cookie. */
export interface Auth {
  readonly signUp: (name: string, password: string) => Promise<Opened>;
  readonly signIn: (name: string, password: string) => Promise<Opened>;
  /** A session for a person who proved who they are without a password. */
  readonly open: (userId: string) => Promise<Opened>;
  /** Returns the line that removes the cookie. */
  readonly signOut: (cookie: string) => Promise<string>;
  readonly changePassword: (cookie: string, current: string, next: string) => Promise<Opened>;
  readonly find: (cookie: string) => Promise<Found | undefined>;
  readonly devices: Devices;
}

export interface AuthParts extends Omit<LibraryParts, "secret" | "onFailure"> {
  /** Created once and kept in the store when left out. */
  readonly secret?: string;
  /** No other code in this process uses the account library. */
  readonly ownsLibrary?: boolean;
}

export async function openAuth(parts: AuthParts): Promise<Auth> {
  const { store, isSecure } = parts;
  // Safe to keep in the database: session tokens are hashed, so reading this opens no session.
  const secret = parts.secret ?? (await store.keepSecret("session", randomText()));
  const name = cookieName(isSecure);
  const { library, call } = await openCalls(parts, secret);
  const session = { ...parts, secret, name, library, call };
  return {
    devices: createDevices(secret, isSecure),
    ...createPasswordCalls(session),
    open: createOpener(session),
    find: createFinder(session),
  };
}

interface SessionParts extends AuthParts {
  readonly secret: string;
  /** Of the session's cookie. */
  readonly name: string;
  readonly library: Library["api"];
  /** Runs what calls the library. */
  readonly call: <T>(work: () => Promise<T>) => Promise<T>;
}

async function openCalls(
  parts: AuthParts,
  secret: string,
): Promise<Pick<SessionParts, "library" | "call">> {
  /** Store failures during the current call. */
  const calls = new AsyncLocalStorage<unknown[]>();
  const onFailure = (error: unknown): unknown => calls.getStore()?.push(error);
  const { api: library, contexts } = await openLibrary({ ...parts, secret, onFailure });
  const ending = endingContexts(parts.ownsLibrary === true ? [...contexts, calls] : []);
  return {
    library,
    /** If the store refused, report that, whatever the library made of it. */
    call: async (work) => {
      const failures: unknown[] = [];
      const [outcome] = await Promise.allSettled([ending(() => calls.run(failures, work))]);
      if (failures.length > 0) throw failures[0];
      if (outcome.status === "rejected") throw refusalFor(outcome.reason);
      return outcome.value;
    },
  };
}

const cookieHeader = (name: string, cookie: string): Headers =>
  new Headers({ cookie: `${name}=${cookie}` });

const lineIn = (headers: Headers, name: string): string | undefined =>
  headers.getSetCookie().find((line) => line.startsWith(`${name}=`));

function createPasswordCalls({
  name,
  store,
  library,
  call,
}: SessionParts): Pick<Auth, "signUp" | "signIn" | "signOut" | "changePassword"> {
  const opened = ({ headers, response: { user } }: AuthAnswer): Opened => ({
    userId: user.id,
    name: user.name,
    setCookie: lineIn(headers, name)!,
  });
  return {
    signUp: (called, password) =>
      call(async () => {
        const body = { name: called, email: addressOf(called), password };
        const made = opened(await library.signUpEmail({ body, returnHeaders: true }));
        // A database can't keep every character. A signed-in user needn't hear of that.
        const { name: kept } = await store.getAccount(made.userId).catch(() => made);
        return { ...made, name: kept };
      }),
    signIn: (called, password) =>
      call(async () => {
        const body = { email: addressOf(called), password };
        return opened(await library.signInEmail({ body, returnHeaders: true }));
      }),
    signOut: (cookie) =>
      call(async () => {
        const headers = cookieHeader(name, cookie);
        return lineIn((await library.signOut({ headers, returnHeaders: true })).headers, name)!;
      }),
    changePassword: (cookie, current, next) =>
      call(async () => {
        const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
        const headers = cookieHeader(name, cookie);
        return opened(await library.changePassword({ body, headers, returnHeaders: true }));
      }),
  };
}

const createOpener =
  ({ name, store, secret, now, isSecure }: SessionParts): Auth["open"] =>
  async (userId) => {
    const token = randomText();
    const account = await store.getAccount(userId);
    await store.createSession(userId, hashToken(token), now() + idleMs);
    const secure = isSecure ? " Secure;" : "";
    const rights = `Max-Age=${idleMs / 1000}; Path=/; HttpOnly;${secure} SameSite=Lax`;
    const setCookie = `${name}=${signToken(token, secret)}; ${rights}`;
    return { userId, name: account.name, setCookie };
  };

function createFinder({ name, store, secret, now, library, call }: SessionParts): Auth["find"] {
  const readCookie = createCookieReader(secret);
  const renew = (cookie: string, session: string): Promise<Found | undefined> =>
    call(async () => {
      const { headers, response } = await library.getSession({
        headers: cookieHeader(name, cookie),
        returnHeaders: true,
      });
      if (response === null) return undefined;
      const line = lineIn(headers, name);
      const found = { userId: response.user.id, name: response.user.name, session };
      return line === undefined ? found : { ...found, setCookie: line };
    });
  return async (cookie) => {
    const session = readCookie(cookie);
    if (session === undefined) return undefined;
    const found = await store.findSession(session);
    if (found === undefined) return undefined;
    const known = { userId: found.userId, name: found.name, session };
    if (now() < found.seenAt + renewalMs) return known;
    // A full disk accepts no writes, but users can still read.
    return renew(cookie, session).catch((error: unknown) => {
      if (isMullError(error)) return known;
      throw error;
    });
  };
}

interface AuthAnswer {
  readonly headers: Headers;
  readonly response: { readonly user: { readonly id: string; readonly name: string } };
}

const wrongPassword = (): MullError =>
  new MullError("Name or password is wrong.", {
    category: "auth",
    status: 401,
    code: "wrong_password",
  });

/** Refusals of the library that a user can cause, in our words. */
const refusals: ReadonlyMap<unknown, () => MullError> = new Map([
  ["INVALID_EMAIL_OR_PASSWORD", wrongPassword],
  ["INVALID_PASSWORD", wrongPassword],
  ["UNAUTHORIZED", notSignedIn],
]);

function refusalFor(error: unknown): unknown {
  const body: unknown = error instanceof Error && "body" in error ? error.body : undefined;
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return refusals.get(code)?.() ?? error;
}
