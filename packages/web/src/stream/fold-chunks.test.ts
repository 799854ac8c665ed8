import { readUIMessageStream } from "ai";
import { emulate } from "@mull/emulator";
import { toUIStream, type UIChunk, type UIMessage } from "@mull/ui-messages";
import { Agent, tool } from "mull";
import { describe, expect, it } from "vitest";
import { foldChunks } from "./fold-chunks.ts";

const empty: UIMessage = { id: "", role: "assistant", parts: [] };

const search = tool<{ readonly query: string }>({
  name: "searchWeb",
  description: "Searches.",
  input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  run: ({ query }) => ({ found: query }),
});

async function streamOf(model: string, question: string): Promise<readonly UIChunk[]> {
  const agent = new Agent(model, {
    fetch: emulate({ seed: "fold" }),
    apiKey: "simulated",
    level: "med",
    tools: [search],
  });
  const chunks: UIChunk[] = [];
  const events = (async function* () {
    for await (const { event } of agent.sendStream(question)) yield event;
  })();
  for await (const chunk of toUIStream(events, { messageId: "turn" })) chunks.push(chunk);
  return chunks;
}

/** The message as the AI SDK builds it. */
async function referenceOf(chunks: readonly UIChunk[]): Promise<unknown> {
  const stream = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: unknown;
  for await (const message of readUIMessageStream({ stream: stream as never })) last = message;
  return last;
}

/** The SDK keeps the id of a block on reasoning alone; we keep it on both, by another name. */
const comparable = (message: unknown): unknown =>
  JSON.parse(
    JSON.stringify(message, (key, value: unknown) => {
      if (key === "blockId" || key === "metadata") return undefined;
      const isReasoning = (value as { type?: unknown } | null)?.type === "reasoning";
      return isReasoning ? { ...(value as object), id: undefined } : value;
    }),
  );

const block = (delta: string): readonly UIChunk[] => [
  { type: "start-step" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta },
  { type: "text-end", id: "0" },
];

describe("folding a UI message stream", () => {
  it.each(["claude-opus-5-5", "claude-sonnet-4-5", "gpt-6-sol", "gemini-3.8-flash"])(
    "builds what the AI SDK builds, tool loop included: %s",
    async (model) => {
      const chunks = await streamOf(model, "okay - what's going on in the markets today?");
      expect(comparable(foldChunks(empty, chunks))).toEqual(comparable(await referenceOf(chunks)));
    },
  );

  it("closes what a broken turn left open, marked as cut", () => {
    const message = foldChunks(empty, [
      { type: "start", messageId: "turn", messageMetadata: { state: "running" } },
      { type: "start-step" },
      { type: "reasoning-start", id: "0-0" },
      { type: "reasoning-delta", id: "0-0", delta: "Half a" },
      { type: "error", errorText: "gone" },
    ]);
    expect(message.metadata).toEqual({ state: "running" });
    expect(message.parts.at(-1)).toMatchObject({
      text: "Half a",
      state: "done",
      providerMetadata: { mull: { cut: true } },
    });
  });

  it("keeps blocks of different steps apart that share an id", () => {
    const { parts } = foldChunks(empty, [...block("a"), ...block("b")]);
    expect(parts.flatMap((part) => ("text" in part ? [part.text] : []))).toEqual(["a", "b"]);
  });
});
