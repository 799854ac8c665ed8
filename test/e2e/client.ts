import { randomUUID } from "node:crypto";
import type { HistoryJson, JsonObject, Message } from "mull";

/** Anything that answers requests: `fetch` and a backend's address, or a server in process. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export interface Answer {
  readonly status: number;
  /** The stream as it came. */
  readonly raw: string;
  readonly text: string;
  readonly error?: string;
}

/** What a person with a browser does, over HTTP. */
export class ChatClient {
  readonly #send: Send;
  readonly #base: string;
  #cookie = "";

  constructor(base: string, send: Send = fetch) {
    this.#base = base.replace(/\/+$/, "");
    this.#send = send;
  }

  /** Once: a session that still holds is used again. */
  async signIn(name: string, password: string): Promise<void> {
    if (this.#cookie !== "" && (await this.#call("GET", "/api/account")).ok) return;
    const known = await this.#call("POST", "/api/account/sign-in", { name, password });
    const signedIn = known.ok
      ? known
      : await this.#call("POST", "/api/account/sign-up", { name, password });
    if (!signedIn.ok)
      throw new Error(`cannot sign in: ${signedIn.status} ${await signedIn.text()}`);
  }

  async createConversation(model?: string, level?: string): Promise<string> {
    return (await this.#json<{ id: string }>("POST", "/api/conversations", { model, level })).id;
  }

  async ask(conversationId: string, question: string): Promise<Answer> {
    const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text: question }] };
    const response = await this.#call("POST", "/api/chat", {
      id: conversationId,
      messages: [message],
      trigger: "submit-message",
    });
    const raw = await response.text();
    const chunks = raw.split("\n\n").flatMap((frame) => {
      const data = /^data: (\{.*)$/m.exec(frame)?.[1];
      return data === undefined
        ? []
        : [JSON.parse(data) as { type: string; [key: string]: unknown }];
    });
    const error = chunks.find((chunk) => chunk.type === "error")?.["errorText"];
    const text = chunks
      .map((chunk) => (chunk.type === "text-delta" ? chunk["delta"] : ""))
      .join("");
    const refusal = response.ok ? undefined : raw;
    const said = typeof error === "string" ? error : refusal;
    return { status: response.status, raw, text, ...(said !== undefined && { error: said }) };
  }

  /** The stored messages of the conversation, first to last. */
  async stored(conversationId: string): Promise<readonly Message[]> {
    const { history } = await this.exported(conversationId);
    return history.entries.map((entry) => entry.message);
  }

  exported(conversationId: string): Promise<{ readonly history: HistoryJson }> {
    return this.#json("GET", `/api/conversations/${conversationId}/export`);
  }

  async imported(history: HistoryJson, model: string): Promise<string> {
    const made = await this.#json<{ conversation: { id: string } }>(
      "POST",
      "/api/conversations/import",
      { history, model },
    );
    return made.conversation.id;
  }

  /** The request body that the conversation would be continued with. */
  async wouldSend(conversationId: string, model: string): Promise<JsonObject> {
    const path = `/api/conversations/${conversationId}/inspect?model=${model}`;
    return (await this.#json<{ body: JsonObject }>("GET", path)).body;
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#call(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async #call(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await this.#send(this.#base + path, {
      method,
      headers: {
        origin: new URL(this.#base).origin,
        cookie: this.#cookie,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) this.#cookie = set.split(";").at(0) ?? "";
    return response;
  }
}
