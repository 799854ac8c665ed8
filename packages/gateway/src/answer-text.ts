import type { WireId } from "mull";

import type { ClientSink } from "./client-exchange.ts";

/** Text for a client, written while its answer arrives. */
export interface AnswerText {
  /** Text leaves with everything else that comes in this turn of the event loop. */
  readonly write: (text: string) => void;
  /** Sends what is written at once. */
  readonly flush: () => void;
  /** Settles when the client can take more; `undefined` if it already can. */
  readonly ready: () => Promise<void> | undefined;
}

/** Letters that wait for the others of their turn; a turn may bring a whole answer. Longer texts cost more per letter to encode. */
const mostWaiting = 16 * 1024;

const soon: (run: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (run) => setTimeout(run, 0);

/** Gathers text for a client: a write for every event would cost more than the event. */
export function gatherText(client: ClientSink): AnswerText {
  let waiting = "";
  let isDue = false;
  let isFull = false;
  const flush = (): void => {
    isDue = false;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    isFull = !client.write(text);
  };
  return {
    write: (text) => {
      waiting += text;
      if (isDue) return;
      isDue = true;
      soon(flush);
    },
    flush,
    ready: () => {
      if (waiting.length > mostWaiting) flush();
      if (!isFull) return undefined;
      isFull = false;
      return client.ready();
    },
  };
}

/** Keeps a silent connection open. Google's SDK fails on comments, and has no other way. */
export const pings: Readonly<Record<WireId, string>> = {
  "anthropic-messages": 'event: ping\ndata: {"type":"ping"}\n\n',
  "openai-responses": ": ping\n\n",
  "openai-chat": ": ping\n\n",
  "google-generate": "",
};
