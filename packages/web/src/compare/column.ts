import type { UIMessage } from "@mull/ui-messages";
import { ApiError, wordsOf, type Api, type Conversation, type Loaded } from "../api.ts";
import { createBox, type Box } from "../state/box.ts";
import { followTurn, listenToOffline, sleepUntilAwake } from "../stream/follow-turn.ts";
import type { Lines } from "../stream/lines.ts";
import { openStream } from "../stream/open-stream.ts";
import { createPainter, emptyAnswer } from "../stream/painter.ts";
import type { Sight } from "../stream/sight.ts";

/** One answer of a comparison. */
export interface ColumnState {
  readonly conversation: Conversation | undefined;
  readonly question: UIMessage | undefined;
  readonly answer: UIMessage | undefined;
  readonly isLive: boolean;
  readonly isStopping: boolean;
  readonly trouble: string | undefined;
}

export interface Column {
  readonly id: string;
  readonly box: Box<ColumnState>;
  /** Shows what there is, and follows the answer to its end. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Stops reading; the answer goes on. */
  readonly leave: () => void;
}

export interface ColumnParts {
  readonly api: Pick<Api, "load" | "follow" | "stop">;
  readonly now: () => number;
  readonly lines: Lines;
  readonly sight: Sight;
}

const nothing: ColumnState = {
  conversation: undefined,
  question: undefined,
  answer: undefined,
  isLive: true,
  isStopping: false,
  trouble: undefined,
};

export function createColumn({ api, now, lines, sight }: ColumnParts, id: string): Column {
  const box = createBox(nothing);
  const leaving = new AbortController();
  const { signal } = leaving;
  const set = (change: Partial<ColumnState>): void =>
    box.set((before) => ({ ...before, ...change }));

  const load = async (): Promise<Loaded> => {
    const found = await api.load(id);
    const asked = found.messages.findLastIndex(({ role }) => role === "user");
    const answer = found.messages[asked + 1];
    set({
      conversation: found.conversation,
      question: found.messages[asked],
      ...(answer !== undefined && { answer }),
      isLive: found.running !== null,
    });
    return found;
  };

  const follow = async (turnId: string | undefined): Promise<void> => {
    const painter = createPainter(
      signal,
      () => emptyAnswer,
      (answer) => set({ answer }),
    );
    const end = await followTurn({
      open: (after, line) => openStream(api.follow(id, turnId, after, line)),
      signal,
      now,
      sleep: sleepUntilAwake,
      onOffline: listenToOffline,
      sight,
      lines,
      onChunks: painter.add,
      onLine: (line) =>
        set({ trouble: line === "live" ? undefined : "Connection lost. Trying again…" }),
    });
    painter.flush();
    if (end === "left" || signal.aborted) return;
    if (end === "lost") set({ trouble: "Connection lost. Reload to continue reading." });
    else await load();
  };

  return {
    id,
    box,
    start: async () => {
      try {
        const { running } = await load();
        if (running !== null) await follow(running.turnId);
      } catch (error) {
        const isGone = error instanceof ApiError && error.status === 404;
        set({
          isLive: false,
          trouble: isGone ? "This answer was deleted." : wordsOf(error),
        });
      }
    },
    stop: async () => {
      set({ isStopping: true });
      await api.stop(id).catch((error: unknown) => set({ trouble: wordsOf(error) }));
      set({ isStopping: false });
    },
    leave: () => leaving.abort(),
  };
}
