import type { WireId } from "mull";

/** A stream of text for a client, written while its answer arrives. */
export interface AnswerStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Text leaves with everything else that comes in this turn of the event loop. */
  readonly write: (text: string) => void;
  /** Sends what is written at once. */
  readonly flush: () => void;
  /** Settles when the client has taken enough to be sent more; at once where it has. */
  readonly ready: () => Promise<void> | undefined;
  readonly close: () => void;
}

/** Bytes that may wait for a slow client before its upstream waits, too. */
const mostWaiting = 256 * 1024;

const soon: (run: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (run) => setTimeout(run, 0);

/** Opens a stream; `leave` is called when the client goes before its end. */
export function openAnswerStream(leave: () => void): AnswerStream {
  const encoder = new TextEncoder();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isOver = false;
  let waiting = "";
  let isDue = false;
  let wake: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => wake?.(),
      cancel: () => {
        isOver = true;
        wake?.();
        leave();
      },
    },
    { highWaterMark: mostWaiting, size: (chunk) => chunk.length },
  );
  const flush = (): void => {
    isDue = false;
    if (isOver || waiting === "") return;
    const text = waiting;
    waiting = "";
    controller.enqueue(encoder.encode(text));
  };
  return {
    body,
    write: (text) => {
      if (isOver) return;
      waiting += text;
      if (isDue) return;
      isDue = true;
      soon(flush);
    },
    flush,
    ready: () => {
      if (waiting.length > mostWaiting) flush();
      if (isOver || (controller.desiredSize ?? 1) > 0) return undefined;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    close: () => {
      flush();
      if (isOver) return;
      isOver = true;
      controller.close();
    },
  };
}

/** What keeps a silent connection open. Google's SDK dies of comments, and has no other word for it. */
export const pings: Readonly<Record<WireId, string>> = {
  "anthropic-messages": 'event: ping\ndata: {"type":"ping"}\n\n',
  "openai-responses": ": ping\n\n",
  "openai-chat": ": ping\n\n",
  "google-generate": "",
};
