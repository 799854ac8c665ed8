import type { Level, TokenCount } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { Inspection } from "./inspector/read-inspection.ts";
import type { ThreadFinding, UsedModel } from "./state/app-state.ts";
import type { Preferences } from "./state/preferences.ts";
import type { SpendingRow } from "./usage/spending.ts";
import type { TurnFacts } from "./thread/read-turn.ts";

/** What the page asks its server. */
export interface Api {
  readonly whoAmI: () => Promise<Account>;
  readonly signIn: (name: string, password: string) => Promise<Account>;
  /** `link`: what the server printed, for the first account. */
  readonly signUp: (name: string, password: string, link?: string) => Promise<Account>;
  /** Opens a session without an account. */
  readonly enter: (link: string) => Promise<void>;
  /** Makes an account out of that session. */
  readonly claim: (name: string, password: string) => Promise<Account>;
  readonly signOut: () => Promise<void>;
  /** Ends every other session. */
  readonly changePassword: (current: string, next: string) => Promise<void>;
  readonly models: () => Promise<ModelList>;
  readonly keys: () => Promise<KeyList>;
  readonly storeKey: (provider: string, key: string, whose: KeyOwner) => Promise<void>;
  readonly removeKey: (provider: string, whose: KeyOwner) => Promise<void>;
  /** What was spent since then, by day, model and level. */
  readonly spending: (since: number, minutesEast: number) => Promise<readonly SpendingRow[]>;
  /** As kept; fields may be absent. */
  readonly preferences: () => Promise<object>;
  readonly changePreferences: (change: Partial<Preferences>) => Promise<void>;
  /** Latest change first, at most `listedAtOnce`; those listed behind another, if one is given. */
  readonly list: (
    search: string,
    everything: boolean,
    behind?: Pick<Conversation, "id" | "updatedAt">,
  ) => Promise<readonly Conversation[]>;
  readonly create: (choice: Choice, system?: string) => Promise<Conversation>;
  readonly find: (id: string) => Promise<Conversation>;
  readonly change: (id: string, change: ConversationChange) => Promise<Conversation>;
  readonly remove: (id: string) => Promise<void>;
  /** The latest messages, or those before them by the name that came with them. */
  readonly load: (id: string, before?: string) => Promise<Loaded>;
  readonly fork: (id: string, from: ForkFrom) => Promise<Conversation>;
  /** For an answer there is, or for a question that is not asked yet. */
  readonly inspect: (id: string, choice: Choice, about: AsOf | string) => Promise<Inspection>;
  readonly importFile: (content: object) => Promise<Imported>;
  /** `raw`: everything as it is stored. */
  readonly exportAddress: (id: string, format: "json" | "markdown" | "raw") => string;
  /** These four answer with the stream of a turn. */
  readonly ask: (
    id: string,
    parts: UIMessage["parts"],
    choice: Choice,
    key: string,
  ) => Promise<Response>;
  readonly retry: (
    id: string,
    messageId: string,
    choice: RetryChoice,
    key: string,
  ) => Promise<Response>;
  readonly edit: (
    id: string,
    messageId: string,
    parts: UIMessage["parts"],
    choice: Choice,
    key: string,
  ) => Promise<Response>;
  readonly decide: (
    id: string,
    decision: CallVerdict,
    choice: Choice,
    key: string,
  ) => Promise<Response>;
  readonly follow: (
    id: string,
    turnId: string | undefined,
    after: number,
    signal: AbortSignal,
  ) => Promise<Response>;
  /** The same question to each; their answers are read by `follow`. */
  readonly compare: (
    id: string | undefined,
    parts: UIMessage["parts"],
    choices: readonly Choice[],
  ) => Promise<readonly ComparedColumn[]>;
  /** The tokens of a question with everything before it; nothing is asked. */
  readonly count: (
    id: string | undefined,
    parts: UIMessage["parts"],
    choice: Choice,
  ) => Promise<TokenCount>;
  readonly stop: (id: string) => Promise<void>;
  /** Hands the running turn to another model, and says who still answers the step under way. */
  readonly use: (id: string, choice: Choice) => Promise<UsedModel>;
}

/** A request that was made for an answer; a turn with tools makes several. */
export interface AsOf {
  readonly answerId: string;
  /** From 1. */
  readonly step: number;
}

export interface Choice {
  readonly model: string;
  readonly level: Level;
}

/** A user's decision about a waiting call. */
export interface CallVerdict {
  readonly callId: string;
  readonly run: boolean;
  readonly reason?: string;
}

interface RetryChoice extends Choice {
  readonly room?: number;
  readonly fix?: true;
}

/** Up to a message, or only with what can be read. */
export type ForkFrom = { readonly messageId: string } | { readonly readable: true };

interface Account {
  readonly userId: string;
  readonly name: string;
  /** `false`: the user has no account and came in by the link. */
  readonly hasPassword?: boolean;
}

export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly head: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly model?: string;
  readonly level?: Level;
  /** The system prompt of the conversation. */
  readonly system?: string;
}

interface ConversationChange extends Partial<Choice> {
  readonly title?: string;
  readonly system?: string;
  readonly head?: string;
}

export interface Branching {
  readonly messageId: string;
  readonly heads: readonly string[];
  readonly position: number;
}

export interface Loaded {
  readonly conversation: Conversation;
  readonly messages: readonly UIMessage[];
  readonly branchings: readonly Branching[];
  readonly running: TurnFacts | null;
  /** There is more before these; asked for by this name. */
  readonly earlier?: string;
  /** Stored messages that cannot be read. */
  readonly problems?: readonly ThreadFinding[];
}

interface ModelList {
  readonly default: Choice;
  /** Tokens that the system prompt and the tools take with every question, by estimate. */
  readonly instructions: number;
  /** One of each well-known vendor that answers. */
  readonly recommended?: readonly string[];
  readonly providers: readonly {
    readonly id: string;
    readonly name: string;
    readonly simulated: boolean;
    /** `false`: a key is missing, and other vendors have one. */
    readonly available: boolean;
    readonly keyVariables: readonly string[];
    readonly models: readonly { readonly id: string }[];
  }[];
}

/** A conversation that was made for one answer, or why there is none. */
export interface ComparedColumn {
  readonly conversation?: Conversation;
  readonly refused?: string;
}

/** Everybody on the server, or the user alone. */
export type KeyOwner = "server" | "me";

/** Says which providers have a key; never the key. */
export interface KeyList {
  readonly mayChangeServer: boolean;
  readonly mayKeepOwn: boolean;
  readonly providers: readonly KeyRow[];
}

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly variables: readonly string[];
  /** Where the server's key comes from. */
  readonly server: "environment" | "file" | null;
  readonly own: boolean;
  readonly takesOwn: boolean;
}

interface Imported {
  readonly conversation: Conversation;
  readonly notes: readonly string[];
  readonly lint: Inspection["lint"];
}

/** A refusal of the server, in its own words. `status` 0: it could not be reached. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number, code: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export const listedAtOnce = 100;

export const wordsOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "Something went wrong in the page.";
