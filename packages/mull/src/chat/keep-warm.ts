import type { ChatStream } from "./chat.ts";

const keptMs = 30_000;
const longestRequest = 1_000_000;

/** At most one. A variable that nothing reads would be left out by bundlers. */
const kept = new Set<ChatStream>();
const release = (): void => kept.clear();

/** Node's timers can be told to hold nobody up, and to begin anew. */
interface NodeTimer {
  readonly unref?: () => void;
  readonly refresh?: () => void;
}

let timer: (ReturnType<typeof setTimeout> & NodeTimer) | undefined;

/**
 * Keeps the last answer for half a minute, unless its request was long. V8 throws away what it
 * compiled for reading answers when a garbage collection finds no object left that it was compiled
 * for, and while a tool runs or a person types there is none. The next answer would begin slowly.
 */
export function keepWarm(stream: ChatStream, requestLength: number): void {
  if (requestLength > longestRequest) return;
  release();
  kept.add(stream);
  if (timer !== undefined) {
    timer.refresh?.();
    return;
  }
  timer = setTimeout(release, keptMs);
  if (timer.unref) timer.unref();
  // Elsewhere a program might wait for it: the next answer takes its place.
  else clearTimeout(timer);
}
