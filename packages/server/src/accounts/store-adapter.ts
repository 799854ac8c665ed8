import { hash } from "node:crypto";
import type { Account, FoundSession, Session, Store } from "@mull/store";
import type { AdapterFactory, createAdapterFactory } from "better-auth/adapters";
import type { BetterAuthOptions } from "better-auth/minimal";
import { tableAdapter, type AccountQuery, type Answers, type AccountRow } from "./table-adapter.ts";

export interface AdapterParts {
  readonly store: Store;
  readonly now: () => number;
  /** A session ends after this long without use, and in any case after `longestMs`. */
  readonly idleMs: number;
  readonly longestMs: number;
  /**
   * Called with every refusal: the library answers some of them with "signed out", or with success.
   */
  readonly onFailure: (error: unknown) => void;
}

export const hashToken = (token: string): string => hash("sha256", token);

/**
 * The library identifies people by e-mail address. This one encodes a name, and is never shown or
 * stored.
 */
export const addressOf = (name: string): string =>
  `${Buffer.from(name, "utf16le").toString("hex")}@name.invalid`;

const nameIn = (address: string): string =>
  Buffer.from(address.split("@").at(0)!, "hex").toString("utf16le");

/** The library's tables, on top of ours. Tokens are hashed on the way in and at every look-up. */
export function storeAdapter(
  createFactory: typeof createAdapterFactory,
  parts: AdapterParts,
): AdapterFactory<BetterAuthOptions> {
  const config = { adapterId: "mull", supportsNumericIds: false };
  const overTable = (answers: Answers) => () => tableAdapter(answers, parts.onFailure);
  const answers = storeAnswers(parts);
  return (options) =>
    createFactory({
      config: {
        ...config,
        transaction: (work) => {
          const inside = new Map([...answers, ...signUpAnswers(parts)]);
          return work(createFactory({ config, adapter: overTable(inside) })(options));
        },
      },
      adapter: overTable(answers),
    })(options);
}

function storeAnswers(parts: AdapterParts): Answers {
  const { store, now, idleMs, longestMs } = parts;
  const rows = createRows(parts);
  const sessionOf = async (token = ""): Promise<FoundSession | undefined> =>
    store.findSession(hashToken(token));
  const credentialOf = async (userId = ""): Promise<AccountRow> =>
    rows.credential(await store.getAccount(userId));

  return new Map<string, AccountQuery>(
    Object.entries({
      "find user by email": async ({ email = "" }) => {
        const account = await store.findAccount(nameIn(email));
        return account && { ...rows.user(account), account: [rows.credential(account)] };
      },
      "find account by accountId, providerId, userId": ({ userId }) => credentialOf(userId),
      "find account by userId": ({ userId }) => credentialOf(userId),
      // Ends every session in the same transaction.
      "update account by id": async ({ id = "" }, { password }) => {
        await store.changePassword(id, String(password));
        return credentialOf(id);
      },
      "create session": async (_by, { userId, token }) => {
        const end = now() + idleMs;
        const made = await store.createSession(String(userId), hashToken(String(token)), end);
        return rows.session(made, String(token));
      },
      "find session by token": async ({ token = "" }) => {
        const found = await sessionOf(token);
        return found && { ...rows.session(found, token), user: rows.user(found) };
      },
      "update session by token": async ({ token = "" }) => {
        const found = await sessionOf(token);
        if (found === undefined) return undefined;
        const { userId, tokenHash, createdAt } = found;
        const end = Math.min(now() + idleMs, createdAt + longestMs);
        await store.touchSession(userId, tokenHash, end);
        return rows.session({ ...found, seenAt: now() }, token);
      },
      "delete session by token": async ({ token }) => {
        const found = await sessionOf(token);
        if (found) await store.deleteSession(found.userId, found.tokenHash);
      },
      // The library asks before it deletes, for hooks that we don't set.
      "find session by userId": async () => undefined,
      "delete session by userId": async ({ userId = "" }) => store.deleteSessions(userId),
    } satisfies Record<string, AccountQuery>),
  );
}

/**
 * Sign-up runs in the library's transaction: the new user waits for its password and session, and
 * all three are stored at once. Otherwise a name could be taken with no way in. We don't look the
 * name up first: the unique index decides, also between two who ask at the same moment.
 */
function signUpAnswers(parts: AdapterParts): Answers {
  const { store, now, idleMs } = parts;
  const rows = createRows(parts);
  const names = new Map<unknown, string>();
  const accounts = new Map<unknown, Account>();
  return new Map<string, AccountQuery>(
    Object.entries({
      "find user by email": async () => undefined,
      "create user": async (_by, user) => {
        names.set(user["id"], String(user["name"]));
        return user;
      },
      "create account": async (_by, { userId, password }) => {
        const name = names.get(userId)!;
        const passwordHash = String(password);
        const account = { userId: String(userId), name, passwordHash, createdAt: now() };
        accounts.set(userId, account);
        return rows.credential(account);
      },
      "create session": async (_by, { userId, token }) => {
        const session = { tokenHash: hashToken(String(token)), expiresAt: now() + idleMs };
        const { createdAt, ...account } = accounts.get(userId)!;
        await store.createAccount({ ...account, session });
        const { userId: whose } = account;
        return rows.session(
          { ...session, userId: whose, createdAt, seenAt: createdAt },
          String(token),
        );
      },
    } satisfies Record<string, AccountQuery>),
  );
}

interface Rows {
  readonly user: (account: Pick<Account, "userId" | "name" | "createdAt">) => AccountRow;
  readonly credential: (account: Account) => AccountRow;
  readonly session: (session: Session, token: string) => AccountRow;
}

function createRows({ now, idleMs }: AdapterParts): Rows {
  /** The library uses the machine's clock and accepts no other. */
  const toDate = (ms: number): Date => new Date(ms - now() + Date.now());
  return {
    user: ({ userId, name, createdAt }) => ({
      id: userId,
      name,
      email: addressOf(name),
      emailVerified: false,
      createdAt: toDate(createdAt),
      updatedAt: toDate(createdAt),
    }),
    credential: ({ userId, passwordHash, createdAt }) => ({
      id: userId,
      userId,
      accountId: userId,
      providerId: "credential",
      password: passwordHash,
      createdAt: toDate(createdAt),
      updatedAt: toDate(createdAt),
    }),
    session: ({ tokenHash, userId, createdAt, seenAt }, token) => ({
      id: tokenHash,
      userId,
      token,
      createdAt: toDate(createdAt),
      updatedAt: toDate(seenAt),
      // The library computes the last use from it. The latest possible end is in the store alone,
      // which returns no session after it; here it would look like long disuse.
      expiresAt: toDate(seenAt + idleMs),
    }),
  };
}
