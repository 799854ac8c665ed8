import { ApiError } from "../api.ts";
import { readKept, type StateParts } from "./parts.ts";
import { applyTheme, readPreferences, type Preferences } from "./preferences.ts";

/** Preferences live on the server; this browser keeps a copy for its first paint only. */
export interface PreferenceKeeper {
  /** Shown at once, sent in the order of the changes. */
  readonly change: (change: Partial<Preferences>) => void;
  /** Takes over what other devices chose; what could not be sent yet is sent first. */
  readonly pull: () => Promise<void>;
  /** Somebody else may sign in: what was not sent is not theirs. */
  readonly forget: () => void;
  /** Another tab of this browser has written the copy. */
  readonly seeCopy: (text: string | null) => void;
}

export const copyKey = "mull.preferences";

/** The preferences that this browser saw last; the server's replace them when the user signs in. */
export function readCopy(text: string | null): Preferences {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return readPreferences(typeof value === "object" && value !== null ? value : {});
  } catch {
    return readPreferences({});
  }
}

/** Choices that did not reach the server before the page was left. */
const readUnsent = (storage: StateParts["storage"], key: string): Partial<Preferences> => ({
  ...(readKept(storage, key) as Partial<Preferences> | null),
});

export function createPreferenceKeeper(
  { api, box, storage }: Pick<StateParts, "api" | "box" | "storage">,
  root: HTMLElement,
): PreferenceKeeper {
  // Kept until it is sent, also when the page is left before.
  const unsentKey = (): string => `mull.unsent.${encodeURIComponent(box.get().userName ?? "")}`;
  let unsent: Partial<Preferences> = readUnsent(storage, unsentKey());
  let sending: Promise<void> | undefined;
  let changes = 0;
  let users = 0;

  const show = (preferences: Preferences): void => {
    applyTheme(preferences.theme, root);
    box.set((before) => ({ ...before, preferences }));
  };
  const keep = (preferences: Preferences): void => {
    storage.setItem(copyKey, JSON.stringify(preferences));
    show(preferences);
  };

  const keepUnsent = (rest: Partial<Preferences>): void => {
    if (Object.keys(rest).length === 0) storage.removeItem(unsentKey());
    else storage.setItem(unsentKey(), JSON.stringify(rest));
  };

  const send = async (): Promise<void> => {
    while (Object.keys(unsent).length > 0) {
      const user = users;
      const change = unsent;
      unsent = {};
      try {
        await api.changePreferences(change);
      } catch (error) {
        // A server that is away is told later; what it refuses, it would refuse again.
        if (user === users && !(error instanceof ApiError && error.status === 400)) {
          unsent = { ...change, ...unsent };
          return;
        }
      }
      if (user === users) keepUnsent(unsent);
    }
  };
  const flush = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };

  return {
    change: (change) => {
      changes++;
      unsent = { ...unsent, ...change };
      keepUnsent({ ...readUnsent(storage, unsentKey()), ...change });
      keep({ ...box.get().preferences, ...change });
      void flush();
    },
    pull: async () => {
      // The last request may just have failed.
      await sending;
      await flush();
      keepUnsent(unsent);
      const seen = changes;
      const kept = await api.preferences().catch(() => undefined);
      if (kept === undefined || seen !== changes) return;
      keep({ ...readPreferences(kept), ...unsent });
    },
    forget: () => {
      users++;
      unsent = {};
      keepUnsent(unsent);
    },
    seeCopy: (text) => {
      if (text !== null) show(readCopy(text));
    },
  };
}
