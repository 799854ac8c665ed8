import { createHash, randomBytes } from "node:crypto";
import { MullError } from "mull";
import type { Store } from "@mull/store";
import { notSignedIn, tooMany } from "../http/refusals.ts";
import { createBuckets } from "../limits/buckets.ts";
import type { Limits } from "../parts.ts";
import type { Passwords } from "./password.ts";

/** Who asks. */
export interface User {
  readonly userId: string;
  readonly tokenHash: string;
}

export interface SignedIn {
  readonly userId: string;
  readonly name: string;
  /** Goes into the cookie and nowhere else. */
  readonly token: string;
}

export interface Accounts {
  readonly signUp: (name: string, password: string, address: string) => Promise<SignedIn>;
  readonly signIn: (name: string, password: string, address: string) => Promise<SignedIn>;
  readonly signOut: (user: User) => Promise<void>;
  readonly changePassword: (user: User, current: string, next: string) => Promise<SignedIn>;
  readonly find: (token: string | undefined) => Promise<User | undefined>;
}

/** A session ends after this long without use, and in any case after `longestMs`. */
export const idleMs: number = 14 * 24 * 60 * 60_000;
const longestMs = 90 * 24 * 60 * 60_000;
const touchEveryMs = 10 * 60_000;
const windowMs = 15 * 60_000;

const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

const wrongPassword = (): MullError =>
  new MullError("Name or password is wrong.", {
    category: "auth",
    status: 401,
    code: "wrong_password",
  });

export interface AccountParts {
  readonly store: () => Promise<Store>;
  readonly passwords: Passwords;
  readonly limits: Limits;
  readonly now: () => number;
}

export function createAccounts({ store, passwords, limits, now }: AccountParts): Accounts {
  const perAccount = attempts(limits.attemptsPerAccount, now);
  const perAddress = attempts(limits.attemptsPerAddress, now);

  const slowDown = (name: string, address: string): void => {
    const wait = Math.max(perAddress.take(address), perAccount.take(name.toLowerCase()));
    if (wait > 0) throw tooMany("Too many attempts.", wait);
  };

  /** Every sign-in is a new session: one planted before it is worth nothing after it. */
  const open = async (userId: string, name: string): Promise<SignedIn> => {
    const token = randomBytes(32).toString("base64url");
    await (await store()).createSession(userId, hashToken(token), now() + idleMs);
    return { userId, name, token };
  };

  const check = async (name: string, password: string, address: string): Promise<string> => {
    slowDown(name, address);
    const account = await (await store()).findAccount(name);
    const isRight = await passwords.matches(password, account?.passwordHash);
    if (!isRight || account === undefined) throw wrongPassword();
    perAccount.clear(name.toLowerCase());
    return account.userId;
  };

  return {
    async signUp(name, password, address) {
      const wait = perAddress.take(address);
      if (wait > 0) throw tooMany("Too many attempts.", wait);
      const passwordHash = await passwords.hash(password);
      const account = await (await store()).createAccount({ name, passwordHash });
      return open(account.userId, account.name);
    },

    async signIn(name, password, address) {
      const userId = await check(name, password, address);
      return open(userId, (await (await store()).getAccount(userId)).name);
    },

    signOut: async (user) => (await store()).deleteSession(user.userId, user.tokenHash),

    async changePassword(user, current, next) {
      const { name } = await (await store()).getAccount(user.userId);
      await check(name, current, user.userId);
      await (await store()).changePassword(user.userId, await passwords.hash(next));
      return open(user.userId, name);
    },

    async find(token) {
      if (token === undefined || !/^[\w-]{43}$/.test(token)) return undefined;
      const opened = await store();
      const session = await opened.findSession(hashToken(token));
      if (session === undefined) return undefined;
      const { userId, tokenHash, createdAt, seenAt } = session;
      const at = now();
      if (at > createdAt + longestMs) {
        await opened.deleteSession(userId, tokenHash);
        throw notSignedIn();
      }
      if (at > seenAt + touchEveryMs) {
        const end = Math.min(at + idleMs, createdAt + longestMs);
        await opened.touchSession(userId, tokenHash, end);
      }
      return { userId, tokenHash };
    },
  };
}

const attempts = (size: number, now: () => number): ReturnType<typeof createBuckets> =>
  createBuckets({ size, refillMs: windowMs / size, now });
