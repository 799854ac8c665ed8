import { encodeUIChunk, uiStreamEnd, uiStreamHeaders, type UIChunk } from "@mull/ui-messages";
import type { Turn } from "@mull/store";
import type { ServerContext } from "../context.ts";
import type { LogReader } from "../turns/turn-log.ts";
import { full } from "./refusals.ts";

/** Text to send, piece by piece, as fast as the client takes it. */
export interface Frames {
  /** `undefined` at the end. */
  readonly next: () => Promise<string | undefined>;
  /** The reader has left. */
  readonly leave: () => void;
}

/** A stream to send: wrapping it in a web response and a web stream costs more than the content. */
export interface FramesAnswer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly frames: Frames;
}

/** What handlers return. Response heads are read and changed the same way. */
export type Answer = Response | FramesAnswer;

/** The same as a web response. */
export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const { status, headers, frames } = answer;
  return new Response(toWebStream(frames), { status, headers: [...headers] });
}

/** Reads nothing before it is asked to. */
function toWebStream({ next, leave }: Frames): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const frames = await next();
        if (frames === undefined) controller.close();
        else controller.enqueue(encoder.encode(frames));
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

const streamHead = Object.entries(uiStreamHeaders);

/**
 * Sends a turn's log as fast as the reader takes it. Nothing is queued for each reader: the log is
 * the queue, so a reader that doesn't read costs only its socket.
 */
export function streamTurn(
  { readers, limits, revocations }: ServerContext,
  session: string,
  turn: Turn,
  reader: LogReader,
): FramesAnswer {
  if (readers.open >= limits.readers) {
    reader.cancel();
    throw full("Too many readers are connected.");
  }
  const headers = new Map(streamHead).set("x-mull-turn", turn.id);
  const frames = readFrames(reader, readers, (end) => revocations.follow(session, end));
  return { status: 200, headers, frames };
}

/** A stream that no turn writes: all of it is known. */
export const streamChunks = (chunks: readonly UIChunk[]): Response =>
  new Response([...chunks.map((chunk) => encodeUIChunk(chunk)), uiStreamEnd].join(""), {
    headers: uiStreamHeaders,
  });

/** The log, then the end mark of the stream; counted while it is read. */
function readFrames(
  reader: LogReader,
  readers: { open: number },
  follow: (end: () => void) => () => void,
): Frames {
  readers.open++;
  let isOpen = true;
  const leave = (): void => {
    if (isOpen) readers.open--;
    isOpen = false;
    unfollow();
    reader.cancel();
  };
  const unfollow = follow(leave);
  const endWith = (frames: string | undefined): string | undefined => {
    if (!isOpen || frames !== undefined) return frames;
    leave();
    return uiStreamEnd;
  };
  const breakOff = (failure: unknown): never => {
    leave();
    throw failure;
  };
  return {
    leave,
    next: () => (isOpen ? reader.next().then(endWith, breakOff) : Promise.resolve(undefined)),
  };
}
