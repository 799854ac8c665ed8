import { ApiError, wordsOf } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import { firstChoice, nothingShown, type Door, type News } from "./app-state.ts";
import type { PreferenceKeeper } from "./keep-preferences.ts";
import { setNotice, type StateParts } from "./parts.ts";

/** The signed-in user, for the other tabs and the first paint. */
export const userKey = "mull.user";

export interface SessionActions {
  /** `link`: from the address, as the server printed it. */
  readonly start: (link?: string) => Promise<void>;
  /** Another tab has signed in or out, and with it this one. */
  readonly startAgain: () => Promise<void>;
  /** Resolve with what went wrong, in words. */
  readonly signIn: (name: string, password: string) => Promise<string | undefined>;
  readonly signUp: (name: string, password: string) => Promise<string | undefined>;
  /** Asks anew what may be chosen: a key came or went. */
  readonly reloadModels: () => Promise<void>;
  /** Makes an account out of a session without one. */
  readonly claim: (name: string, password: string) => Promise<string | undefined>;
  readonly changePassword: (current: string, next: string) => Promise<string | undefined>;
  readonly signOut: () => Promise<void>;
}

/** Hooks for after a sign-in, before a sign-out, and after it. */
interface Doors {
  readonly enter: () => Promise<void>;
  readonly leave: () => Promise<void>;
  readonly close: () => void;
}

/** The user who is signed in. */
interface Entered {
  readonly name: string;
  readonly hasPassword?: boolean;
}

export function createSessionActions(
  parts: StateParts,
  preferences: Pick<PreferenceKeeper, "pull" | "forget">,
  { enter, leave, close }: Doors,
): SessionActions {
  const { api, box, storage } = parts;

  const showSignedOut = (door: Door): void => {
    close();
    box.set((before) => ({
      ...before,
      ...nothingShown,
      door,
      phase: "signed-out",
      userName: undefined,
    }));
  };

  const loadModels = async (): Promise<void> => {
    const list = await api.models();
    const models: readonly OfferedModel[] = list.providers.flatMap((provider) =>
      provider.models.map(({ id }) => ({
        ref: `${provider.id}:${id}`,
        isSimulated: provider.simulated,
        lacksKey: !provider.available,
      })),
    );
    const { recommended = [], default: offeredChoice, instructions } = list;
    box.set((before) => ({ ...before, models, recommended, offeredChoice, instructions }));
  };

  const welcome = async ({ name, hasPassword = true }: Entered, news?: News): Promise<void> => {
    if (box.get().userName !== name) preferences.forget();
    storage.setItem(userKey, name);
    await Promise.all([loadModels(), preferences.pull()]);
    box.set((before) => ({
      ...before,
      // Another user finds nothing of the one before.
      ...(before.userName !== name && nothingShown),
      phase: "ready",
      userName: name,
      hasPassword,
      door: { needsLink: false },
      news,
      choice: firstChoice(before),
    }));
    await enter();
  };

  const attempt = async (enterWith: Promise<Entered>): Promise<string | undefined> => {
    try {
      const entered = await enterWith;
      await welcome(entered, { text: `Signed in as ${entered.name}.` });
      return undefined;
    } catch (error) {
      return wordsOf(error);
    }
  };

  /** Why the link did not work; nothing if it did. */
  const tryLink = async (link: string): Promise<Partial<Door>> => {
    try {
      await api.enter(link);
      return {};
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error;
      return error.code === "name_needed" ? { link } : { trouble: wordsOf(error) };
    }
  };

  const start = async (link?: string): Promise<void> => {
    setNotice(box, undefined);
    let tried: Partial<Door> = {};
    try {
      if (link !== undefined) tried = await tryLink(link);
      // A link that was opened once more finds its session open.
      await welcome(await api.whoAmI());
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        storage.removeItem(userKey);
        showSignedOut({ needsLink: error.code === "link_needed", ...tried });
        return;
      }
      const action = { label: "Try again", run: () => void start(link) };
      setNotice(box, { text: wordsOf(error), isTrouble: true, action });
    }
  };

  return {
    start,
    startAgain: async () => {
      // What is open belongs to the user before.
      if (box.get().userName !== undefined) parts.setAddress(undefined);
      await start();
    },
    reloadModels: async () => {
      await loadModels();
      // What was chosen for a new conversation may have been what answered without a key.
      box.set((before) =>
        before.thread.conversation === undefined && before.preferences.model === undefined
          ? { ...before, choice: firstChoice(before) }
          : before,
      );
    },
    signIn: (name, password) => attempt(api.signIn(name, password)),
    signUp: (name, password) => attempt(api.signUp(name, password, box.get().door.link)),
    claim: (name, password) => attempt(api.claim(name, password)),
    changePassword: (current, next) =>
      api.changePassword(current, next).then(() => undefined, wordsOf),
    signOut: async () => {
      try {
        await leave();
        await api.signOut();
      } catch (error) {
        // The next person at this browser would still be let in, so do not show "signed out".
        if (!(error instanceof ApiError && error.status === 401)) {
          setNotice(box, { text: `You are still signed in. ${wordsOf(error)}`, isTrouble: true });
          return;
        }
      }
      storage.removeItem(userKey);
      preferences.forget();
      parts.setAddress(undefined);
      showSignedOut({ needsLink: false });
    },
  };
}
