import type { UIChunk } from "@mull/ui-messages";
import { readEvents } from "./read-events.ts";

/** How the line to a running turn is. `lost`: somebody has to press a button. */
export type LineState = "live" | "reconnecting" | "lost";

export interface FollowOptions {
  /** Asks for what comes after a number; 204 when the turn is unknown or over and nothing is left. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Response>;
  /** The answer that is already there, e.g. to the question itself. */
  readonly first?: Response;
  readonly onChunks: (chunks: readonly UIChunk[]) => void;
  readonly onLine: (state: LineState) => void;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type FollowEnd = "ended" | "gone" | "lost" | "left";

const shortestPauseMs = 250;
const longestPauseMs = 8000;
const quietMs = 2000;
const patienceMs = 30_000;

/** The chunk that is a turn's last word. */
const isLast = (chunk: UIChunk): boolean =>
  chunk.type === "finish" || chunk.type === "abort" || chunk.type === "error";

/**
 * Reads a turn to its end over as many connections as it takes. Every chunk has a number; after a
 * cut the rest is asked for by the last one seen, so nothing comes twice and nothing is missing.
 */
export async function followTurn(options: FollowOptions): Promise<FollowEnd> {
  const { signal, now, onLine } = options;
  let after = 0;
  let ended = false;
  let given = options.first;
  let pauseMs = shortestPauseMs;
  let lastWordAt = now();
  for (;;) {
    try {
      const response = given ?? (await options.open(after, signal));
      given = undefined;
      if (response.status === 204 || response.status === 404) return "gone";
      if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
      onLine("live");
      for await (const events of readEvents(response.body)) {
        const fresh = events.filter(({ id }) => !(id <= after));
        const chunks = fresh.filter(({ data }) => data !== "[DONE]").map(parseChunk);
        after = fresh.reduce((most, { id }) => (id > most ? id : most), after);
        lastWordAt = now();
        pauseMs = shortestPauseMs;
        if (chunks.length > 0) options.onChunks(chunks);
        ended ||= chunks.some(isLast);
      }
      if (ended) return "ended";
    } catch {
      if (signal.aborted) return "left";
    }
    if (now() - lastWordAt > patienceMs) {
      onLine("lost");
      return "lost";
    }
    if (now() - lastWordAt > quietMs) onLine("reconnecting");
    await options.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return "left";
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

const parseChunk = ({ data }: { readonly data: string }): UIChunk => JSON.parse(data) as UIChunk;

/** Waits, less long when the page comes back online or into view. */
export const sleepUntilAwake = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    globalThis.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
