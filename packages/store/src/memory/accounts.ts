import { nameTaken, notFound, tokenTaken } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { Account, AccountMethods, Session, SessionMethods } from "../store.ts";
import type { MemoryContext } from "./data.ts";

export function memoryAccounts(context: MemoryContext): AccountMethods {
  const { data, now, newId } = context;
  const byName = (name: string): Account | undefined => {
    const wanted = cleanText(name).toLowerCase();
    return [...data.accounts.values()].find((account) => account.name.toLowerCase() === wanted);
  };

  return {
    async createAccount({ userId = newId(), name, passwordHash, session }) {
      if (byName(name) !== undefined || data.accounts.has(userId)) throw nameTaken();
      if (session !== undefined) openSession(context, userId, session.tokenHash, session.expiresAt);
      const account = { userId, name: cleanText(name), passwordHash, createdAt: now() };
      data.accounts.set(account.userId, account);
      return account;
    },

    findAccount: async (name) => byName(name),

    getAccount: async (userId) => accountOf(context, userId),

    countAccounts: async () => data.accounts.size,

    async claimAccount(userId, { name, passwordHash }) {
      const account = accountOf(context, userId);
      if (account.passwordHash !== "") throw notFound("account");
      if ((byName(name) ?? account) !== account) throw nameTaken();
      const claimed = { ...account, name: cleanText(name), passwordHash };
      data.accounts.set(userId, claimed);
      deleteSessions(context, (session) => session.userId === userId);
      return claimed;
    },

    async changePassword(userId, passwordHash) {
      data.accounts.set(userId, { ...accountOf(context, userId), passwordHash });
      deleteSessions(context, (session) => session.userId === userId);
    },

    ...sessionMethods(context),

    async findGone({ sessions, users }) {
      return {
        sessions: sessions.filter((token) => !((data.sessions.get(token)?.expiresAt ?? 0) > now())),
        users: users.filter((userId) => !data.accounts.has(userId)),
      };
    },

    async keepSecret(name, value) {
      const kept = data.secrets.get(name) ?? value;
      data.secrets.set(name, kept);
      return kept;
    },
  };
}

const sessionMethods = (context: MemoryContext): SessionMethods => ({
  async createSession(userId, tokenHash, expiresAt) {
    accountOf(context, userId);
    return openSession(context, userId, tokenHash, expiresAt);
  },

  async findSession(tokenHash) {
    const session = context.data.sessions.get(tokenHash);
    if (session === undefined || session.expiresAt <= context.now()) return undefined;
    return { ...session, name: accountOf(context, session.userId).name };
  },

  async touchSession(userId, tokenHash, expiresAt) {
    const session = context.data.sessions.get(tokenHash);
    if (session?.userId !== userId) return;
    context.data.sessions.set(tokenHash, { ...session, seenAt: context.now(), expiresAt });
  },

  async deleteSession(userId, tokenHash) {
    deleteSessions(
      context,
      (session) => session.userId === userId && session.tokenHash === tokenHash,
    );
  },

  async deleteSessions(userId) {
    deleteSessions(context, (session) => session.userId === userId);
  },

  deleteExpiredSessions: async () =>
    deleteSessions(context, (session) => session.expiresAt <= context.now()),
});

function accountOf({ data }: MemoryContext, userId: string): Account {
  const account = data.accounts.get(userId);
  if (account === undefined) throw notFound("account");
  return account;
}

function openSession(
  { data, now }: MemoryContext,
  userId: string,
  tokenHash: string,
  expiresAt: number,
): Session {
  if (data.sessions.has(tokenHash)) throw tokenTaken();
  const at = now();
  const session = { tokenHash, userId, createdAt: at, seenAt: at, expiresAt };
  data.sessions.set(tokenHash, session);
  return session;
}

function deleteSessions({ data }: MemoryContext, isMeant: (session: Session) => boolean): number {
  const meant = [...data.sessions.values()].filter(isMeant);
  for (const session of meant) data.sessions.delete(session.tokenHash);
  return meant.length;
}
