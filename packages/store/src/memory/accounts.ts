import { nameTaken, notFound, tokenTaken } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { Account, Session, AccountMethods } from "../store.ts";
import type { MemoryContext } from "./data.ts";

export function memoryAccounts({ data, now, newId }: MemoryContext): AccountMethods {
  const byName = (name: string): Account | undefined => {
    const wanted = cleanText(name).toLowerCase();
    return [...data.accounts.values()].find((account) => account.name.toLowerCase() === wanted);
  };
  const accountOf = (userId: string): Account => {
    const account = data.accounts.get(userId);
    if (account === undefined) throw notFound("account");
    return account;
  };
  const deleteSessions = (isMeant: (session: Session) => boolean): number => {
    const meant = [...data.sessions.values()].filter(isMeant);
    for (const session of meant) data.sessions.delete(session.tokenHash);
    return meant.length;
  };
  const openSession = (userId: string, tokenHash: string, expiresAt: number): Session => {
    if (data.sessions.has(tokenHash)) throw tokenTaken();
    const at = now();
    const session = { tokenHash, userId, createdAt: at, seenAt: at, expiresAt };
    data.sessions.set(tokenHash, session);
    return session;
  };

  return {
    async createAccount({ userId = newId(), name, passwordHash, session }) {
      if (byName(name) !== undefined || data.accounts.has(userId)) throw nameTaken();
      if (session !== undefined) openSession(userId, session.tokenHash, session.expiresAt);
      const account = { userId, name: cleanText(name), passwordHash, createdAt: now() };
      data.accounts.set(account.userId, account);
      return account;
    },

    findAccount: async (name) => byName(name),

    getAccount: async (userId) => accountOf(userId),

    countAccounts: async () => data.accounts.size,

    async claimAccount(userId, { name, passwordHash }) {
      const account = accountOf(userId);
      if (account.passwordHash !== "") throw notFound("account");
      if ((byName(name) ?? account) !== account) throw nameTaken();
      const claimed = { ...account, name: cleanText(name), passwordHash };
      data.accounts.set(userId, claimed);
      deleteSessions((session) => session.userId === userId);
      return claimed;
    },

    async changePassword(userId, passwordHash) {
      data.accounts.set(userId, { ...accountOf(userId), passwordHash });
      deleteSessions((session) => session.userId === userId);
    },

    async createSession(userId, tokenHash, expiresAt) {
      accountOf(userId);
      return openSession(userId, tokenHash, expiresAt);
    },

    async findSession(tokenHash) {
      const session = data.sessions.get(tokenHash);
      if (session === undefined || session.expiresAt <= now()) return undefined;
      return { ...session, name: accountOf(session.userId).name };
    },

    async touchSession(userId, tokenHash, expiresAt) {
      const session = data.sessions.get(tokenHash);
      if (session?.userId !== userId) return;
      data.sessions.set(tokenHash, { ...session, seenAt: now(), expiresAt });
    },

    async deleteSession(userId, tokenHash) {
      deleteSessions((session) => session.userId === userId && session.tokenHash === tokenHash);
    },

    async deleteSessions(userId) {
      deleteSessions((session) => session.userId === userId);
    },

    deleteExpiredSessions: async () => deleteSessions((session) => session.expiresAt <= now()),

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
