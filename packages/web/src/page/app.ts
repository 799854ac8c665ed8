import type { Api } from "../api.ts";
import { firstState, type AppState, type Layer } from "../state/app-state.ts";
import { createCompareActions, type CompareActions } from "../state/compare.ts";
import { createBox, type Box } from "../state/box.ts";
import { createListActions, type ListActions } from "../state/conversations.ts";
import { lostFiles } from "../state/files.ts";
import { isDraftLost, keepDraft, setNotice, tell, type StateParts } from "../state/parts.ts";
import { copyKey, createPreferenceKeeper, readCopy } from "../state/keep-preferences.ts";
import { createAddress, type Address, type PageLocation } from "./address.ts";
import { applyTheme, type Preferences } from "../state/preferences.ts";
import { createSessionActions, userKey, type SessionActions } from "../state/session.ts";
import { createThreadActions, type ThreadActions } from "../state/thread.ts";

/** The page without its looks: its state and everything that changes it. */
export interface App {
  readonly box: Box<AppState>;
  readonly api: Api;
  readonly session: SessionActions;
  readonly thread: ThreadActions;
  readonly list: ListActions;
  readonly compare: CompareActions;
  readonly now: () => number;
  readonly write: (text: string) => void;
  readonly setLayer: (layer: Layer | undefined) => void;
  readonly showReceipt: (answerId: string) => void;
  readonly setPreferences: (change: Partial<Preferences>) => void;
  readonly dismiss: () => void;
  /** For those who do not see the page change. */
  readonly tell: (text: string) => void;
  /** Something in the composer would be gone with the page. */
  readonly wouldLose: () => boolean;
  /** Opens the page for a user who is signed in, or who comes with a link. */
  readonly start: () => Promise<void>;
  /** Shows what the address says. */
  readonly goToAddress: () => Promise<void>;
  /** The page was out of sight: other tabs and devices may have gone on. */
  readonly lookAgain: () => void;
  /** Another tab has written into this browser's storage. */
  readonly seeStorage: (key: string | null, text: string | null) => void;
  /** The server's page; another one than at first means that this one is old. */
  readonly seePage: (tag: string) => void;
  /** The server makes no accounts. */
  readonly seeClosed: () => void;
  /** The session has ended; whose it was is still known. */
  readonly seeSignedOut: () => void;
  /** An empty page for a new conversation. */
  readonly startNew: () => void;
}

export interface AppParts {
  readonly api: Api;
  readonly storage: StateParts["storage"];
  readonly shelf: StateParts["shelf"];
  readonly location: PageLocation;
  readonly root: HTMLElement;
  readonly now: () => number;
  readonly newKey: () => string;
}

export function createApp({ location, root, ...given }: AppParts): App {
  const { api, storage } = given;
  const preferences = readCopy(storage.getItem(copyKey));
  applyTheme(preferences.theme, root);
  const box = createBox(firstState(preferences, storage.getItem(userKey) ?? undefined));
  const address = createAddress(location);
  box.set((before) => ({ ...before, compared: address.readCompared() }));
  const parts: StateParts = { ...given, box, setAddress: address.show };
  const keeper = createPreferenceKeeper(parts, root);
  const thread: ThreadActions = createThreadActions(parts, () => list.refresh(), keeper.change);
  const list: ListActions = createListActions(parts, (id) => thread.open(id));
  // You can keep writing while the server is slow.
  if (box.get().userName !== undefined) thread.prepare(address.read());
  const session = createSessionActions(parts, keeper, {
    enter: async () => {
      void list.refresh();
      await thread.open(address.read());
    },
    leave: list.leave,
    close: () => void thread.open(undefined),
  });
  let ownPage: string | undefined;
  const seePage = (tag: string): void => {
    ownPage ??= tag;
    if (tag !== ownPage && !box.get().isOld) box.set((before) => ({ ...before, isOld: true }));
  };
  const setLayer = (layer: Layer | undefined): void => box.set((before) => ({ ...before, layer }));
  return {
    box,
    api,
    session,
    thread,
    list,
    compare: createCompareActions(parts, address.showCompared, () => list.refresh()),
    now: given.now,
    start: () => session.start(address.takeLink()),
    goToAddress: () => goToAddress(box, address, session, thread),
    seePage,
    setLayer,
    write: (text) => keepDraft(parts, text),
    wouldLose: () => isDraftLost(parts) || lostFiles(parts).length > 0,
    showReceipt: (messageId) => {
      setLayer({ kind: "receipt", messageId });
      tell(box, "The receipt is open beside the conversation.");
    },
    setPreferences: keeper.change,
    dismiss: () => setNotice(box, undefined),
    tell: (text) => tell(box, text),
    lookAgain: () => {
      if (box.get().phase !== "ready") return;
      void keeper.pull();
      void list.refresh();
      void thread.lookAgain();
    },
    seeStorage: (key, text) => {
      if (key === copyKey) keeper.seeCopy(text);
      if (key === userKey && text !== (box.get().userName ?? null)) void session.startAgain();
    },
    seeClosed: () => {
      if (!box.get().isClosed) box.set((before) => ({ ...before, isClosed: true }));
    },
    seeSignedOut: () =>
      box.set((before) => ({
        ...before,
        phase: "signed-out",
        layer: undefined,
        door: { needsLink: !before.hasPassword },
      })),
    startNew: () => {
      address.show(undefined);
      void thread.open(undefined);
    },
  };
}

async function goToAddress(
  box: Box<AppState>,
  address: Address,
  session: SessionActions,
  thread: ThreadActions,
): Promise<void> {
  const link = address.takeLink();
  if (link !== undefined) return session.start(link);
  const compared = address.readCompared();
  box.set((before) => ({ ...before, compared }));
  if (compared.length > 0) return undefined;
  const id = address.read();
  const { conversation, trouble, isReadOnly } = box.get().thread;
  const isLost = trouble !== undefined && !isReadOnly;
  if (box.get().phase === "ready" && (isLost || id !== conversation?.id)) await thread.open(id);
  return undefined;
}
