import type { Environment, Fetch, JsonObject, Level, Provider, Tool, Observe } from "mull";
import type { Store } from "@mull/store";
import type { PasswordCost } from "./accounts/password.ts";
import type { ServerKeys } from "./keys/server-keys.ts";
import type { Transform } from "./turns/comply-history.ts";
import type { StaticFiles } from "./http/static-files.ts";

/** How to reach a provider. Only the configuration decides; users can't change it. */
export interface Upstream {
  readonly fetch?: Fetch;
  /** Keys and base URLs. */
  readonly env: Environment;
  readonly apiKey?: string;
  /** The emulator answers. */
  readonly isSimulated: boolean;
  /** `false`: asking fails until a key is set. */
  readonly hasKey?: boolean;
}

/** Limits on requests, turns, tokens and cost. */
export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /**
   * Requests per second of one user, or of one address that isn't signed in, and how many may come
   * at once.
   */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Turns that run at the same time: of one user, and of the whole process. */
  readonly turnsPerUser: number;
  readonly turns: number;
  /** Stream readers in the whole process. */
  readonly readers: number;
  readonly turnMs: number;
  readonly toolSteps: number;
  /** What one user may take in 24 hours; 0 means no limit. */
  readonly tokensPerDay: number;
  readonly dollarsPerDay: number;
  /** What one user may import in 24 hours, all files together; 0 means no limit. */
  readonly importsPerDay: number;
  readonly importedMessagesPerDay: number;
  readonly importedBytesPerDay: number;
  /** Wrong passwords per account, and new accounts per address, in 15 minutes. */
  readonly attemptsPerAccount: number;
  readonly attemptsPerAddress: number;
  /** How long to keep and retry a turn that can't be saved. */
  readonly saveMs: number;
  /** Longest wait for the store before the reader is told that the answer isn't saved yet. */
  readonly saveGraceMs: number;
  /** How long running turns get at shutdown. */
  readonly drainMs: number;
}

/** The defaults of `limits`. */
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

/** The parts of a chat server: store, upstreams, tools, limits and the page. */
export interface ChatServerParts {
  readonly store: Store | Promise<Store>;
  readonly upstream: (provider: Provider) => Upstream;
  /** A function is called before every turn, for tools that come and go. */
  readonly tools?: readonly Tool[] | (() => readonly Tool[]);
  /** The model and level of a conversation in which the user chose none. */
  readonly model?: string;
  readonly level?: Level;
  /** The models to ask, in this order, when the chosen one fails. */
  readonly fallback?: readonly string[];
  readonly system?: string;
  /**
   * Called with everything that happens in turns; for example what `otel()` of `@mull/otel`
   * returns.
   */
  readonly observe?: Observe;
  readonly limits?: Partial<Limits>;
  /** Host names this server answers to; loopback names when left out. */
  readonly hosts?: readonly string[];
  /** Set it behind TLS: cookies become Secure and bound to the host. */
  readonly isSecure?: boolean;
  /** No new accounts. */
  readonly isClosed?: boolean;
  /**
   * How a person without an account gets in. `link` is a secret that works once. `isForOne`: one
   * person on their own machine, who needs no account. Absent: everyone makes one.
   */
  readonly entrance?: { readonly link: string; readonly isForOne: boolean };
  /**
   * Users may enter their own keys, encrypted in the store. `fetch`: how requests with them are
   * sent.
   */
  readonly userKeys?: { readonly fetch?: Fetch };
  /** Keys that the person who runs the server may change on the page. */
  readonly serverKeys?: ServerKeys;
  /**
   * Set it if no other code in this process uses better-auth, and there is no other chat server. It
   * switches off what better-auth leaves on between calls, which slows every stream.
   */
  readonly ownsLibrary?: boolean;
  readonly files?: StaticFiles;
  readonly log?: (entry: LogEntry) => void;
  /** Values that must never leave: keys, database passwords. */
  readonly secrets?: readonly string[];
  readonly passwordCost?: PasswordCost;
  /** What cookies are signed with. Created once and kept in the store when left out. */
  readonly secret?: string;
  /** Several processes share the store, so stops travel through it. */
  readonly isShared?: boolean;
  /**
   * A Redis that carries running answers from one process to another. Without it, the store does.
   */
  readonly redisUrl?: string;
  /**
   * The transforms that stored conversations go through before they are sent; all three when left
   * out.
   */
  readonly transforms?: readonly Transform[];
  readonly now?: () => number;
}
