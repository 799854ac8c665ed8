import { uiStreamEnd, uiStreamHeaders } from "@mull/ui-messages";
import type { Turn } from "@mull/store";
import type { ServerContext } from "../context.ts";
import type { LogReader } from "../turns/turn-log.ts";
import type { Asked } from "./asked.ts";
import { carryFrames, toWebStream, type Frames } from "./frames.ts";
import { full } from "./refusals.ts";

/**
 * Sends what a turn's log has, as fast as the reader takes it. Nothing is queued per reader: the
 * log is the queue, so a reader that does not read costs its socket and no more.
 */
export function streamTurn(
  { context, request }: { readonly context: ServerContext; readonly request: Asked },
  turn: Turn,
  reader: LogReader,
): Response {
  const { readers, limits } = context;
  if (readers.open >= limits.readers) {
    reader.cancel();
    throw full("Too many readers are connected.");
  }
  const frames = readFrames(reader, readers);
  const head = { headers: { ...uiStreamHeaders, "x-mull-turn": turn.id } };
  return request.takesFrames
    ? carryFrames(new Response(null, head), frames)
    : new Response(toWebStream(frames), head);
}

/** What the log has and the word that ends the stream; counted while it is read. */
function readFrames(reader: LogReader, readers: { open: number }): Frames {
  readers.open++;
  let isOpen = true;
  const leave = (): void => {
    if (isOpen) readers.open--;
    isOpen = false;
    reader.cancel();
  };
  return {
    leave,
    async next() {
      if (!isOpen) return undefined;
      const frames = await reader.next();
      if (!isOpen || frames !== undefined) return frames;
      leave();
      return uiStreamEnd;
    },
  };
}
