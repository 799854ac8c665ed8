import { uiStreamEnd, uiStreamHeaders } from "@mull/ui-messages";
import type { Turn } from "@mull/store";
import type { ServerContext } from "../context.ts";
import type { LogReader } from "../turns/turn-log.ts";
import { full } from "./refusals.ts";

/**
 * Sends what a turn's log has, as fast as the reader takes it. Nothing is queued per reader: the
 * log is the queue, so a reader that does not read costs its socket and no more.
 */
export function streamTurn(context: ServerContext, turn: Turn, reader: LogReader): Response {
  const { readers, limits } = context;
  if (readers.open >= limits.readers) {
    reader.cancel();
    throw full("Too many readers are connected.");
  }
  readers.open++;
  let isOpen = true;
  const leave = (): void => {
    if (isOpen) readers.open--;
    isOpen = false;
    reader.cancel();
  };
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const frames = await reader.next();
        if (!isOpen) return;
        controller.enqueue(encoder.encode(frames ?? uiStreamEnd));
        if (frames !== undefined) return;
        leave();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...uiStreamHeaders, "x-mull-turn": turn.id } });
}
