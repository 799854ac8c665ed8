import { describe, expect, test } from "vitest";
import { failureOf, type HttpLoopback, serveHttp, until } from "../../../../test/loopback.ts";
import { streamChat } from "../chat/ask.ts";
import type { ChatOptions } from "../chat/options.ts";
import { Agent } from "./agent.ts";

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
    await until(() => server.answering() === 0, 15_000);
    const readOn = async (): Promise<void> => {
      while (!(await events.next()).done);
    };
    expect(await failureOf(readOn())).toMatchObject({
      category: "timeout",
      code: "idleMs",
      partial: { message: { role: "assistant" } },
    });
    expect(agent.isRunning).toBe(false);
    expect(agent.history.messages.at(-1)).toMatchObject({ role: "assistant", interrupted: true });
  });
});
