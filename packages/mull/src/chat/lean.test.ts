import { describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../../../test/loopback.ts";
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

const body = (text: string, size = 7, isOpen = false): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)));
      else if (!isOpen) controller.close();
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

const lostBy = (code: string, message: string): Error =>
  new TypeError(message, { cause: Object.assign(new Error("lost"), { code }) });

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
    for await (const event of streamTurn(from, asked, { random: () => 0, ...options })) {
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

describe("F-R1 F-R6: a lean turn asks again while the service is busy", () => {
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

  test("and stops when it is answered", async () => {
    const lost = lostBy("ECONNRESET", "fetch failed");
    const { fetch, sent } = service(refusal(529, "busy"), lost, stream(whole));
    expect((await read({ fetch })).error).toBeUndefined();
    expect(sent).toHaveLength(3);
    expect(sent[2]?.init.body).toBe(sent[0]?.init.body);
  });

  test("but not for ever, not for refusals and not for longer than a minute", async () => {
    const lost = lostBy("ENOTFOUND", `fetch failed with ${key}`);
    const dead = service(lost, lost, lost, lost);
    expect((await read({ fetch: dead.fetch })).error).toMatchObject({
      category: "network",
      code: "ENOTFOUND",
      message: "api.test: the name does not resolve (ENOTFOUND).",
    });
    expect(dead.sent).toHaveLength(3);
    const firm = service(refusal(400, `no, ${key}`));
    const { error } = await read({ fetch: firm.fetch });
    expect(error).toMatchObject({ category: "invalid_argument", status: 400 });
    expect(error?.message).not.toContain(key);
    const late = service(refusal(429, "later", { "retry-after": "300" }));
    expect((await read({ fetch: late.fetch })).error).toMatchObject({ retryAfterMs: 300_000 });
  });

  test("and never follows a redirect or reads a page", async () => {
    const moved = new Response(null, { status: 307, headers: { location: "https://evil.test" } });
    expect((await read({ fetch: service(moved).fetch })).error?.code).toBe("redirect");
    const page = new Response("<html>", { headers: { "content-type": "text/html" } });
    expect((await read({ fetch: service(page).fetch })).error?.code).toBe("content_type");
  });
});

test("a lean turn waits as long as the service asks, also longer than it may be silent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { fetch, sent } = service(refusal(429, "later", { "retry-after": "30" }), stream(whole));
  const turn = read({ fetch, limits: { firstByteMs: 10_000, idleMs: 10_000 } });
  for (let second = 0; second < 31; second++) await vi.advanceTimersByTimeAsync(1000);
  const { events, error } = await turn;
  expect(error).toBeUndefined();
  expect(events.at(-1)?.type).toBe("finish");
  expect(sent).toHaveLength(2);
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

const hanging = (): Response =>
  new Response(body(begin, 1000, true), { headers: { "content-type": "text/event-stream" } });

describe("F-N1: a lean turn ends when it is told to", () => {
  test("by a signal, before and within the answer", async () => {
    const gone = { signal: AbortSignal.abort("no"), fetch: service(stream(whole)).fetch };
    expect((await read(gone)).error?.category).toBe("aborted");
    const controller = new AbortController();
    const turn = streamTurn(target, request, {
      fetch: service(hanging()).fetch,
      signal: controller.signal,
    });
    expect((await turn.next()).value).toMatchObject({ type: "start" });
    const next = turn.next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ category: "aborted", partial: {} });
  });

  test("by silence", async () => {
    const { events, error } = await read({
      fetch: service(hanging()).fetch,
      limits: { idleMs: 20 },
    });
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ category: "timeout", code: "idleMs" });
  });

  test("silence behind Gemini's finish reason ends the answer, and is no failure", async () => {
    const chunk = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
    const answer = new Response(body(`data: ${JSON.stringify(chunk)}\n\n`, 1000, true), {
      headers: { "content-type": "text/event-stream" },
    });
    const google = { ...target, wire: googleGenerate };
    const { events, error } = await read(
      { fetch: service(answer).fetch, limits: { idleMs: 20 } },
      google,
      {
        ...request,
        model: "gemini-3.5-pro",
        thinking: { type: "default" },
      },
    );
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: "finish", reply: { finish: { raw: "STOP" } } });
  });

  test("by leaving the loop: the connection is closed", async () => {
    const { fetch, sent } = service(stream(whole));
    for await (const event of streamTurn(target, request, { fetch })) {
      if (event.type === "thinking") break;
    }
    expect(sent[0]?.init.signal?.aborted).toBe(true);
  });
});

describe("a lean turn is read as every other stream is", () => {
  test("its reader who went away is noticed: the connection is closed", async () => {
    const { fetch, sent } = service(hanging());
    const turn = streamTurn(target, request, { fetch, limits: { idleMs: 20 } });
    expect((await turn.next()).value).toMatchObject({ type: "start" });
    await until(() => sent[0]?.init.signal?.aborted === true);
    await expect(turn.next()).rejects.toMatchObject({
      code: "idleMs",
      message: expect.stringContaining("lay unread"),
    });
  });

  test("pings are heartbeats", async () => {
    let time = 0;
    const texts = [begin, frame({ type: "ping" }), block(0, "text", "Hello") + end];
    const paced = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          time += 2000;
          const text = texts.shift();
          if (text === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(text));
        },
      },
      { highWaterMark: 0 },
    );
    const { fetch } = service(new Response(paced));
    const { events } = await read({ fetch, now: () => time });
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(["start", "heartbeat", "text"]);
  });

  test("what an emulator answers is marked, so that its seals stay at home", async () => {
    const headers = { "content-type": "text/event-stream", "x-mull-simulated": "true" };
    const { fetch } = service(new Response(body(whole), { headers }));
    const { events } = await read({ fetch });
    expect(events.at(-1)).toMatchObject({ reply: { message: { origin: { simulated: true } } } });
  });

  test("a second loop is refused", async () => {
    const turn = streamTurn(target, request, { fetch: service(stream(whole)).fetch });
    for await (const event of turn) void event;
    const again = async (): Promise<void> => {
      for await (const event of turn) void event;
    };
    await expect(again()).rejects.toMatchObject({ code: "already_read" });
  });
});
