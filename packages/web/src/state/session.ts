import { ApiError, wordsOf, type Api } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import { firstChoice, nothingShown, type AppState, type Door, type News } from "./app-state.ts";
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
    forgetUser(box, door);
  };

  const welcome = async (entered: Entered, news?: News): Promise<void> => {
    if (box.get().userName !== entered.name) preferences.forget();
    storage.setItem(userKey, entered.name);
    await Promise.all([loadModels(parts), preferences.pull()]);
    box.set((before) => ({ ...enteredBy(before, entered), news }));
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

  const start = async (link?: string): Promise<void> => {
    setNotice(box, undefined);
    let tried: Partial<Door> = {};
    try {
      if (link !== undefined) tried = await tryLink(api, link);
      // A link that was opened once more finds its session open.
      await welcome(await api.whoAmI());
    } catch (error) {
      if (isSignedOut(error)) {
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
    reloadModels: () => reloadModels(parts),
    signIn: (name, password) => attempt(api.signIn(name, password)),
    signUp: (name, password) => attempt(api.signUp(name, password, box.get().door.link)),
    claim: (name, password) => attempt(api.claim(name, password)),
    changePassword: (current, next) =>
      api.changePassword(current, next).then(() => undefined, wordsOf),
    signOut: async () => {
      const why = await endSession(leave, api.signOut);
      if (why !== undefined) {
        setNotice(box, { text: `You are still signed in. ${why}`, isTrouble: true });
        return;
      }
      storage.removeItem(userKey);
      preferences.forget();
      parts.setAddress(undefined);
      showSignedOut({ needsLink: false });
    },
  };
}

const enteredBy = (before: AppState, { name, hasPassword = true }: Entered): AppState => ({
  ...before,
  // Another user finds nothing of the one before.
  ...(before.userName !== name && nothingShown),
  phase: "ready",
  userName: name,
  hasPassword,
  door: { needsLink: false },
  choice: firstChoice(before),
});

const forgetUser = (box: StateParts["box"], door: Door): void =>
  box.set((before) => ({
    ...before,
    ...nothingShown,
    door,
    phase: "signed-out",
    userName: undefined,
  }));

/**
 * Why the session is still open; nothing where it has ended. The next person at this browser would
 * be let in by it, so "signed out" is shown only then.
 */
async function endSession(...steps: readonly (() => Promise<void>)[]): Promise<string | undefined> {
  try {
    for (const step of steps) await step();
    return undefined;
  } catch (error) {
    return isSignedOut(error) ? undefined : wordsOf(error);
  }
}

const isSignedOut = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401;

async function loadModels({ api, box }: StateParts): Promise<void> {
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
}

async function reloadModels(parts: StateParts): Promise<void> {
  await loadModels(parts);
  // What was chosen for a new conversation may have been what answered without a key.
  parts.box.set((before) =>
    before.thread.conversation === undefined && before.preferences.model === undefined
      ? { ...before, choice: firstChoice(before) }
      : before,
  );
}

/** Why the link did not work; nothing if it did. */
async function tryLink(api: Api, link: string): Promise<Partial<Door>> {
  try {
    await api.enter(link);
    return {};
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    return error.code === "name_needed" ? { link } : { trouble: wordsOf(error) };
  }
}
