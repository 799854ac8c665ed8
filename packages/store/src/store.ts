import type {
  AssistantPart,
  History,
  JsonObject,
  JsonValue,
  Message,
  ToolCallPart,
  ToolResultPart,
  Usage,
  UserMessage,
} from "mull";
import type { Times } from "./growing-times.ts";
import type { LimitMethods } from "./limits/methods.ts";
import type { ListConversations, ListTurns, MessageLink } from "./listing.ts";
import type { SpendingMethods } from "./spending-methods.ts";
import type { LiveTurns, TextPiece } from "./turn/live-turns.ts";
import type { CutPart } from "./turn/open-parts.ts";
import type { UserKeyMethods } from "./user-key-methods.ts";

/** A stored conversation. Times are milliseconds since the epoch. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** The message it continues from. */
  readonly head: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What the application keeps with it, e.g. the chosen model. */
  readonly info: JsonObject;
}

/** A stored message and its place in the conversation. */
export interface StoredMessage {
  readonly id: string;
  /** A fork is two children of one parent. */
  readonly parentId: string | null;
  /** The turn that made it; absent on imported messages. */
  readonly turnId?: string;
  /** Grows with every message of a conversation, whatever the clock does. */
  readonly createdAt: number;
  readonly message: Message;
  /** The parts of the row that are not a message (edited by hand, or written by a newer release), kept as they are. */
  readonly unreadable?: readonly Unreadable[];
}

/** Something in a stored row that could not be read and was left out. */
export interface Unreadable {
  /** Where in the message, e.g. `parts[1].text`. */
  readonly path: string;
  readonly message: string;
  /** As it is stored. */
  readonly value: JsonValue;
}

/** How a turn stands. `interrupted`: its process went before it ended. */
export const turnStates = ["running", "done", "stopped", "failed", "interrupted"] as const;
/** The state of a turn. `interrupted` means that the process running it is gone. */
export type TurnState = (typeof turnStates)[number];

/** A turn of a conversation: who runs it, and what became of it. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  readonly state: TurnState;
  /** The process that runs it. */
  readonly owner: string;
  readonly leaseUntil: number;
  /** The user message it answers; where it goes on from calls that waited, the last message there. */
  readonly messageId: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly info: JsonObject;
  readonly usage?: Usage;
  /** In the currency of the price table. */
  readonly cost?: number;
  readonly receipt?: JsonObject;
  readonly error?: JsonObject;
}

/** What a running turn has produced since its last whole message. */
export interface TurnDraft {
  readonly parts: readonly AssistantPart[];
  /** Calls that were started. Without a result they may have happened or not. */
  readonly intents: readonly string[];
  readonly results: readonly ToolResultPart[];
  /** What was stored of blocks that have not ended. */
  readonly open?: readonly CutPart[];
  /** What is none of these. */
  readonly unreadable?: readonly JsonValue[];
}

/** What `beginTurn` stores. */
export interface BeginTurn {
  readonly userId: string;
  readonly conversationId: string;
  /** The id of the turn where one was chosen for it; random when left out. */
  readonly turnId?: string;
  /** One per send. The same key and body give the same turn for 24 hours. */
  readonly idempotencyKey: string;
  /** The head the sender saw. */
  readonly expectedHead: string | null;
  /** Absent: the question `parentId` is answered again; a head that is none is gone on from. */
  readonly message?: UserMessage;
  /** What the message follows; `expectedHead` when left out. An edit names another one. */
  readonly parentId?: string | null;
  /** Kept on the turn; part of what the idempotency key covers. */
  readonly info?: JsonObject;
  /** A hash of everything the key covers, if the caller has one; computed from the fields above when absent. */
  readonly fingerprint?: string;
}

/** A turn that was begun, with its stored message. */
export interface BegunTurn {
  readonly turn: Turn;
  readonly message: StoredMessage;
  /** `false`: this very send had been taken before. */
  readonly isNew: boolean;
}

/** Whose texts are stored: which answer of the turn, and which block of it. */
export type BlockPlace = Pick<TextPiece, "step" | "block">;

/** How a turn ends, and what it took. */
export interface TurnEnd {
  /** `interrupted`: this process is shutting down; no user ended the turn. */
  readonly state: Exclude<TurnState, "running">;
  /** Messages not yet stored. Left out, what was drafted is closed and kept. */
  readonly messages?: readonly Message[];
  readonly usage?: Usage;
  readonly cost?: number;
  readonly receipt?: object;
  readonly error?: JsonObject;
}

