import type { UIMessage } from "@mull/ui-messages";
import { listedAtOnce, type Api, type ComparedColumn, type Conversation } from "./api.ts";
import { connect, type ApiListener, type Connection, type PageFetch } from "./connection.ts";
import type { SpendingRow } from "./usage/spending.ts";

/** More than fit on a screen are there at once; those before them are read while these are shown. */
const [latestAtOnce, earlierAtOnce] = [60, 500];

const at = (id: string, rest = ""): string => `/api/conversations/${encodeURIComponent(id)}${rest}`;
const chat = (id: string, rest: string): string => `/api/chat/${encodeURIComponent(id)}/${rest}`;
const question = (parts: UIMessage["parts"]): object => ({ role: "user", parts });

export function createApi(fetch: PageFetch, listener: ApiListener): Api {
  const connection = connect(fetch, listener);
  return {
    ...accountCalls(connection),
    ...conversationCalls(connection),
    ...turnCalls(connection),
  };
}

const accountCalls = ({ send, get, post }: Connection) =>
  ({
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
  }) satisfies Partial<Api>;

const conversationCalls = ({ send, get, post }: Connection) =>
  ({
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
  }) satisfies Partial<Api>;

const turnCalls = ({ send, post }: Connection) =>
  ({
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
  }) satisfies Partial<Api>;
