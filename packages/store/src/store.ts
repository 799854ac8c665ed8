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
  /** Fields of the row that aren't the message's (edited, or from a newer release), kept as is. */
  readonly unreadable?: readonly Unreadable[];
}

/** Something in a stored row that couldn't be read and was left out. */
export interface Unreadable {
  /** Where in the message, e.g. `parts[1].text`. */
  readonly path: string;
  readonly message: string;
  /** As it is stored. */
  readonly value: JsonValue;
}

/** How a turn stands. `interrupted`: its process ended before the turn did. */
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
  /** The user message it answers; the last message, if it continues from waiting calls. */
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
  /** Calls that were started. Without a result, they may have run or not. */
  readonly intents: readonly string[];
  readonly results: readonly ToolResultPart[];
  /** The stored text of unfinished blocks. */
  readonly open?: readonly CutPart[];
  /** Anything else. */
  readonly unreadable?: readonly JsonValue[];
}

/** What `beginTurn` stores. */
export interface BeginTurn {
  readonly userId: string;
  readonly conversationId: string;
  /**
   * Creates the conversation together with its first turn, or refuses with `name_taken` if there is
   * one with that id.
   */
  readonly creates?: Pick<NewConversation, "title" | "info">;
  /** The turn's id, if the caller chose one; random when left out. */
  readonly turnId?: string;
  /** One per send. The same key and body give the same turn for 24 hours. */
  readonly idempotencyKey: string;
  /** The head the sender saw. */
  readonly expectedHead: string | null;
  /** Absent: answer the question `parentId` again, or continue from a head that isn't one. */
  readonly message?: UserMessage;
  /** What the message follows; `expectedHead` when left out. An edit names another message. */
  readonly parentId?: string | null;
  /** Kept on the turn; the idempotency key covers it. */
  readonly info?: JsonObject;
  /** A hash of everything the key covers, if the caller has one; computed from the fields above when absent. */
  readonly fingerprint?: string;
}

/** A turn that was begun, with its stored message. */
export interface BegunTurn {
  readonly turn: Turn;
  readonly message: StoredMessage;
  /** `false`: this very send was accepted earlier. */
  readonly isNew: boolean;
}

/** Whose text it is: which answer of the turn, and which block of it. */
export type BlockPlace = Pick<TextPiece, "step" | "block">;

/** How a turn ends, and what it took. */
export interface TurnEnd {
  /** `interrupted`: this process is shutting down; no user ended the turn. */
  readonly state: Exclude<TurnState, "running">;
  /** Messages that aren't stored yet. When left out, the draft is closed and kept. */
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

/** Where a fork starts and what it is called. */
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
  /** When it was made, if it was made elsewhere; now when left out. */
  readonly createdAt?: number;
}

/** A conversation from elsewhere, to be stored as a whole. */
export interface ImportConversation extends Omit<NewConversation, "id"> {
  /** All branches, and the head. */
  readonly history: History;
  /** When each was made, by position; times that don't grow are moved forward until they do. */
  readonly times?: Times;
}

/**
 * A change to a conversation. Absent fields stay, also inside `info`, so that two changes at once
 * don't undo each other. A `null` inside `info` takes the field away.
 */
export interface ConversationChange {
  readonly title?: string;
  /** Used if the conversation has no title. */
  readonly firstTitle?: string;
  readonly info?: JsonObject;
  readonly head?: string | null;
}

/**
 * Conversations of many users. Every call names the user; another user's data is `not_found`, in
 * the same words as missing data. A promise that resolved is durable.
 */
