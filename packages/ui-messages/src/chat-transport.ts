import { readChunks } from "./read-chunks.ts";
import type { UIChunk } from "./ui-stream.ts";

/** Settings of `createChatTransport`. */
export interface ChatTransportOptions {
  /** The address for questions to the chat server. Default: `/api/chat`. */
  readonly api?: string;
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with every question, e.g. `{ level: "high" }`. */
  readonly body?: object;
  /** Called when the server could not be told to stop: the answer continues there. */
  readonly onStopFailed?: (error: unknown) => void;
}

/** What `useChat` passes with a question. */
export interface ChatRequest {
  readonly trigger: "submit-message" | "regenerate-message";
  readonly chatId: string;
  readonly messageId: string | undefined;
  /** Only the last one is sent. */
  readonly messages: readonly object[];
  readonly abortSignal: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: object;
}

/** What `useChat` passes to continue a stream. */
export type ChatResumption = Pick<ChatRequest, "chatId" | "headers"> & {
  readonly abortSignal?: AbortSignal | undefined;
};

/** A transport for `useChat` of the AI SDK. `Chunk` is its `UIMessageChunk`. */
export interface ChatTransport<Chunk = UIChunk> {
  readonly sendMessages: (request: ChatRequest) => Promise<ReadableStream<Chunk>>;
  readonly reconnectToStream: (request: ChatResumption) => Promise<ReadableStream<Chunk> | null>;
}

/**
 * A `useChat` transport for the chat server. Its `stop()` stops the turn on the server; the AI SDK's
 * own transport only closes the connection, and the answer continues and is paid for. A question is
 * sent without the messages before it: the server has them.
 */
export function createChatTransport<Chunk = UIChunk>(
  options: ChatTransportOptions = {},
): ChatTransport<Chunk> {
  const { api = "/api/chat", headers: always = {}, body: fields = {}, onStopFailed } = options;
  const doFetch = options.fetch ?? globalThis.fetch;
  /**
   * The current reader of each chat. A reader that another one replaces is aborted, too, and stops
   * nothing.
   */
  const readers = new Map<string, object>();
  const addressOf = (chatId: string, verb: string): string =>
    `${api}/${encodeURIComponent(chatId)}/${verb}`;

  const stop = async (chatId: string, headers: Headers): Promise<void> => {
    const response = await doFetch(addressOf(chatId, "stop"), {
      method: "POST",
      headers,
      body: "{}",
      // It arrives also when the page is being left.
      keepalive: true,
    });
    if (!response.ok) throw new Error(`The server did not stop: it answered ${response.status}.`);
  };

  const open = async (
    { chatId, headers: given, abortSignal: signal }: ChatResumption,
    ask: (headers: Headers) => Promise<Response>,
  ): Promise<Response> => {
    const reader = {};
    readers.set(chatId, reader);
    const headers = headersOf(always, given);
    const answer = ask(headers);
    const onStop = async (): Promise<void> => {
      try {
        // A question that was not sent yet cannot be stopped.
        const response = await answer;
        void response.body?.cancel().catch(() => undefined);
        if (readers.get(chatId) === reader && response.ok) await stop(chatId, headers);
      } catch (error) {
        onStopFailed?.(error);
      }
    };
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        void onStop();
        reject(new DOMException("The answer was stopped.", "AbortError"));
      };
      answer.then(resolve, reject);
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    });
  };

  return {
    sendMessages: async (request) => {
      const { chatId, trigger, messageId, messages, abortSignal, body = {} } = request;
      const asked = {
        ...fields,
        ...body,
        id: chatId,
        trigger,
        messageId,
        message: messages.at(-1),
      };
      const response = await open(request, (headers) =>
        doFetch(api, { method: "POST", headers, body: JSON.stringify(asked) }),
      );
      if (!response.ok || response.body === null) throw await refusalOf(response);
      return readChunks<Chunk>(response.body, abortSignal);
    },
    reconnectToStream: async (request) => {
      const response = await open(request, (headers) =>
        doFetch(addressOf(request.chatId, "stream"), { headers }),
      );
      if (response.status === 204) return null;
      if (!response.ok || response.body === null) throw await refusalOf(response);
      return readChunks<Chunk>(response.body, request.abortSignal);
    },
  };
}

function headersOf(
  always: Readonly<Record<string, string>>,
  given: ChatRequest["headers"],
): Headers {
  const headers = new Headers({ "content-type": "application/json", ...always });
  new Headers(given).forEach((value, name) => headers.set(name, value));
  return headers;
}

/** The server's own words, if it gave any. */
async function refusalOf(response: Response): Promise<Error> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: string } };
    if (typeof error?.message === "string") return new Error(error.message);
  } catch {
    // Something else answered, e.g. a proxy.
  }
  return new Error(`The server answered ${response.status}.`);
}
