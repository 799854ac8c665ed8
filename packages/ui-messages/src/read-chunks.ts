import { uiStreamEnd } from "./ui-stream.ts";

/** The chunks of a UI message stream, as they arrive. It ends where `signal` aborts. */
export function readChunks<Chunk>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Chunk> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  let rest = "";
  return new ReadableStream<Chunk>({
    start: () => {
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    },
    pull: async (controller) => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          signal?.removeEventListener("abort", leave);
          controller.close();
          return;
        }
        const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
        rest = events.pop() ?? "";
        const chunks = events.flatMap(readEvent);
        for (const chunk of chunks) controller.enqueue(chunk as Chunk);
        if (chunks.length > 0) return;
      }
    },
    cancel: leave,
  });
}

function readEvent(event: string): readonly unknown[] {
  const data = event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .join("\n");
  // Comments keep the connection open; the last event, `[DONE]`, is not a chunk.
  if (data === "" || data === uiStreamEnd.trim()) return [];
  return [JSON.parse(data.slice("data:".length))];
}
