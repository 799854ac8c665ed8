import { describe, expect, test } from "vitest";
import { failureOf, serveHttp, until } from "../../../../test/loopback.ts";
import { streamChat } from "../chat/ask.ts";
import { streamTurn } from "../chat/lean.ts";
import type { MullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import { anthropicMessages } from "../wire/anthropic-messages/index.ts";
import { Agent } from "./agent.ts";
import { tool } from "./tool.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const start = frame({
  type: "message_start",
  message: { id: "m", role: "assistant", usage: {} },
});

const call =
  start +
  frame({
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "toolu_1", name: "look", input: {} },
  }) +
  frame({ type: "content_block_stop", index: 0 }) +
  frame({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} }) +
  frame({ type: "message_stop" });

const events = { "content-type": "text/event-stream" };
const hanging: Fetch = async () =>
  new Response(
    new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(start)) }),
    { headers: events },
  );
const busy: Fetch = async () => new Response("{}", { status: 529 });
const calling: Fetch = async () => new Response(call, { headers: events });
const never: Fetch = () => new Promise(() => undefined);
const request = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

/** Reads to the end, and calls `onEvent` with the first event. */
async function drain(stream: AsyncIterable<unknown>, onEvent: () => void): Promise<void> {
  for await (const event of stream) {
    void event;
    onEvent();
  }
}

const lean = {
  wire: anthropicMessages,
  baseUrl: "https://api.test",
  headers: { "x-api-key": "secret-key-value" },
};

type Way = (signal: AbortSignal, abort: () => void) => Promise<unknown>;

/** Sleeps until it is stopped, which it is at once. */
const stoppedSleep =
  (abort: () => void) =>
  (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      abort();
    });

const ways: Readonly<Record<string, Way>> = {
  "streamChat, before sending": (signal, abort) => {
    abort();
    return streamChat("claude-opus-5-5", request, { apiKey: "k", signal, fetch: never }).result();
  },
  "streamChat, before the headers": (signal, abort) => {
    const fetch: Fetch = (url, init) => {
      queueMicrotask(abort);
      return never(url, init);
    };
    return streamChat("claude-opus-5-5", request, { apiKey: "k", signal, fetch }).result();
  },
  "streamChat, while it waits to retry": (signal, abort) =>
    streamChat("claude-opus-5-5", request, {
      apiKey: "k",
      signal,
      fetch: busy,
      sleep: stoppedSleep(abort),
    }).result(),
  "streamChat, in mid-stream": (signal, abort) =>
    drain(streamChat("claude-opus-5-5", request, { apiKey: "k", signal, fetch: hanging }), abort),
  "Agent, in mid-stream": (signal, abort) =>
    drain(
      new Agent("claude-opus-5-5", { apiKey: "k", fetch: hanging })
        .sendStream("Hi", { signal })
        .events(),
      abort,
    ),
  "Agent, while a tool runs": (signal, abort) => {
    const look = tool({
      name: "look",
      description: "Looks.",
      input: { type: "object" },
      run: () => {
        abort();
        return new Promise<string>(() => undefined);
      },
    });
    const agent = new Agent("claude-opus-5-5", { apiKey: "k", fetch: calling, tools: [look] });
    return agent.send("Hi", { signal });
  },
  "lean, before sending": (signal, abort) => {
    abort();
    return drain(
      streamTurn(lean, { model: "m", ...request }, { signal, fetch: never }),
      () => undefined,
    );
  },
  "lean, in mid-stream": async (signal, abort) => {
    const server = await serveHttp((_, response) => {
      response.writeHead(200, events).write(start);
    });
    const target = { ...lean, baseUrl: server.url };
    return drain(streamTurn(target, { model: "m", ...request }, { signal }), abort);
  },
};

async function stop(way: Way, reason: unknown): Promise<MullError> {
  const controller = new AbortController();
  return failureOf(way(controller.signal, () => controller.abort(reason)));
}

describe("what a stopped call says", () => {
  test.each(Object.entries(ways))(
    "%s: aborted, and the caller's own reason is the cause",
    async (_, way) => {
      const reason = new Error("the user closed the tab");
      const error = await stop(way, reason);
      expect(error).toMatchObject({ category: "aborted", retryable: false });
      expect(error.cause).toBe(reason);
      expect((await stop(way, "any value")).cause).toBe("any value");
    },
  );

  test.each(Object.entries(ways))(
    "%s: a signal that timed out is a timeout, with its reason as the cause",
    async (_, way) => {
      const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
      const error = await stop(way, reason);
      expect(error).toMatchObject({ category: "timeout", code: "signal", retryable: false });
      expect(error.cause).toBe(reason);
    },
  );

  test("AbortSignal.timeout itself, over a socket: timeout, and the socket is closed", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, events).write(start);
    });
    const signal = AbortSignal.timeout(50);
    const error = await failureOf(
      streamChat("claude-opus-5-5", request, {
        apiKey: "k",
        baseUrl: server.url,
        signal,
      }).result(),
    );
    expect(error).toMatchObject({ category: "timeout", code: "signal" });
    expect(error.cause).toBe(signal.reason);
    await until(() => server.answering() === 0);
  });
});
