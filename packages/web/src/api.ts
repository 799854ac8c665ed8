import type { Level, TokenCount } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { Inspection } from "./inspector/read-inspection.ts";
import type { ThreadFinding, UsedModel } from "./state/app-state.ts";
import type { Preferences } from "./state/preferences.ts";
import type { SpendingRow } from "./usage/spending.ts";
import type { TurnFacts } from "./thread/read-turn.ts";

/** The one place that knows the server's addresses. */
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
  /** Latest change first, at most `listedAtOnce`; those listed behind another, where one is given. */
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
interface ComparedColumn {
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

/** More than fit on a screen are there at once; those before them are read while these are shown. */
const [latestAtOnce, earlierAtOnce] = [60, 500];

export type PageFetch = (url: string, init: RequestInit) => Promise<Response>;

interface Sending {
  readonly method?: string;
  readonly body?: object;
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** It goes on when the page is left. */
  readonly keepalive?: boolean;
}

const at = (id: string, rest = ""): string => `/api/conversations/${encodeURIComponent(id)}${rest}`;
const chat = (id: string, rest: string): string => `/api/chat/${encodeURIComponent(id)}/${rest}`;
const question = (parts: UIMessage["parts"]): object => ({ role: "user", parts });

/** Hears the facts in the headers of every answer. */
export interface ApiListener {
  /** The page that the server has now, with every answer. */
  readonly onPage: (tag: string) => void;
  /** Nobody can make an account. */
  readonly onClosed: () => void;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

export function createApi(fetch: PageFetch, { onPage, onClosed, onSignedOut }: ApiListener): Api {
  const send = async (
    url: string,
    { method = "GET", body, key, signal, keepalive = false }: Sending = {},
  ): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        credentials: "same-origin",
        keepalive,
        ...(signal !== undefined && { signal }),
        headers: {
          ...(method !== "GET" && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ApiError("The server cannot be reached.", 0, "offline");
    }
    const page = response.headers.get("x-mull-page");
    if (page !== null) onPage(page);
    if (response.headers.has("x-mull-closed")) onClosed();
    if (response.status === 401 && !url.startsWith("/api/account")) onSignedOut();
    if (!response.ok) throw await readRefusal(response);
    return response;
  };
  const get = async <T>(url: string): Promise<T> => (await send(url)).json() as Promise<T>;
  const post = async <T>(url: string, body: object = {}): Promise<T> =>
    (await send(url, { method: "POST", body })).json() as Promise<T>;
  return {
    whoAmI: () => get("/api/account"),
    signIn: (name, password) => post("/api/account/sign-in", { name, password }),
    signUp: (name, password, link) => post("/api/account/sign-up", { name, password, link }),
    enter: async (link) =>
      void (await send("/api/account/enter", { method: "POST", body: { link } })),
    claim: (name, password) => post("/api/account/claim", { name, password }),
    signOut: async () => void (await send("/api/account/sign-out", { method: "POST" })),
    changePassword: async (current, next) =>
      void (await send("/api/account/password", { method: "POST", body: { current, next } })),
    models: () => get("/api/models"),
    keys: () => get("/api/keys"),
    storeKey: async (provider, key, whose) =>
      void (await send("/api/keys", { method: "POST", body: { provider, key, for: whose } })),
    removeKey: async (provider, whose) =>
      void (await send(`/api/keys/${provider}?for=${whose}`, { method: "DELETE" })),
    spending: async (since, minutesEast) => {
      const query = new URLSearchParams({ since: `${since}`, minutesEast: `${minutesEast}` });
      return (await get<{ rows: readonly SpendingRow[] }>(`/api/usage?${query}`)).rows;
    },
    preferences: () => get("/api/preferences"),
    changePreferences: async (change) =>
      void (await send("/api/preferences", { method: "PATCH", body: change, keepalive: true })),
    list: async (search, everything, behind) => {
      const query = new URLSearchParams({
        limit: String(listedAtOnce),
        ...(search !== "" && { search, everything: String(everything) }),
        ...(behind !== undefined && { before: String(behind.updatedAt), beforeId: behind.id }),
      });
      const found = await get<{ conversations: Conversation[] }>(`/api/conversations?${query}`);
      return found.conversations;
    },
    create: ({ model, level }, system) =>
      post("/api/conversations", { model, level, ...(system !== undefined && { system }) }),
    find: (id) => get(at(id)),
    change: async (id, change) =>
      (
        await send(at(id), { method: "PATCH", body: change, keepalive: true })
      ).json() as Promise<Conversation>,
    remove: async (id) => void (await send(at(id), { method: "DELETE", keepalive: true })),
    load: (id, before) => {
      const query = new URLSearchParams({
        limit: String(before === undefined ? latestAtOnce : earlierAtOnce),
        ...(before !== undefined && { before }),
      });
      return get(at(id, `/messages?${query}`));
    },
    fork: (id, from) => post(at(id, "/fork"), from),
    inspect: (id, { model, level }, about) => {
      const query = new URLSearchParams({
        model,
        level,
        ...(typeof about === "string"
          ? { question: about }
          : { before: about.answerId, step: String(about.step) }),
      });
      return get(at(id, `/inspect?${query}`));
    },
    importFile: (content) => post("/api/conversations/import", content),
    exportAddress: (id, format) => at(id, `/export?format=${format}`),
    ask: (id, parts, choice, key) =>
      send("/api/chat", {
        method: "POST",
        key,
        body: { id, message: question(parts), ...choice },
      }),
    retry: (id, messageId, choice, key) =>
      send(chat(id, "retry"), { method: "POST", key, body: { messageId, ...choice } }),
    edit: (id, messageId, parts, choice, key) =>
      send(chat(id, "edit"), {
        method: "POST",
        key,
        body: { messageId, message: question(parts), ...choice },
      }),
    decide: (id, decision, choice, key) =>
      send(chat(id, "decide"), { method: "POST", key, body: { decisions: [decision], ...choice } }),
    follow: (id, turnId, after, signal) => {
      const turn = turnId === undefined ? "" : `&turn=${encodeURIComponent(turnId)}`;
      return send(chat(id, `stream?after=${after}${turn}`), { signal });
    },
    compare: async (conversationId, parts, choices) => {
      const body = { conversationId, message: question(parts), choices };
      return (await post<{ columns: readonly ComparedColumn[] }>("/api/compare", body)).columns;
    },
    count: (conversationId, parts, choice) =>
      post("/api/count", { conversationId, message: question(parts), ...choice }),
    stop: async (id) => void (await send(chat(id, "stop"), { method: "POST" })),
    use: (id, choice) => post(chat(id, "use"), choice),
  };
}

async function readRefusal(response: Response): Promise<ApiError> {
  const fallback = `The server answered ${response.status}.`;
  try {
    const { error } = (await response.json()) as {
      error: { message?: string; code?: string; retryAfterMs?: number; fix?: string };
    };
    const words = [error.message ?? fallback, ...(error.fix === undefined ? [] : [error.fix])].join(
      " ",
    );
    return new ApiError(words, response.status, error.code ?? "", error.retryAfterMs);
  } catch {
    return new ApiError(fallback, response.status, "");
  }
}

export const wordsOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "Something went wrong in the page.";
