import type { Store } from "@mull/store";
import { tooMany } from "../http/refusals.ts";
import { createAttempts, type Attempts } from "../limits/attempts.ts";
import type { Limits } from "../parts.ts";
import { openAuth, type Auth, type AuthParts, type Found, type Opened } from "./auth.ts";

/** Who is asking. */
export interface User extends Found {
  /** The value of the session's cookie. */
  readonly cookie: string;
}

/** Where a sign-in attempt comes from. */
export interface SignInPlace {
  readonly address: string;
  /** The whole `cookie` header. */
  readonly cookies: string | null;
}

export interface OpenedHere extends Opened {
  /** The `set-cookie` line that marks this browser as one that has signed in before. */
  readonly setDevice: string;
}

export interface Accounts {
  readonly signUp: (name: string, password: string, from: SignInPlace) => Promise<OpenedHere>;
  /** Opens a session without a password, for a person who came in by the link. */
  readonly open: (userId: string) => Promise<Opened>;
  /** Gives a name and a password to an account without one, and signs in. */
  readonly claim: (
    userId: string,
    name: string,
    password: string,
    from: SignInPlace,
  ) => Promise<OpenedHere>;
  readonly signIn: (name: string, password: string, from: SignInPlace) => Promise<OpenedHere>;
  /** Returns the `set-cookie` line that removes the cookie. */
  readonly signOut: (user: User) => Promise<string>;
  readonly changePassword: (user: User, current: string, next: string) => Promise<Opened>;
  readonly find: (cookie: string) => Promise<User | undefined>;
  /** Whose cookie it was when it was last looked up. It may not be theirs any more. */
  readonly foundBefore: (cookie: string) => string | undefined;
}

export interface AccountParts extends Omit<AuthParts, "store"> {
  readonly store: () => Promise<Store>;
  readonly limits: Limits;
}

const windowMs = 15 * 60_000;

/**
 * How many more guesses all unknown places together get at one account than a single place does.
 */
const places = 20;

/** Accounts, with limits on attempts. */
export function createAccounts({ store, limits, ...parts }: AccountParts): Accounts {
  const attempts = (name: string, size: number): Attempts =>
    createAttempts({ store, name, size, windowMs });
  const perPlace = attempts("guesses from", limits.attemptsPerAccount);
  const perAccount = attempts("guesses at", limits.attemptsPerAccount * places);
  const perAddress = attempts("sign-ins from", limits.attemptsPerAddress);
  const auth = keepOpen(async () => openAuth({ ...parts, store: await store() }));
  // Loads the library as soon as there is a store, so that no request waits for it; if loading
  // fails, the first call that needs it gets the error.
  auth().catch(() => undefined);
  const before = createFoundBefore();

  const tried = async <T>(place: string, work: () => Promise<T>): Promise<T> => {
    const wait = await perPlace.take(place);
    if (wait > 0) throw tooMany("Too many attempts.", wait);
    parts.passwords.check();
    const done = await work();
    await perPlace.clear(place);
    return done;
  };
  /**
   * Guesses from places where nobody has signed in before. They count by account and address, so
   * ten wrong guesses from one place don't lock the owner out elsewhere.
   */
  const triedByStranger = async <T>(
    account: string,
    address: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    const wait = (await perAddress.take(address)) || (await perAccount.take(account));
    if (wait > 0) throw tooMany("Too many attempts.", wait);
    const done = await tried(JSON.stringify([account, address]), work);
    await perAccount.give(account);
    // Give back this attempt only: an attacker who has one account must not win guesses at all the
    // others.
    await perAddress.give(address);
    return done;
  };

  return {
    async signUp(name, password, { address }) {
      const wait = await perAddress.take(address);
      if (wait > 0) throw tooMany("Too many attempts.", wait);
      parts.passwords.check();
      const { signUp, devices } = await auth();
      return { ...(await signUp(name, password)), setDevice: devices.cookieFor(name) };
    },
    open: async (userId) => (await auth()).open(userId),
    async claim(userId, name, password, from) {
      const wait = await perAddress.take(from.address);
      if (wait > 0) throw tooMany("Too many attempts.", wait);
      parts.passwords.check();
      const { signIn, devices } = await auth();
      const passwordHash = await parts.passwords.hash(password);
      await (await store()).claimAccount(userId, { name, passwordHash });
      return { ...(await signIn(name, password)), setDevice: devices.cookieFor(name) };
    },
    async signIn(name, password, { address, cookies }) {
      const { signIn, devices } = await auth();
      const device = devices.find(cookies, name);
      const account = name.toLowerCase();
      const work = (): Promise<Opened> => signIn(name, password);
      const opened = await (device === undefined
        ? triedByStranger(account, address, work)
        : tried(JSON.stringify([account, device]), work));
      return { ...opened, setDevice: devices.cookieFor(name) };
    },
    signOut: async (user) => (await auth()).signOut(user.cookie),
    changePassword: ({ userId, cookie }, current, next) =>
      tried(userId, async () => (await auth()).changePassword(cookie, current, next)),
    async find(cookie) {
      const found = await (await auth()).find(cookie);
      before.remember(cookie, found?.userId);
      return found && { ...found, cookie };
    },
    foundBefore: before.find,
  };
}

/** As many users as a process serves within minutes. */
const mostFound = 10_000;

interface FoundBefore {
  readonly find: (cookie: string) => string | undefined;
  readonly remember: (cookie: string, userId: string | undefined) => void;
}

/** The users of valid cookies. The one that was not used for the longest time goes first. */
function createFoundBefore(): FoundBefore {
  const users = new Map<string, string>();
  return {
    find: (cookie) => users.get(cookie),
    remember(cookie, userId) {
      users.delete(cookie);
      if (userId === undefined) return;
      const [oldest] = users.keys();
      if (users.size >= mostFound && oldest !== undefined) users.delete(oldest);
      // A copy, because a slice would keep the whole header in memory.
      users.set(Buffer.from(cookie).toString(), userId);
    },
  };
}

/** Opens once, and tries again after a failure. */
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
