import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf, serveHttp, until } from "../../../../test/loopback.ts";
import { Agent } from "./agent.ts";
import { tool } from "./tool.ts";
import { chat } from "../chat/ask.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const answer = (block: Readonly<Record<string, unknown>>, reason: string): string =>
  frame({ type: "message_start", message: { id: "m", role: "assistant", usage: {} } }) +
  frame({ type: "content_block_start", index: 0, content_block: block }) +
  frame({ type: "content_block_stop", index: 0 }) +
  frame({ type: "message_delta", delta: { stop_reason: reason }, usage: {} }) +
  frame({ type: "message_stop" });

const hello = answer({ type: "text", text: "hello" }, "end_turn");
const call = answer({ type: "tool_use", id: "toolu_1", name: "look", input: {} }, "tool_use");

const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

/** Answers later than a timer that overflowed would fire. */
const serveSlowly = async (...answers: readonly string[]): Promise<string> => {
  let asked = 0;
  const server = await serveHttp((_request, response) => {
    const text = answers[asked++] ?? hello;
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      setTimeout(() => response.end(text), 20);
    }, 20);
  });
  return server.url;
};

function watchWarnings(): readonly string[] {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}

describe.each([1e12, Infinity])("a limit of %d ms is no limit", (ms) => {
  test("for a request", async () => {
    const warnings = watchWarnings();
    const limits = { firstByteMs: ms, idleMs: ms, progressMs: ms, totalMs: ms };
    const baseUrl = await serveSlowly();
    const { text } = await chat("claude-opus-5-5", question, {
      apiKey: "k",
      baseUrl,
      limits,
      maxWaitMs: ms,
    });
    expect(text).toBe("hello");
    expect(warnings).toEqual([]);
  });

  test("for a tool", async () => {
    const warnings = watchWarnings();
    const look = tool({
      name: "look",
      description: "Looks.",
      input: { type: "object" },
      run: () => new Promise<string>((resolve) => setTimeout(() => resolve("found"), 20)),
    });
    const agent = new Agent("claude-opus-5-5", {
      apiKey: "k",
      baseUrl: await serveSlowly(call, hello),
      tools: [look],
      toolTimeoutMs: ms,
    });
    await agent.send("Hi");
    expect(JSON.stringify(agent.history.messages)).toContain('"output":"found"');
    expect(warnings).toEqual([]);
  });

  test("for the wait that a service asks for: it is not over at once", async () => {
    const warnings = watchWarnings();
    const controller = new AbortController();
    let asked = 0;
    const server = await serveHttp((_request, response) => {
      asked++;
      response.writeHead(429, { "retry-after": "9999999" }).end("{}");
    });
    const work = failureOf(
      chat("claude-opus-5-5", question, {
        apiKey: "long-wait",
        baseUrl: server.url,
        maxWaitMs: ms,
        signal: controller.signal,
      }),
    );
    await until(() => asked > 0 && server.answering() === 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    expect((await work).category).toBe("aborted");
    expect(asked).toBe(1);
    expect(warnings).toEqual([]);
  });
});
