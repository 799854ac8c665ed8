import { notFound } from "../refusals.ts";
import type { UserKeyMethods } from "../user-key-methods.ts";
import type { MemoryContext } from "./data.ts";

export const memoryUserKeys = ({ data }: MemoryContext): UserKeyMethods => ({
  listUserKeys: async (userId) =>
    [...(data.userKeys.get(userId) ?? [])]
      .map(([provider, sealed]) => ({ provider, sealed }))
      .toSorted((one, other) => (one.provider < other.provider ? -1 : 1)),

  async storeUserKey(userId, { provider, sealed }) {
    if (!data.accounts.has(userId)) throw notFound("account");
    const keys = new Map(data.userKeys.get(userId)).set(provider, sealed);
    data.userKeys.set(userId, keys);
  },

  deleteUserKey: async (userId, provider) => data.userKeys.get(userId)?.delete(provider) ?? false,
});
