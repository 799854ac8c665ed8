import { describe, expect, test } from "vitest";
import { failureOf, type HttpLoopback, serveHttp, until } from "../../../../test/loopback.ts";
import { streamChat } from "../chat/ask.ts";
import type { ChatOptions } from "../chat/request-options.ts";
import type { Fetch } from "../types/http.ts";
import { Agent } from "./agent.ts";
import { tool } from "./tool.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const words = (text: string): string =>
  frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

const begin =
  frame({ type: "message_start", message: { id: "m", role: "assistant", usage: {} } }) +
  frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
  words("Hello");

/** Writes on and on, so that only the reader can be the one who went away. */
const serveForever = (): Promise<HttpLoopback> =>
  serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(begin);
    const timer = setInterval(() => response.write(words(".")), 5);
    response.on("close", () => clearInterval(timer));
  });

const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

const paths: readonly (readonly [string, Pick<ChatOptions, "fetch">])[] = [
  ["Node's client", {}],
  ["fetch", { fetch: (url, init) => fetch(url, init) }],
];

describe.each(paths)("a half-read answer whose reader went away, through %s", (_name, path) => {
  test("streamChat: the idle limit closes every socket", async () => {
    const server = await serveForever();
    const options = { apiKey: "k", baseUrl: server.url, limits: { idleMs: 1500 }, ...path };
    const streams = Array.from({ length: 20 }, () =>
      streamChat("claude-opus-5-5", question, options),
    );
    for (const stream of streams) {
      await stream.next();
      await stream.next();
    }
    expect(server.connections()).toBe(20);
    await until(() => server.answering() === 0, 15_000);
  });

  test("Agent: the idle limit closes the socket, and the history keeps what came", async () => {
    const server = await serveForever();
    const agent = new Agent("claude-opus-5-5", {
      apiKey: "k",
      baseUrl: server.url,
      limits: { idleMs: 1500 },
      ...path,
    });
    const events = agent.sendStream("Hi").events()[Symbol.asyncIterator]();
    await events.next();
    await until(() => server.answering() === 0 && !agent.isRunning, 15_000);
    const readOn = async (): Promise<void> => {
      while (!(await events.next()).done);
    };
    expect(await failureOf(readOn())).toMatchObject({
      category: "timeout",
      code: "idleMs",
      partial: { message: { role: "assistant" } },
    });
    expect(agent.history.messages.at(-1)).toMatchObject({ role: "assistant", interrupted: true });
  });
});

/** Answers in process and then says nothing more, so that no socket keeps the process alive. */
const answerAndWait =
  (...texts: readonly string[]): Fetch =>
  async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };

/** Those that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("a half-read answer whose reader went away does not keep the process alive", async () => {
  const before = timers();
  const stream = streamChat("claude-opus-5-5", question, {
    apiKey: "k",
    fetch: answerAndWait(begin),
    limits: { totalMs: 600_000 },
  });
  await stream.next();
  expect(timers()).toBe(before);
  await stream.return?.();
});

/** A clock that stands still until somebody moves it. */
function holdClock(): Required<Pick<ChatOptions, "now" | "schedule">> & {
  readonly pass: (ms: number) => void;
} {
  let time = 0;
  const due = new Map<() => void, number>();
  return {
    now: () => time,
    schedule: (run, ms) => {
      const once = (): void => run();
      due.set(once, time + ms);
      return () => void due.delete(once);
    },
    pass: (ms) => {
      time += ms;
      for (const [run, at] of due) if (at <= time && due.delete(run)) run();
    },
  };
}

describe("a turn whose reader went away", () => {
  const call =
    begin +
    frame({ type: "content_block_stop", index: 0 }) +
    frame({
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "toolu_1", name: "look", input: {} },
    }) +
    frame({ type: "content_block_stop", index: 1 }) +
    frame({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} }) +
    frame({ type: "message_stop" });

  test.each(["answer", "step", "tool-result"])(
    "after the event %s, the agent can be asked again",
    async (type) => {
      const { pass, ...clock } = holdClock();
      const agent = new Agent("claude-opus-5-5", {
        apiKey: "k",
        fetch: answerAndWait(call),
        limits: { idleMs: 1000 },
        tools: [
          tool({
            name: "look",
            description: "Looks.",
            input: { type: "object" },
            run: () => "seen",
          }),
        ],
        ...clock,
      });
      const events = agent.sendStream("Hi").events()[Symbol.asyncIterator]();
      for (let step = await events.next(); step.value?.type !== type; step = await events.next());
      expect(agent.isRunning).toBe(true);
      pass(1000);
      pass(1000);
      await until(() => !agent.isRunning);
      const again = agent.sendStream("Hi again").events()[Symbol.asyncIterator]();
      expect(await again.next()).toMatchObject({ done: false });
      await again.return?.();
      const readOn = async (): Promise<void> => {
        while (!(await events.next()).done);
      };
      expect(await failureOf(readOn())).toMatchObject({ code: "idleMs", turn: "partial" });
    },
  );
});