export interface Store
  extends AsyncDisposable, LimitMethods, LiveTurns, SpendingMethods, UserKeyMethods {
  /** Names this process on the turns it runs. */
  readonly owner: string;

  createConversation(userId: string, given?: NewConversation): Promise<Conversation>;
  /**
   * Creates a conversation with a history of any length, all or none: it stays hidden until it is
   * whole, and if the process dies before that, it is never seen. Other callers are served
   * meanwhile.
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
   * Creates a conversation that starts with a branch of this one: its messages, and the turns that
   * made them with usage and receipts. Their cost isn't counted again. All or none.
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
  /** How all messages are connected, in the same order, without reading their content. */
  listLinks(userId: string, conversationId: string): Promise<readonly MessageLink[]>;
  /** From the first message to `messageId`, or to the head. */
  listBranch(
    userId: string,
    conversationId: string,
    messageId?: string,
  ): Promise<readonly StoredMessage[]>;
  /**
   * Adds messages that don't belong to a turn; the last becomes the head. All or none, in one
   * transaction that blocks an embedded engine, so use an import for long ones. `times`: when each
   * was made, if known; times that don't grow are moved forward until they do.
   */
  appendMessages(
    userId: string,
    conversationId: string,
    parentId: string | null,
    messages: readonly Message[],
    times?: Times,
  ): Promise<readonly StoredMessage[]>;

  /**
   * Stores the message and the running turn together. Refuses with `turn_running` (409),
   * `stale_head` (409, with the head in `allowed`), `key_reused` (422) or `not_found` (404).
   */
  beginTurn(given: BeginTurn): Promise<BegunTurn>;
  getTurn(userId: string, turnId: string): Promise<Turn>;
  findRunningTurn(userId: string, conversationId: string): Promise<Turn | undefined>;
  listTurns(userId: string, conversationId: string, options?: ListTurns): Promise<readonly Turn[]>;
  getDraft(userId: string, turnId: string): Promise<TurnDraft>;
  /**
   * Stores a finished block of the answer in place of its texts. These four refuse with `turn_over`
   * once this process has lost the turn.
   */
  appendPart(
    userId: string,
    turnId: string,
    part: AssistantPart,
    texts?: BlockPlace,
  ): Promise<void>;
  /** Call it before a tool runs. */
  storeToolIntent(userId: string, turnId: string, call: ToolCallPart): Promise<void>;
  /** Call it after the tool ran. */
  storeToolResult(userId: string, turnId: string, result: ToolResultPart): Promise<void>;
  /** Stores a whole message of the turn in place of the draft; it becomes the head. */
  finishMessage(userId: string, turnId: string, message: Message): Promise<StoredMessage>;
  /** Ends the turn: messages, usage, receipt and state together. */
  finishTurn(userId: string, turnId: string, end: TurnEnd): Promise<Turn>;
  /** Says that this process is alive. Returns how many processes are, itself included. */
  renewLeases(): Promise<number>;
  /** Ends turns of dead processes as `interrupted`: keeps finished blocks, answers open calls. */
  recoverTurns(): Promise<readonly Turn[]>;

  /** Refuses with `name_taken` (409). Upper and lower case don't count. */
  createAccount(given: {
    readonly userId?: string;
    readonly name: string;
    readonly passwordHash: string;
    /** A session opened with the account: both are stored, or neither. */
    readonly session?: Pick<Session, "tokenHash" | "expiresAt">;
  }): Promise<Account>;
  findAccount(name: string): Promise<Account | undefined>;
  getAccount(userId: string): Promise<Account>;
  countAccounts(): Promise<number>;
  /**
   * Gives a name and a password to an account without one (its `passwordHash` is empty), and ends
   * its sessions. Refuses with `name_taken`, or with `not_found` once it has a password.
   */
  claimAccount(userId: string, given: Pick<Account, "name" | "passwordHash">): Promise<Account>;
  /** Ends every session of the account as well. */
  changePassword(userId: string, passwordHash: string): Promise<void>;
  createSession(userId: string, tokenHash: string, expiresAt: number): Promise<Session>;
  /** Finds only sessions that haven't expired. */
  findSession(tokenHash: string): Promise<FoundSession | undefined>;
  touchSession(userId: string, tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(userId: string, tokenHash: string): Promise<void>;
  deleteSessions(userId: string): Promise<void>;
  deleteExpiredSessions(): Promise<number>;
  /** Which of these sessions are closed and which of these accounts are gone, all at once. */
  findGone(given: WhoReads): Promise<WhoReads>;
  /** The first value that any process sharing the store gave under this name. */
  keepSecret(name: string, value: string): Promise<string>;

  /** The user's settings for all conversations; empty if none were chosen. */
  getPreferences(userId: string): Promise<JsonObject>;
  /** Fields left out stay, so that two devices do not undo each other's choices. */
  changePreferences(userId: string, change: JsonObject): Promise<JsonObject>;

  /** Rejects if the store can't be used. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Settings that all stores share. */
export interface StoreOptions {
  /** Random when left out, so a restarted process is another owner. */
  readonly owner?: string;
  readonly now?: () => number;
  readonly newId?: () => string;
  /** How long a turn counts as running without `renewLeases`. Default 30 s. */
  readonly leaseMs?: number;
  /** Called with news for the operator, for example whether search has an index. */
  readonly onNotice?: (text: string) => void;
}

export const keyLifeMs: number = 24 * 60 * 60 * 1000;

/** Spending of deleted conversations is kept this long: limits look back a day, people a month. */
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

/** Sessions by the hash of their token, and accounts. */
export interface WhoReads {
  readonly sessions: readonly string[];
  readonly users: readonly string[];
}

/** The part of a store that keeps sessions. */
export type SessionMethods = Pick<
  Store,
  | "createSession"
  | "findSession"
  | "touchSession"
  | "deleteSession"
  | "deleteSessions"
  | "deleteExpiredSessions"
>;

/** The part of a store that keeps accounts and sessions. */
export type AccountMethods = SessionMethods &
  Pick<
    Store,
    | "createAccount"
    | "findAccount"
    | "getAccount"
    | "countAccounts"
    | "claimAccount"
    | "changePassword"
    | "findGone"
    | "keepSecret"
  >;

/** The part of a store that keeps users' settings. */
export type PreferenceMethods = Pick<Store, "getPreferences" | "changePreferences">;