/** A user's account. */
export interface Account {
  readonly userId: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: number;
}

/** A signed-in session of a user. */
export interface Session {
  /** A hash of the token, never the token. */
  readonly tokenHash: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** A session with its user's name. */
export interface FoundSession extends Session {
  readonly name: string;
}

/** Where a fork begins and what it is called. */
export interface ForkConversation {
  /** Where it ends; the head when left out. */
  readonly messageId?: string;
  readonly title?: string;
  readonly info?: JsonObject;
}

/** A conversation to create. */
export interface NewConversation {
  readonly id?: string;
  readonly title?: string;
  readonly info?: JsonObject;
  /** When it was made, where it was made elsewhere; now when left out. */
  readonly createdAt?: number;
}

/** A conversation from elsewhere to store as a whole. */
export interface ImportConversation extends Omit<NewConversation, "id"> {
  /** All branches, and the head. */
  readonly history: History;
  /** When each message was made, by position; those that do not grow are moved on until they do. */
  readonly times?: Times;
}

/**
 * A change to a conversation. Absent fields stay, also inside `info`, so that two changes at once
 * do not undo each other.
 */
export interface ConversationChange {
  readonly title?: string;
  /** Used when the conversation has no title. */
  readonly firstTitle?: string;
  readonly info?: JsonObject;
  readonly head?: string | null;
}

/**
 * Conversations of many users. Every call names the user; what belongs to another user is
 * `not_found` in the same words as what does not exist. A promise that resolved is durable.
 */
export interface Store
  extends AsyncDisposable, LimitMethods, LiveTurns, SpendingMethods, UserKeyMethods {
  /** Names this process on the turns it runs. */
  readonly owner: string;

  createConversation(userId: string, given?: NewConversation): Promise<Conversation>;
  /**
   * A new conversation with a history, however long. All or none: nobody sees it before it is whole,
   * and a process that dies in between leaves none. Others are served in the meantime.
   */
  importConversation(userId: string, given: ImportConversation): Promise<Conversation>;
  getConversation(userId: string, conversationId: string): Promise<Conversation>;
  listConversations(userId: string, options?: ListConversations): Promise<readonly Conversation[]>;
  updateConversation(
    userId: string,
    conversationId: string,
    change: ConversationChange,
  ): Promise<Conversation>;
  /**
   * A new conversation that begins with a branch of this one: its messages, and the turns that made
   * them with usage and receipts. What those took is not counted again. All or none.
   */
  forkConversation(
    userId: string,
    conversationId: string,
    given?: ForkConversation,
  ): Promise<Conversation>;
  deleteConversation(userId: string, conversationId: string): Promise<void>;

  /** All messages of all branches, or those with an id of `ids`, in the order they were stored. */
  listMessages(
    userId: string,
    conversationId: string,
    ids?: readonly string[],
  ): Promise<readonly StoredMessage[]>;
  /** How all messages hang together, in the same order: what is said in them is not read. */
  listLinks(userId: string, conversationId: string): Promise<readonly MessageLink[]>;
  /** From the first message to `messageId`, or to the head. */
  listBranch(
    userId: string,
    conversationId: string,
    messageId?: string,
  ): Promise<readonly StoredMessage[]>;
  /**
   * Messages that no turn made; the last becomes the head. All or none, in one transaction: others
   * wait for it on an embedded engine, so what is long is better imported. `times`: when each was
   * made, where that is known; those that do not grow are moved on until they do.
   */
  appendMessages(
    userId: string,
    conversationId: string,
    parentId: string | null,
    messages: readonly Message[],
    times?: Times,
  ): Promise<readonly StoredMessage[]>;

  /**
   * Stores the message and the running turn together. Refuses with `turn_running` (409) and
   * `stale_head` (409, the head in `allowed`), `key_reused` (422), `not_found` (404).
   */
  beginTurn(given: BeginTurn): Promise<BegunTurn>;
  getTurn(userId: string, turnId: string): Promise<Turn>;
  findRunningTurn(userId: string, conversationId: string): Promise<Turn | undefined>;
  listTurns(userId: string, conversationId: string, options?: ListTurns): Promise<readonly Turn[]>;
  getDraft(userId: string, turnId: string): Promise<TurnDraft>;
  /**
   * A block of the answer that ended; takes the place of its texts. These four refuse with
   * `turn_over` when this process lost the turn.
   */
  appendPart(
    userId: string,
    turnId: string,
    part: AssistantPart,
    texts?: BlockPlace,
  ): Promise<void>;
  /** Before a tool runs. */
  storeToolIntent(userId: string, turnId: string, call: ToolCallPart): Promise<void>;
  /** After it ran. */
  storeToolResult(userId: string, turnId: string, result: ToolResultPart): Promise<void>;
  /** A whole message of the turn; takes the place of the draft and becomes the head. */
  finishMessage(userId: string, turnId: string, message: Message): Promise<StoredMessage>;
  /** The end: messages, usage, receipt and state together. */
  finishTurn(userId: string, turnId: string, end: TurnEnd): Promise<Turn>;
  /** Says that this process lives. Returns how many processes do, itself included. */
  renewLeases(): Promise<number>;
  /** Ends turns whose process is gone as `interrupted`: finished blocks stay, open calls are answered. */
  recoverTurns(): Promise<readonly Turn[]>;

  /** Refuses with `name_taken` (409). Names are compared without case. */
  createAccount(given: {
    readonly userId?: string;
    readonly name: string;
    readonly passwordHash: string;
    /** Opened with it: both are stored or none. */
    readonly session?: Pick<Session, "tokenHash" | "expiresAt">;
  }): Promise<Account>;
  findAccount(name: string): Promise<Account | undefined>;
  getAccount(userId: string): Promise<Account>;
  countAccounts(): Promise<number>;
  /**
   * Gives a name and a password to an account that has none, with an empty `passwordHash`, and ends
   * its sessions. Refuses with `name_taken`, and with `not_found` once it has a password.
   */
  claimAccount(userId: string, given: Pick<Account, "name" | "passwordHash">): Promise<Account>;
  /** Ends every session of the account as well. */
  changePassword(userId: string, passwordHash: string): Promise<void>;
  createSession(userId: string, tokenHash: string, expiresAt: number): Promise<Session>;
  /** Only a session that has not expired. */
  findSession(tokenHash: string): Promise<FoundSession | undefined>;
  touchSession(userId: string, tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(userId: string, tokenHash: string): Promise<void>;
  deleteSessions(userId: string): Promise<void>;
  deleteExpiredSessions(): Promise<number>;
  /** Which of these sessions are closed and which of these accounts are gone: asked for everybody at once. */
  findGone(given: WhoReads): Promise<WhoReads>;
  /** The first value anybody gave under this name, for every process that shares the store. */
  keepSecret(name: string, value: string): Promise<string>;

  /** The user's settings for all conversations; empty when none were chosen. */
  getPreferences(userId: string): Promise<JsonObject>;
  /** Fields left out stay, so that two devices do not undo each other's choices. */
  changePreferences(userId: string, change: JsonObject): Promise<JsonObject>;

  /** Rejects when the store cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Settings that all stores share. */
export interface StoreOptions {
  /** Random when left out: a restarted process is another owner. */
  readonly owner?: string;
  readonly now?: () => number;
  readonly newId?: () => string;
  /** How long a turn counts as run without `renewLeases`. 30 s when left out. */
  readonly leaseMs?: number;
  /** Told what an operator may want to know of the database, e.g. whether search has an index. */
  readonly onNotice?: (text: string) => void;
}

export const keyLifeMs: number = 24 * 60 * 60 * 1000;

/** What turns of deleted conversations took is kept for so long: limits look back a day, people a month. */
export const spendingKeptMs: number = 31 * 24 * 60 * 60 * 1000;

/** The part of a store that keeps turns. */
export type TurnMethods = Pick<
  Store,
  | "beginTurn"
  | "getTurn"
  | "findRunningTurn"
  | "listTurns"
  | "getDraft"
  | "appendPart"
  | "storeToolIntent"
  | "storeToolResult"
  | "finishMessage"
  | "finishTurn"
  | "renewLeases"
  | "recoverTurns"
  | keyof LiveTurns
>;

/** The part of a store that keeps accounts and sessions. */
/** Sessions by the hash of their token, and accounts. */
export interface WhoReads {
  readonly sessions: readonly string[];
  readonly users: readonly string[];
}

export type AccountMethods = Pick<
  Store,
  | "createAccount"
  | "findAccount"
  | "getAccount"
  | "countAccounts"
  | "claimAccount"
  | "changePassword"
  | "createSession"
  | "findSession"
  | "touchSession"
  | "deleteSession"
  | "deleteSessions"
  | "deleteExpiredSessions"
  | "findGone"
  | "keepSecret"
>;

/** The part of a store that keeps what users prefer. */
export type PreferenceMethods = Pick<Store, "getPreferences" | "changePreferences">;
