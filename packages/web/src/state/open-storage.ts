import type { PageStorage } from "./parts.ts";

/** The browser's storage; what it refuses to keep is remembered until the page is left. */
export function openStorage(open: () => Storage): PageStorage {
  const refused = new Map<string, string>();
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(open());
    } catch {
      // Switched off by its user, or full.
      return undefined;
    }
  };
  return {
    isKept: (key) => !refused.has(key),
    getItem: (key) => refused.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem: (key, value) => {
      const isKept = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (isKept === true) refused.delete(key);
      else refused.set(key, value);
    },
    removeItem: (key) => {
      refused.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
  };
}
