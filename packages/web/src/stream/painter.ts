import type { UIChunk, UIMessage } from "@mull/ui-messages";
import { foldChunks } from "./fold-chunks.ts";

/** Between two paints of a stream. */
const paintMs = 50;

export interface Painter {
  readonly add: (chunks: readonly UIChunk[]) => void;
  readonly flush: () => void;
}

/** An answer of which nothing is there yet. */
export const emptyAnswer: UIMessage = { id: "live", role: "assistant", parts: [] };

/** Collects what comes and shows it a few times a second, until the reader leaves. `begin`: what it is added to. */
export function createPainter(
  left: AbortSignal,
  begin: (chunks: readonly UIChunk[]) => UIMessage,
  show: (message: UIMessage, isFirst: boolean) => void,
): Painter {
  let waiting: UIChunk[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let message: UIMessage | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || left.aborted) return;
    const isFirst = message === undefined;
    message = foldChunks(message ?? begin(waiting), waiting);
    waiting = [];
    show(message, isFirst);
  };
  return {
    add: (chunks) => {
      waiting.push(...chunks);
      timer ??= setTimeout(flush, paintMs);
    },
    flush,
  };
}
