import { describe, expect, it } from "vitest";
import { createChatTransport, type ChatRequest } from "./chat-transport.ts";
import type { UIChunk } from "./ui-stream.ts";

interface Call {
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
}

const addressOf = (input: string | URL | Request): string =>
  input instanceof Request ? input.url : input.toString();

/** Answers by the address, and notes what was asked. */
function fakeServer(answerTo: (url: string) => Response | Promise<Response>): {
  readonly calls: Call[];
  readonly fetch: typeof fetch;
} {
  const calls: Call[] = [];
  return {
    calls,
    fetch: async (input, init = {}) => {
      const url = addressOf(input);
      const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
      calls.push({ url, method: init.method ?? "GET", body });
      return answerTo(url);
    },
  };
}

const streamOf = (...pieces: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );

/** A stream that says something and stays open. */
const endless = (): Response =>
  new Response(
    new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode('data: {"type":"start"}\n\n')),
    }),
  );

const request = (abortSignal?: AbortSignal): ChatRequest => ({
  trigger: "submit-message",
  chatId: "my chat",
  messageId: undefined,
  messages: [{ id: "a" }, { id: "b" }],
  abortSignal,
});

const readAll = async (stream: ReadableStream<UIChunk> | null): Promise<readonly UIChunk[]> => {
  const chunks: UIChunk[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return chunks;
};

describe("the transport for useChat", () => {
  it("asks with the last message alone, and reads chunks wherever pieces are cut", async () => {
    const server = fakeServer(() =>
      streamOf(
        'id: 1\ndata: {"type":"start"}\n\n: still here\n\nid: 2\nda',
        'ta: {"type":"text-delta","delta":"a\\n\\nb"}\n',
        "\ndata: [DONE]\n\n",
      ),
    );
    const transport = createChatTransport({ fetch: server.fetch, body: { level: "high" } });
    const chunks = await readAll(await transport.sendMessages(request()));
    expect(chunks).toEqual([{ type: "start" }, { type: "text-delta", delta: "a\n\nb" }]);
    const body = { level: "high", id: "my chat", trigger: "submit-message", message: { id: "b" } };
    expect(server.calls).toEqual([{ url: "/api/chat", method: "POST", body }]);
  });

  it("F-W13 a stop ends the reading and tells the server", async () => {
    const server = fakeServer((url) => (url.endsWith("/stop") ? Response.json({}) : endless()));
    const transport = createChatTransport({ api: "/chat", fetch: server.fetch });
    const stopping = new AbortController();
    const stream = await transport.sendMessages(request(stopping.signal));
    const reader = stream.getReader();
    expect((await reader.read()).value).toEqual({ type: "start" });
    stopping.abort();
    expect((await reader.read()).done).toBe(true);
    await expect
      .poll(() => server.calls.at(-1))
      .toEqual({ url: "/chat/my%20chat/stop", method: "POST", body: {} });
  });

  it("F-W13 a stop before the server has answered comes after the question", async () => {
    let answer: ((response: Response) => void) | undefined;
    const later = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const server = fakeServer((url) => (url.endsWith("/stop") ? Response.json({}) : later));
    const transport = createChatTransport({ fetch: server.fetch });
    const stopping = new AbortController();
    const asked = transport.sendMessages(request(stopping.signal));
    stopping.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(server.calls).toHaveLength(1);
    answer?.(endless());
    await expect.poll(() => server.calls.at(-1)?.url).toBe("/api/chat/my%20chat/stop");
  });

  it("a reader that another one replaces stops nothing", async () => {
    const server = fakeServer((url) => (url.endsWith("/stop") ? Response.json({}) : endless()));
    const transport = createChatTransport({ fetch: server.fetch });
    const [first, second] = [new AbortController(), new AbortController()];
    const { chatId } = request();
    await transport.reconnectToStream({ chatId, abortSignal: first.signal });
    first.abort();
    await transport.reconnectToStream({ chatId, abortSignal: second.signal });
    expect(server.calls.map(({ url }) => url)).toEqual([
      "/api/chat/my%20chat/stream",
      "/api/chat/my%20chat/stream",
    ]);
    second.abort();
    await expect.poll(() => server.calls.at(-1)?.url).toBe("/api/chat/my%20chat/stop");
    expect(server.calls).toHaveLength(3);
  });

  it("nothing to continue is null; a refusal has the server's words; a failed stop is told", async () => {
    const error = { message: "Sign in first." };
    const server = fakeServer((url) =>
      url.endsWith("/stream")
        ? new Response(null, { status: 204 })
        : url.endsWith("/stop")
          ? new Response("", { status: 502 })
          : Response.json({ error }, { status: 401 }),
    );
    const failures: unknown[] = [];
    const transport = createChatTransport({
      fetch: server.fetch,
      onStopFailed: (failure) => failures.push(failure),
    });
    expect(await transport.reconnectToStream({ chatId: "a" })).toBeNull();
    await expect(transport.sendMessages(request())).rejects.toThrow("Sign in first.");
    const other = createChatTransport({
      fetch: async (input) =>
        addressOf(input).endsWith("/stop") ? new Response("", { status: 502 }) : endless(),
      onStopFailed: (failure) => failures.push(failure),
    });
    const stopping = new AbortController();
    await other.sendMessages(request(stopping.signal));
    stopping.abort();
    await expect
      .poll(() => failures)
      .toEqual([new Error("The server did not stop: it answered 502.")]);
  });
});
