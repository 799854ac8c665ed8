import { describe, expect, test } from "vitest";
import { streamChat } from "../chat/ask.ts";
import type { ChatOptions } from "../chat/request-options.ts";
import type { StreamEvent } from "../types/event.ts";
import { Agent } from "./agent.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const start = frame({ type: "message_start", message: { id: "m", role: "assistant", usage: {} } });
const ping = frame({ type: "ping" });
const comment = ": keepalive\n\n";
const end =
  frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } }) +
  frame({ type: "content_block_stop", index: 0 }) +
  frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }) +
  frame({ type: "message_stop" });

const response = { id: "resp_1", object: "response", model: "gpt-6-sol", output: [] };
const created = frame({ type: "response.created", response });
const inProgress = frame({ type: "response.in_progress", response });
const keepalive = frame({ type: "keepalive", sequence_number: 3 });

/** A clock that is `paceMs` further with every chunk that is sent. */
function sendPaced(chunks: readonly string[], paceMs: number): ChatOptions {
  let time = 0;
  let at = 0;
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        pull: (controller) => {
          const chunk = chunks[at++];
          time += paceMs;
          if (chunk === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(chunk));
        },
      },
      { highWaterMark: 0 },
    );
  return {
    apiKey: "k",
    now: () => time,
    maxAttempts: 1,
    fetch: async () => new Response(body(), { headers: { "content-type": "text/event-stream" } }),
  };
}

const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

/** The kinds of the events, up to the end or the failure. */
async function kindsOf(events: AsyncIterable<StreamEvent>): Promise<readonly string[]> {
  const kinds: string[] = [];
  try {
    for await (const { type } of events) kinds.push(type);
  } catch {
    kinds.push("error");
  }
  return kinds;
}

describe("while a service only says that it lives", () => {
  test.each([
    ["Anthropic's pings", "claude-opus-5-5", [start, ping, ping, ping, end], "start"],
    ["comments", "claude-opus-5-5", [start, comment, comment, comment, end], "start"],
    ["comments before the start", "claude-opus-5-5", [comment, comment, comment, start + end], ""],
    ["OpenAI's progress", "gpt-6-sol", [created, inProgress, keepalive, inProgress], "start"],
  ])("%s reach the caller as heartbeats", async (_name, model, chunks, first) => {
    const kinds = await kindsOf(streamChat(model, question, sendPaced(chunks, 2000)));
    const before = first === "" ? [] : [first];
    expect(kinds.slice(0, before.length + 3)).toEqual([
      ...before,
      "heartbeat",
      "heartbeat",
      "heartbeat",
    ]);
  });

  test("at most one a second, however many pings come", async () => {
    const chunks = [start, ...Array.from({ length: 50 }, () => ping), end];
    const kinds = await kindsOf(streamChat("claude-opus-5-5", question, sendPaced(chunks, 100)));
    expect(kinds.filter((kind) => kind === "heartbeat")).toHaveLength(5);
    expect(kinds.at(-1)).toBe("finish");
  });

  test("none where words come without a pause", async () => {
    const chunks = [start, ping, end];
    const kinds = await kindsOf(streamChat("claude-opus-5-5", question, sendPaced(chunks, 10)));
    expect(kinds).not.toContain("heartbeat");
  });

  test("readers of a turn see them too, and its chunks stay empty", async () => {
    const chunks = [start, ping, end];
    const agent = new Agent("claude-opus-5-5", sendPaced(chunks, 2000));
    const seen: unknown[] = [];
    for await (const { event, text } of agent.sendStream("Hi")) {
      if (event.type === "answer") seen.push([event.event.type, text]);
    }
    expect(seen.slice(0, 2)).toEqual([
      ["start", undefined],
      ["heartbeat", undefined],
    ]);
    expect(JSON.stringify(agent.history.messages)).not.toContain("heartbeat");
  });
});
