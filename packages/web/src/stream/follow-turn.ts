import type { UIChunk } from "@mull/ui-messages";
import { manyLines, type Lines } from "./lines.ts";
import { readEvents } from "./read-events.ts";
import type { Sight } from "./sight.ts";

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
  /** Calls back when the machine has lost its network; returns what ends that. */
  readonly onOffline: (cut: () => void) => () => void;
  /** While nobody looks nothing is read; what came meanwhile is read afterwards. */
  readonly sight: Sight;
  /** Where all are taken, the turn is looked at from time to time. */
  readonly lines?: Lines;
}

export type FollowEnd = "ended" | "gone" | "lost" | "left";

const shortestPauseMs = 250;
const longestPauseMs = 8000;
const quietMs = 2000;
const patienceMs = 30_000;
/** The server says something at least every 15 s. A line that is longer silent is dead. */
const silenceMs = 40_000;

/** How long a look takes, and the time to the next one. */
const [lookMs, betweenLooksMs] = [300, 1000];

/** What the server writes below a turn that is over. */
const streamEnd = "[DONE]";

/** The chunk that is a turn's last word. */
const isLast = (chunk: UIChunk): boolean =>
  chunk.type === "finish" || chunk.type === "abort" || chunk.type === "error";

/**
 * Reads a turn to its end over as many connections as it takes. Every chunk has a number; after a
 * cut the rest is asked for by the last one seen, so nothing comes twice and nothing is missing.
 */
export async function followTurn(options: FollowOptions): Promise<FollowEnd> {
  const { signal, now, onLine, sight, lines = manyLines } = options;
  let after = 0;
  let ended = false;
  let given = options.first;
  let pauseMs = shortestPauseMs;
  let lastWordAt = now();
  for (;;) {
    if (sight.isAway()) {
      await given?.body?.cancel();
      given = undefined;
      await sight.untilBack(signal);
      if (signal.aborted) return "left";
      lastWordAt = now();
    }
    const release = await lines.take();
    const line = openLine(options);
    let isLook = false;
    try {
      const response = given ?? (await options.open(after, line.signal));
      given = undefined;
      if (response.status === 204 || response.status === 404) return "gone";
      if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
      onLine("live");
      isLook = release === undefined;
      if (isLook) line.cutIn(lookMs);
      for await (const events of readEvents(response.body, line.signal)) {
        line.heard();
        const fresh = events.filter(({ id }) => !(id <= after));
        const chunks = fresh.filter(({ data }) => data !== streamEnd).map(parseChunk);
        after = fresh.reduce((most, { id }) => (id > most ? id : most), after);
        lastWordAt = now();
        pauseMs = shortestPauseMs;
        if (chunks.length > 0) options.onChunks(chunks);
        // A server that crashed stored fewer chunks than it announced: do not wait for the last one.
        ended ||= chunks.some(isLast) || chunks.length < fresh.length;
      }
      if (ended) return "ended";
    } catch {
      given = undefined;
    } finally {
      line.close();
      release?.();
    }
    if (signal.aborted) return "left";
    if (sight.isAway()) continue;
    if (isLook) [lastWordAt, pauseMs] = [now(), betweenLooksMs];
    if (now() - lastWordAt > patienceMs) {
      onLine("lost");
      return "lost";
    }
    if (now() + pauseMs - lastWordAt > quietMs) onLine("reconnecting");
    await options.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return "left";
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

interface TurnConnection {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  readonly cutIn: (ms: number) => void;
  readonly close: () => void;
}

/** One connection: it ends when the reader leaves or looks away, the network goes, or nothing is heard any more. */
function openLine({ signal, onOffline, sight }: FollowOptions): TurnConnection {
  const controller = new AbortController();
  const cut = (): void => controller.abort();
  const endings = [onOffline(cut), sight.onAway(cut)];
  let timer = setTimeout(cut, silenceMs);
  signal.addEventListener("abort", cut);
  if (signal.aborted) cut();
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(cut, silenceMs);
    },
    cutIn: (ms) => {
      const cutting = setTimeout(cut, ms);
      endings.push(() => clearTimeout(cutting));
    },
    close: () => {
      clearTimeout(timer);
      for (const end of endings) end();
      signal.removeEventListener("abort", cut);
    },
  };
}

const parseChunk = ({ data }: { readonly data: string }): UIChunk => JSON.parse(data) as UIChunk;

/** Browsers keep dead connections open for minutes; they do say that the network is gone. */
export const listenToOffline = (cut: () => void): (() => void) => {
  globalThis.addEventListener("offline", cut);
  return () => globalThis.removeEventListener("offline", cut);
};

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
