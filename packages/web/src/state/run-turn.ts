import type { UIChunk, UIMessage } from "@mull/ui-messages";
import { followTurn, listenToOffline, sleepUntilAwake } from "../stream/follow-turn.ts";
import { openLines } from "../stream/lines.ts";
import { openStream } from "../stream/open-stream.ts";
import { createPainter, emptyAnswer } from "../stream/painter.ts";
import { watchSight } from "../stream/sight.ts";
import type { RunningState } from "./app-state.ts";
import { factsOf, type TurnFacts } from "../thread/read-turn.ts";
import { setThread, type StateParts } from "./parts.ts";

export interface Follower {
  /** Reads the turn of the open conversation to its end. Resolves when it is over or was left. */
  readonly follow: (turnId: string | undefined, first?: Response) => Promise<void>;
  /** Stops reading; the turn itself goes on. */
  readonly leave: () => void;
}

export function createFollower(
  parts: StateParts,
  onEnd: (conversationId: string) => Promise<void>,
): Follower {
  const { box, api, now } = parts;
  const lines = openLines(globalThis);
  let leaving: AbortController | undefined;

  const setRunning = (change: Partial<RunningState>): void => {
    const { running } = box.get().thread;
    if (running !== undefined) setThread(box, { running: { ...running, ...change } });
  };

  const follow = async (turnId: string | undefined, first?: Response): Promise<void> => {
    const conversationId = box.get().thread.conversation?.id;
    if (conversationId === undefined) return;
    leaving?.abort();
    const controller = new AbortController();
    leaving = controller;
    let known = turnId;
    const painter = createPainter(
      controller.signal,
      (chunks) => goneOnFrom(box.get().thread.messages, chunks),
      (message, isFirst) => {
        if (isFirst) {
          known ??= factsOf(message).turnId ?? message.id;
          setRunning({ turnId: message.id });
        }
        const others = box.get().thread.messages.filter(({ id }) => id !== message.id);
        setThread(box, { messages: [...others, message] });
      },
    );

    // Somebody may have asked to stop before the server had taken the question.
    const isStopping = box.get().thread.running?.isStopping ?? false;
    setThread(box, { running: { turnId, line: "live", isStopping } });
    const end = await followTurn({
      open: (after, signal) => openStream(api.follow(conversationId, known, after, signal)),
      ...(first !== undefined && { first }),
      signal: controller.signal,
      now,
      sleep: sleepUntilAwake,
      onOffline: listenToOffline,
      // Queued questions are sent when the answer is complete, even if its conversation is not
      // shown.
      sight: watchSight(document, () => box.get().thread.queued !== undefined),
      lines,
      onChunks: painter.add,
      onLine: (line) => setRunning({ line }),
    });
    painter.flush();
    if (end === "left" || controller.signal.aborted) return;
    if (end !== "lost") await onEnd(conversationId);
  };

  return {
    follow,
    leave: () => {
      leaving?.abort();
      leaving = undefined;
    },
  };
}

/** A turn that goes on from calls that waited adds to the message that shows them. */
function goneOnFrom(messages: readonly UIMessage[], chunks: readonly UIChunk[]): UIMessage {
  const begun = chunks.find(({ type }) => type === "start");
  const id = begun?.["messageId"];
  const { turnId = id } = (begun?.["messageMetadata"] ?? {}) as TurnFacts;
  const shown = turnId === id ? undefined : messages.find((message) => message.id === id);
  return shown ?? emptyAnswer;
}
