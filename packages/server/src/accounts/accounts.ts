import type { Store } from "@mull/store";
import { tooMany } from "../http/refusals.ts";
import { createBuckets, type Buckets } from "../limits/buckets.ts";
import type { Limits } from "../parts.ts";
import { openAuth, type Auth, type AuthParts, type Found, type Opened } from "./auth.ts";

/** Who asks. */
export interface User extends Found {
  /** The value of the session's cookie. */
  readonly cookie: string;
}

export interface Accounts {
  readonly signUp: (name: string, password: string, address: string) => Promise<Opened>;
  readonly signIn: (name: string, password: string, address: string) => Promise<Opened>;
  /** Returns the `set-cookie` line that takes the cookie away. */
  readonly signOut: (user: User) => Promise<string>;
  readonly changePassword: (user: User, current: string, next: string) => Promise<Opened>;
  readonly find: (cookie: string) => Promise<User | undefined>;
}

export interface AccountParts extends Omit<AuthParts, "store"> {
  readonly store: () => Promise<Store>;
  readonly limits: Limits;
}

const windowMs = 15 * 60_000;

/** Accounts with limits on trying. */
export function createAccounts({ store, limits, ...parts }: AccountParts): Accounts {
  const perAccount = attempts(limits.attemptsPerAccount, parts.now);
  const perAddress = attempts(limits.attemptsPerAddress, parts.now);
  const auth = keepOpen(async () => openAuth({ ...parts, store: await store() }));
  // As soon as there is a store, so that nobody waits for the library; whoever needs it hears why
  // it did not open.
  auth().catch(() => undefined);

  const tried = async <T>(name: string, address: string, work: () => Promise<T>): Promise<T> => {
    const account = name.toLowerCase();
    const wait = Math.max(perAddress.take(address), perAccount.take(account));
    if (wait > 0) throw tooMany("Too many attempts.", wait);
    parts.passwords.check();
    const done = await work();
    perAccount.clear(account);
    // Its own attempt and no more: one account of theirs must not let somebody try all the others.
    perAddress.give(address);
    return done;
  };

  return {
    async signUp(name, password, address) {
      const wait = perAddress.take(address);
      if (wait > 0) throw tooMany("Too many attempts.", wait);
      parts.passwords.check();
      return (await auth()).signUp(name, password);
    },
    signIn: (name, password, address) =>
      tried(name, address, async () => (await auth()).signIn(name, password)),
    signOut: async (user) => (await auth()).signOut(user.cookie),
    changePassword: ({ userId, name, cookie }, current, next) =>
      tried(name, userId, async () => (await auth()).changePassword(cookie, current, next)),
    async find(cookie) {
      const found = await (await auth()).find(cookie);
      return found && { ...found, cookie };
    },
  };
}

/** Opens once, and again after a failure. */
function keepOpen(open: () => Promise<Auth>): () => Promise<Auth> {
  let opening: Promise<Auth> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

const attempts = (size: number, now: () => number): Buckets =>
  createBuckets({ size, refillMs: windowMs / size, now });
