import { describe, expect, test, vi } from "vitest";
import { serveHttp } from "../../../../test/loopback.ts";
import { type LeanOptions, type LeanRequest, type LeanTarget, streamTurn } from "./lean.ts";
import type { MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { Fetch } from "../types/http.ts";
import { anthropicMessages } from "../wire/anthropic-messages/index.ts";
import { googleGenerate } from "../wire/google-generate/index.ts";

const key = ["secret", "key", "value"].join("-");
const target: LeanTarget = {
  wire: anthropicMessages,
  baseUrl: "https://api.test/",
  headers: { "x-api-key": key },
};
const request: LeanRequest = {
  model: "claude-opus-5-5",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  thinking: { type: "effort", effort: "high" },
  maxOutputTokens: 2000,
};

const frame = (data: Readonly<Record<string, unknown>>): string =>
  `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;
const begin = frame({ type: "message_start", message: { id: "m", model: "claude", usage: {} } });
const block = (index: number, type: string, text: string): string =>
  frame({ type: "content_block_start", index, content_block: { type, [type]: "" } }) +
  frame({ type: "content_block_delta", index, delta: { type: `${type}_delta`, [type]: text } }) +
  frame({ type: "content_block_stop", index });
const end =
  frame({
    type: "message_delta",
    delta: { stop_reason: "end_turn" },
    usage: { output_tokens: 3 },
  }) + frame({ type: "message_stop" });
const whole = begin + block(0, "thinking", "hm…") + block(1, "text", "Hello") + end;

const body = (text: string, size = 7): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)));
      else controller.close();
    },
  });
};
const stream = (text: string): Response =>
  new Response(body(text), { headers: { "content-type": "text/event-stream; charset=utf-8" } });
const refusal = (status: number, message: string, headers = {}): Response =>
  new Response(JSON.stringify({ type: "error", error: { type: "x", message } }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: { readonly thinking?: unknown };
}

/** Answers in turn; an `Error` is thrown. */
function service(...answers: readonly (Response | Error)[]): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = (url, init) => {
    const answer = answers[sent.length] ?? new Error("nothing more was expected");
    sent.push({ url, init, body: JSON.parse(init.body as string) as Sent["body"] });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { fetch, sent };
}

async function read(
  options: LeanOptions,
  from: LeanTarget = target,
  asked: LeanRequest = request,
): Promise<{ readonly events: readonly StreamEvent[]; readonly error?: MullError }> {
  const events: StreamEvent[] = [];
  try {
    for await (const event of streamTurn(from, asked, options)) {
      events.push(event);
    }
    return { events };
  } catch (error) {
    return { events, error: error as MullError };
  }
}

test("a lean turn sends what it was told and streams thinking and text", async () => {
  const { fetch, sent } = service(stream(whole));
  const { events, error } = await read({ fetch });
  expect(error).toBeUndefined();
  expect(events.map(({ type }) => type)).toEqual([
    "start",
    "thinking",
    "part",
    "text",
    "part",
    "finish",
  ]);
  expect(events.at(-1)).toMatchObject({
    reply: { finish: { reason: "stop" }, message: { origin: { endpoint: "https://api.test" } } },
  });
  expect(sent[0]?.url).toBe("https://api.test/v1/messages");
  expect(sent[0]?.init.headers).toMatchObject({ "x-api-key": key });
  expect(sent[0]?.body).toMatchObject({
    model: "claude-opus-5-5",
    max_tokens: 2000,
    stream: true,
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
  });
});

test.each<[string, LeanRequest["thinking"], unknown]>([
  [
    "a budget",
    { type: "budget", tokens: 1500 },
    expect.objectContaining({ type: "enabled", budget_tokens: 1500 }),
  ],
  ["off", { type: "off", form: "disabled" }, { type: "disabled" }],
  ["the service's choice", undefined, undefined],
])("a lean turn takes %s as its setting", async (_, thinking, expected) => {
  const { fetch, sent } = service(stream(whole));
  const { thinking: _high, ...plain } = request;
  await read({ fetch }, target, thinking ? { ...plain, thinking } : plain);
  expect(sent[0]?.body.thinking).toEqual(expected);
});

test("a lean turn speaks any wire", async () => {
  const chunk = {
    candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP", index: 0 }],
  };
  const { fetch, sent } = service(stream(`data: ${JSON.stringify(chunk)}\r\n\r\n`));
  const google = { ...target, wire: googleGenerate, provider: "google" };
  const setting = { type: "level", level: "LOW" } as const;
  const { events } = await read({ fetch }, google, {
    ...request,
    model: "gemini-3.5-pro",
    thinking: setting,
  });
  expect(events).toContainEqual({ type: "text", index: 0, delta: "Hello" });
  expect(JSON.stringify(sent[0]?.body)).toContain('"LOW"');
});

test("the caller's betas come on top of those the request needs", async () => {
  const { fetch, sent } = service(stream(whole));
  const headers = { "x-api-key": key, "anthropic-beta": "context-1m-2025-08-07" };
  const tools = [{ name: "f", inputSchema: { type: "object" } }];
  const thinking = { type: "budget", tokens: 1024 } as const;
  await read({ fetch }, { ...target, headers }, { ...request, tools, thinking });
  expect(sent[0]?.init.headers).toMatchObject({
    "anthropic-beta": "interleaved-thinking-2025-05-14,context-1m-2025-08-07",
  });
});

describe("F-R1 F-R6: a lean turn says whether asking again can help", () => {
  test.each([
    [529, {}, { category: "overloaded", retryable: true }],
    [429, {}, { category: "rate_limit", retryable: true }],
    [400, {}, { category: "invalid_argument", retryable: false }],
  ] as const)("a refusal with %i", async (status, headers, expected) => {
    const { fetch, sent } = service(refusal(status, `no, ${key}`, headers), stream(whole));
    const { error } = await read({ fetch });
    expect(error).toMatchObject({ status, provider: "anthropic-messages", ...expected });
    expect(error?.message).toBe(
      "anthropic-messages: no, [redacted] (STATUS x)".replace("STATUS", `${status}`),
    );
    expect(sent).toHaveLength(1);
  });

  test("a lost connection", async () => {
    const { fetch, sent } = service(new TypeError(`fetch failed with ${key}`), stream(whole));
    const { error } = await read({ fetch });
    expect(error).toMatchObject({
      category: "network",
      retryable: true,
      message: "api.test: the connection failed.",
      cause: { message: "TypeError: fetch failed with [redacted]" },
    });
    expect(sent).toHaveLength(1);
  });

  test("a redirect, which is never followed", async () => {
    const asked: string[] = [];
    const elsewhere = await serveHttp((incoming, response) => {
      asked.push(incoming.url ?? "");
      response.end();
    });
    const server = await serveHttp((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const { error } = await read({}, { ...target, baseUrl: server.url });
    expect(error?.category).toBe("network");
    expect(asked).toEqual([]);
  });

  test("a page instead of an answer", async () => {
    const page = new Response("<html>", { headers: { "content-type": "text/html" } });
    const { error } = await read({ fetch: service(page).fetch });
    expect(error).toMatchObject({ category: "protocol", code: "empty_response" });
  });
});

describe("F-R1: a lean turn that is told when to come back", () => {
  test("asks again then, however long that is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const busy = refusal(429, "later", { "retry-after": "90" });
      const { fetch, sent } = service(busy, stream(whole));
      const coming = read({ fetch });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      await vi.advanceTimersByTimeAsync(85_000);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(5000);
      expect((await coming).events.at(-1)?.type).toBe("finish");
    } finally {
      vi.useRealTimers();
    }
  });

  test("twice at most", async () => {
    const soon = [1, 2, 3].map(() => refusal(529, "busy", { "retry-after-ms": "1" }));
    const { fetch, sent } = service(...soon, stream(whole));
    expect((await read({ fetch })).error).toMatchObject({
      category: "overloaded",
      retryAfterMs: 1,
    });
    expect(sent).toHaveLength(3);
  });

  test("not behind a signal that ended the wait", async () => {
    const controller = new AbortController();
    const { fetch, sent } = service(refusal(429, "later", { "retry-after": "90" }));
    const coming = read({ fetch, signal: controller.signal });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    controller.abort();
    expect((await coming).error?.category).toBe("aborted");
  });
});

describe("F-S3 F-S5: a lean stream that breaks", () => {
  test("hands out what came, then throws it as partial", async () => {
    const { events, error } = await read({ fetch: service(stream(whole.slice(0, -60))).fetch });
    expect(events.at(-1)?.type).toBe("part");
    expect(error).toMatchObject({
      code: "truncated",
      partial: { message: { interrupted: true, parts: [{ type: "thinking" }, { text: "Hello" }] } },
    });
  });

  test("by a bare error object says what the service says", async () => {
    const bare = JSON.stringify({ type: "error", error: { type: "api_error", message: "oops" } });
    const said = stream(begin + block(0, "text", "Hello") + bare);
    const { error } = await read({ fetch: service(said).fetch });
    expect(error?.message).toContain("oops");
  });
});

describe("F-N1: a lean turn ends when it is told to", () => {
  test("by a signal, before the answer and within it", async () => {
    const gone = { signal: AbortSignal.abort("no"), fetch: service(stream(whole)).fetch };
    expect((await read(gone)).error).toMatchObject({ category: "aborted", cause: "no" });
    const server = await serveHttp((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(begin);
    });
    const controller = new AbortController();
    const turn = streamTurn({ ...target, baseUrl: server.url }, request, controller);
    expect((await turn.next()).value).toMatchObject({ type: "start" });
    const next = turn.next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ category: "aborted", partial: {} });
  });

  test("by leaving the loop: the body is cancelled", async () => {
    const left = vi.fn<() => void>();
    const bytes = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(begin)),
      cancel: left,
    });
    for await (const event of streamTurn(target, request, service(new Response(bytes)))) {
      if (event.type === "start") break;
    }
    expect(left).toHaveBeenCalledOnce();
  });
});

test("what an emulator answers is marked, so that its seals stay at home", async () => {
  const headers = { "content-type": "text/event-stream", "x-mull-simulated": "true" };
  const { fetch } = service(new Response(body(whole), { headers }));
  const { events } = await read({ fetch });
  expect(events.at(-1)).toMatchObject({ reply: { message: { origin: { simulated: true } } } });
});
