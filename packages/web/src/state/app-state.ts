import type { UIMessage } from "@mull/ui-messages";
import type { AsOf, Branching, Choice, Conversation } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import type { LineState } from "../stream/follow-turn.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import type { Preferences } from "./preferences.ts";

/** Everything the page shows. Changed only by the functions beside this file. */
export interface AppState {
  readonly phase: "opening" | "signed-out" | "ready";
  readonly userName: string | undefined;
  readonly preferences: Preferences;
  readonly models: readonly OfferedModel[];
  readonly recommended: readonly string[];
  readonly choice: Choice;
  /** Tokens that the system prompt and the tools take with every question, by estimate. */
  readonly instructions: number;
  /** The server's defaults for new conversations. */
  readonly offeredChoice: Choice;
  readonly list: ListState;
  readonly thread: ThreadState;
  /** Conversations whose last answers are shown side by side, in place of the thread. */
  readonly compared: readonly string[];
  readonly draft: string;
  /** Files for the next question of each conversation that was opened. */
  readonly files: ReadonlyMap<string, readonly UIFilePart[]>;
  readonly layer: Layer | undefined;
  readonly notice: Notice | undefined;
  /** The latest thing that is said and not shown. */
  readonly news: News | undefined;
  /** The server has another page than this one by now. */
  readonly isOld: boolean;
  /** The server makes no accounts. */
  readonly isClosed: boolean;
  /** `false`: the user came in by the link that the server printed. */
  readonly hasPassword: boolean;
  readonly door: Door;
}

/** How a user who is signed out gets in. */
export interface Door {
  /** By the link that the server printed, and not with a password. */
  readonly needsLink: boolean;
  /** A link that makes the first account. */
  readonly link?: string;
  /** Why the link that was opened did not work. */
  readonly trouble?: string;
}

export interface ListState {
  readonly conversations: readonly Conversation[];
  /** Pinned ones that are older than those. */
  readonly pinnedOlder?: readonly Conversation[];
  readonly search: string;
  readonly everything: boolean;
  readonly isLoaded: boolean;
  /** There are older ones than those that are listed. */
  readonly hasMore: boolean;
}

export interface ThreadState {
  readonly conversation: Conversation | undefined;
  readonly messages: readonly UIMessage[];
  readonly branchings: readonly Branching[];
  readonly running: RunningState | undefined;
  /** The question on its way to the server. */
  readonly sending: string | undefined;
  readonly queued: string | undefined;
  readonly queuedFiles: readonly UIFilePart[];
  readonly isLoading: boolean;
  /** The conversation could not be read. */
  readonly trouble: string | undefined;
  readonly editing: string | undefined;
  /** Problems that a model would refuse. */
  readonly findings: readonly ThreadFinding[];
  /** Stored messages that cannot be read. */
  readonly problems: readonly ThreadFinding[];
  /** Shown from a file that could not be taken; nothing can be added. */
  readonly isReadOnly: boolean;
}

/** Something that is wrong with the conversation. */
export interface ThreadFinding {
  readonly rule: string;
  readonly message: string;
  readonly path?: string;
  readonly fix?: string;
}

export interface RunningState {
  readonly turnId: string | undefined;
  readonly line: LineState;
  readonly isStopping: boolean;
  /** Another model was chosen in the middle of a step. */
  readonly handover?: Handover;
}

/** What the server made of another model in the middle of a turn. */
export interface UsedModel {
  /** The turn runs where the server could tell it. */
  readonly tookOver: boolean;
  /** Who answers the step under way; absent between two steps. */
  readonly answering?: string;
}

export interface Handover {
  /** Absent between two steps, while tools run. */
  readonly from?: string;
  readonly to: string;
  /** How many steps were over by then: it holds until one more is. */
  readonly steps: number;
}

/** The panel over or next to the thread. */
export type Layer =
  | { readonly kind: "help" | "settings" | "keys" | "list" | "compare" | "system" | "usage" }
  /** `retryOf`: for one more answer to its question, not for the conversation. */
  | { readonly kind: "models"; readonly retryOf?: string }
  | { readonly kind: "receipt"; readonly messageId: string }
  /** `asOf`: the request for an answer there is; absent: for the next one. */
  | { readonly kind: "inspector"; readonly asOf: AsOf | undefined };

/** One line above the composer, with what to do about it. */
export interface Notice {
  readonly text: string;
  readonly isTrouble: boolean;
  /** When the server takes it again, if it said so. */
  readonly until?: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** For those who do not see the page change. */
export interface News {
  readonly text: string;
}

export const emptyThread: ThreadState = {
  conversation: undefined,
  messages: [],
  branchings: [],
  running: undefined,
  sending: undefined,
  queued: undefined,
  queuedFiles: [],
  isLoading: false,
  trouble: undefined,
  editing: undefined,
  findings: [],
  problems: [],
  isReadOnly: false,
};

/** The state of a user, before anything is loaded. */
export const nothingShown: Pick<
  AppState,
  "list" | "thread" | "draft" | "files" | "layer" | "notice"
> = {
  list: { conversations: [], search: "", everything: false, isLoaded: false, hasMore: false },
  thread: emptyThread,
  draft: "",
  files: new Map(),
  layer: undefined,
  notice: undefined,
};

const anyChoice: Choice = { model: "anthropic:claude-opus-5-5", level: "med" };

/** The defaults of a new conversation: the user's own choice, if the server has that model. */
export function firstChoice({ preferences, models, offeredChoice }: AppState): Choice {
  const { model = offeredChoice.model, level = offeredChoice.level } = preferences;
  return models.some(({ ref }) => ref === model) ? { model, level } : { ...offeredChoice, level };
}

export const firstState = (preferences: Preferences, userName: string | undefined): AppState => ({
  phase: "opening",
  userName,
  preferences,
  models: [],
  recommended: [],
  instructions: 0,
  choice: anyChoice,
  offeredChoice: anyChoice,
  ...nothingShown,
  news: undefined,
  isOld: false,
  isClosed: false,
  hasPassword: true,
  door: { needsLink: false },
  compared: [],
});
