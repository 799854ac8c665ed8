import type { JsonObject } from "mull";
import { encodeJson } from "../encode-json.ts";
import type { PreferenceMethods } from "../store.ts";
import type { MemoryContext } from "./data.ts";

export function memoryPreferences({ data }: MemoryContext): PreferenceMethods {
  const read = (userId: string): JsonObject =>
    JSON.parse(data.preferences.get(userId) ?? "{}") as JsonObject;
  return {
    getPreferences: async (userId) => read(userId),

    async changePreferences(userId, change) {
      data.preferences.set(userId, encodeJson("preferences", { ...read(userId), ...change }));
      return read(userId);
    },
  };
}
