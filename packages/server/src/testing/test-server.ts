import { emulate, type Emulator, type EmulatorOptions } from "@mull/emulator";
import { memoryStore, type Store } from "@mull/store";
import { chatServer, type ChatServer } from "../app.ts";
import type { ChatServerParts, LogEntry } from "../parts.ts";
import { calculator } from "../tools/calculator.ts";
import { offlineSearch, searchWeb } from "../tools/search-web.ts";

export const origin = "http://localhost:3001";

export interface TestServer {
  readonly app: ChatServer;
  readonly emulator: Emulator;
  readonly store: Store;
  readonly logs: LogEntry[];
  readonly visitor: () => Visitor;
  /** A visitor with an account. */
  readonly signedUp: (name: string) => Promise<Visitor>;
}

/** Small enough for tests, but with the form of the real one. */
export const cheapPasswords = { log2N: 8, r: 8, p: 1 } as const;

export function testServer(
  given: Partial<ChatServerParts> & {
    readonly emulator?: EmulatorOptions;
    readonly keptStore?: Store;
  } = {},
): TestServer {
  const { emulator: emulatorOptions, keptStore, ...parts } = given;
  const emulator = emulate({ secret: "test", ...emulatorOptions });
  const store = keptStore ?? memoryStore();
  const logs: LogEntry[] = [];
  const app = chatServer({
    store,
    upstream: () => ({ fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true }),
    tools: [searchWeb(offlineSearch), calculator],
    model: "claude-sonnet-4-5",
    passwordCost: cheapPasswords,
    log: (entry) => logs.push(entry),
    ...parts,
    limits: { requestsPerSecond: 100_000, requestBurst: 100_000, ...parts.limits },
  });
  const visitor = (): Visitor => new Visitor((url, init) => app(url, init), origin);
  return {
    app,
    emulator,
    store,
    logs,
    visitor,
    signedUp: async (name) => {
      const made = visitor();
      await made.signUp(name);
      return made;
    },
  };
}

export interface Asking {
  readonly text: string;
  readonly id?: string;
  readonly messageId?: string;
  readonly model?: string;
  readonly level?: string;
  readonly key?: string;
  readonly expectedHead?: string | null;
}

/** A person with a browser, which keeps its cookie and sends its origin. */
export class Visitor {
  cookie = "";
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly origin: string;

  constructor(fetch: (url: string, init: RequestInit) => Promise<Response>, base: string) {
    this.#fetch = fetch;
    this.origin = base;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const response = await this.#fetch(this.origin + path, {
      method,
      headers: {
        origin: this.origin,
        ...(this.cookie !== "" && { cookie: this.cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) this.cookie = set.split(";").at(0)!;
    return response;
  }

  async json<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async signUp(name: string): Promise<void> {
    await this.json("POST", "/api/account/sign-up", { name, password: "correct horse" });
  }

  async newConversation(model?: string): Promise<string> {
    const body = model === undefined ? {} : { model };
    return (await this.json<{ id: string }>("POST", "/api/conversations", body)).id;
  }

  /** Asks as `useChat` does; the answer streams. */
  ask(conversationId: string, given: Asking): Promise<Response> {
    const { text, id, key, ...rest } = given;
    const message = {
      role: "user",
      parts: [{ type: "text", text }],
      ...(id !== undefined && { id }),
    };
    return this.call(
      "POST",
      "/api/chat",
      { id: conversationId, messages: [message], trigger: "submit-message", ...rest },
      key === undefined ? {} : { "idempotency-key": key },
    );
  }

  /** Asks and reads to the end. */
  async askWhole(conversationId: string, text: string, model?: string): Promise<readonly Chunk[]> {
    const response = await this.ask(conversationId, {
      text,
      ...(model !== undefined && { model }),
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return readChunks(await response.text());
  }
}

export type Chunk = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly at?: number;
};

/** Chunks of a stream with their numbers. */
export const readChunks = (stream: string): readonly Chunk[] =>
  stream.split("\n\n").flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data === undefined || data === "[DONE]") return [];
    const at = /^id: (\d+)$/m.exec(frame)?.[1];
    return [{ ...(JSON.parse(data) as Chunk), ...(at !== undefined && { at: Number(at) }) }];
  });

export const isWhole = (stream: string): boolean => stream.endsWith("data: [DONE]\n\n");

export const textIn = (chunks: readonly Chunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text-delta" ? String(chunk["delta"]) : "")).join("");
