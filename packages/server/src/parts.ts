import type { Environment, Fetch, JsonObject, Level, Provider, Tool, Observe } from "mull";
import type { Store } from "@mull/store";
import type { PasswordCost } from "./accounts/password.ts";
import type { ServerKeys } from "./keys/server-keys.ts";
import type { Transform } from "./turns/comply-history.ts";
import type { StaticFiles } from "./http/static-files.ts";

/** How a provider is reached. Only the configuration decides; users cannot change it. */
export interface Upstream {
  readonly fetch?: Fetch;
  /** Keys and base URLs. */
  readonly env: Environment;
  readonly apiKey?: string;
  /** Answers come from the emulator. */
  readonly isSimulated: boolean;
  /** `false`: asking fails until a key is set. */
  readonly hasKey?: boolean;
}

/** Limits on requests, turns, tokens and cost. */
export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /** Requests of one user, or of one address that is not signed in, per second, and how many may come at once. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Turns of one user that run at the same time, and of the whole process. */
  readonly turnsPerUser: number;
  readonly turns: number;
  /** Readers of streams in the whole process. */
  readonly readers: number;
  readonly turnMs: number;
  readonly toolSteps: number;
  /** What one user may take in 24 hours; 0 is no limit. */
  readonly tokensPerDay: number;
  readonly dollarsPerDay: number;
  /** What one user may import in 24 hours, from all files together; 0 is no limit. */
  readonly importsPerDay: number;
  readonly importedMessagesPerDay: number;
  readonly importedBytesPerDay: number;
  /** Wrong passwords per account, and with new accounts per address, in 15 minutes. */
  readonly attemptsPerAccount: number;
  readonly attemptsPerAddress: number;
  /** How long a turn that cannot be saved is kept and tried again. */
  readonly saveMs: number;
  /** Longest wait for the store before the reader is told that the answer is not saved yet. */
  readonly saveGraceMs: number;
  /** Running turns get this long at shutdown. */
  readonly drainMs: number;
}

/** What holds where `limits` says nothing. */
export const defaultLimits: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  requestsPerSecond: 20,
  requestBurst: 100,
  turnsPerUser: 4,
  turns: 500,
  readers: 10_000,
  turnMs: 30 * 60_000,
  toolSteps: 25,
  tokensPerDay: 5_000_000,
  dollarsPerDay: 50,
  importsPerDay: 200,
  importedMessagesPerDay: 100_000,
  importedBytesPerDay: 250 * 1024 * 1024,
  attemptsPerAccount: 10,
  attemptsPerAddress: 50,
  saveMs: 10 * 60_000,
  saveGraceMs: 2000,
  drainMs: 10_000,
};

/** One log entry: the name of an event and its fields. */
export type LogEntry = JsonObject & { readonly event: string };

/** What a chat server is made of: store, upstreams, tools, limits and the page. */
export interface ChatServerParts {
  readonly store: Store | Promise<Store>;
  readonly upstream: (provider: Provider) => Upstream;
  /** A function is asked before every turn, for tools that come and go. */
  readonly tools?: readonly Tool[] | (() => readonly Tool[]);
  /** Where a conversation starts when nobody chose. */
  readonly model?: string;
  readonly level?: Level;
  /** Who is asked, in this order, when the chosen model fails. */
  readonly fallback?: readonly string[];
  readonly system?: string;
  /** Told of everything that happens in turns, e.g. what `otel()` of `@mull/otel` returns. */
  readonly observe?: Observe;
  readonly limits?: Partial<Limits>;
  /** Host names this server answers for; loopback names when left out. */
  readonly hosts?: readonly string[];
  /** Behind TLS: cookies are Secure and host-bound. */
  readonly isSecure?: boolean;
  /** Nobody can make an account. */
  readonly isClosed?: boolean;
  /**
   * How somebody gets in who has no account: `link` is a secret that works once. `isForOne`: one
   * person on their own machine, who needs no account. Absent: everybody makes one.
   */
  readonly entrance?: { readonly link: string; readonly isForOne: boolean };
  /** Users may enter keys of their own, encrypted in the store. `fetch`: how requests with them go out. */
  readonly userKeys?: { readonly fetch?: Fetch };
  /** Keys that the person who runs the server may change on the page. */
  readonly serverKeys?: ServerKeys;
  /**
   * Nobody else in this process uses better-auth, nor another chat server: what it leaves switched
   * on between calls, which slows every stream, is switched off.
   */
  readonly ownsLibrary?: boolean;
  readonly files?: StaticFiles;
  readonly log?: (entry: LogEntry) => void;
  /** Values that must never leave: keys, passwords of databases. */
  readonly secrets?: readonly string[];
  readonly passwordCost?: PasswordCost;
  /** What cookies are signed with. Made once and kept in the store when left out. */
  readonly secret?: string;
  /** Several processes share the store: stops travel through it. */
  readonly isShared?: boolean;
  /** A Redis that carries what turns say from one process to another. Without it the store does. */
  readonly redisUrl?: string;
  /** What stored conversations go through before they are sent; all three when left out. */
  readonly transforms?: readonly Transform[];
  readonly now?: () => number;
}
