import { emulate } from "@mull/emulator";
import {
  encodeUIChunk,
  fromUIMessages,
  toUIStream,
  uiStreamEnd,
  type UIChunk,
  type UIMessage,
} from "@mull/ui-messages";
import { readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from "ai";
import { Agent, tool, type AgentEvent, type AgentStream } from "mull";
import { describe, expect, test } from "vitest";

const searchWeb = tool({
  name: "searchWeb",
  description: "Searches the web",
  input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  run: () => "Stocks closed mixed.",
});

async function* eventsOf(stream: AgentStream): AsyncGenerator<AgentEvent> {
  for await (const chunk of stream) yield chunk.event;
}

async function collect(stream: AsyncIterable<UIChunk>): Promise<readonly UIChunk[]> {
  const chunks: UIChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function readWithAiSdk(chunks: readonly UIChunk[]): Promise<UIMessage> {
  let last: unknown;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last as UIMessage;
}

const models = [
  "claude-opus-5-5/high",
  "claude-sonnet-4-5/med",
  "gpt-6-sol/med",
  "gemini-3.8-flash/high",
  "deepseek-v4-pro/high",
];

describe("a turn as the AI SDK reads it", () => {
  test.each(models)("%s: the client's message becomes the same history again", async (model) => {
    const agent = new Agent(model, { tools: [searchWeb], fetch: emulate(), apiKey: "test" });
    const chunks = await collect(
      toUIStream(eventsOf(agent.sendStream("okay - what's going on in the markets today?"))),
    );
    const schema = await uiMessageChunkSchema().validate?.(chunks.at(-1));
    expect(schema?.success).toBe(true);
    const message = await readWithAiSdk(chunks);
    expect(message.parts.some((part) => part.type === "tool-searchWeb")).toBe(true);
    const back = fromUIMessages([JSON.parse(JSON.stringify(message)) as UIMessage]);
    expect(back).toEqual(JSON.parse(JSON.stringify(agent.history.messages.slice(1))));
  });

  test("P-D2 the duration of a thinking block comes with its end", async () => {
    const agent = new Agent("claude-opus-5-5/high", { fetch: emulate(), apiKey: "test" });
    const chunks = await collect(toUIStream(eventsOf(agent.sendStream("What is 23 * 47?"))));
    const end = chunks.find((chunk) => chunk.type === "reasoning-end");
    expect(end).toMatchObject({ providerMetadata: { mull: { visibility: "summary" } } });
    expect(JSON.stringify(end)).toContain("durationMs");
    expect(chunks.some((chunk) => chunk.type === "data-receipt")).toBe(true);
  });

  test("a broken stream ends in an error chunk with its open block closed", async () => {
    const agent = new Agent("claude-opus-5-5/high", {
      fetch: emulate({ faults: "cut-block=0:inside" }),
      apiKey: "test",
      maxAttempts: 1,
    });
    const chunks = await collect(toUIStream(eventsOf(agent.sendStream("What is 23 * 47?")))).catch(
      () => [],
    );
    expect(chunks.at(-1)?.type).toBe("error");
    const opened = chunks.filter(
      (chunk) => chunk.type.endsWith("-start") && chunk.type !== "tool-input-start",
    );
    const closed = chunks.filter((chunk) => chunk.type.endsWith("-end"));
    expect(opened).toHaveLength(closed.length);
  });

  test("frames carry their number for readers that come back", () => {
    expect(encodeUIChunk({ type: "start" }, 7)).toBe('id: 7\ndata: {"type":"start"}\n\n');
    expect(uiStreamEnd).toBe("data: [DONE]\n\n");
  });
});
