import { encodeUIChunk } from "@mull/ui-messages";
import { afterEach, expect, it, vi } from "vitest";
import { emptyThread } from "./app-state.ts";
import { setThread } from "./parts.ts";
import { createFollower } from "./run-turn.ts";
import { named, openParts, stubWindow } from "./testing/page-state.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("F-D11: what came of an answer is not painted into the conversation opened after it", async () => {
  vi.useFakeTimers();
  stubWindow();
  const parts = openParts({});
  const { box } = parts;
  const follower = createFollower(parts, async () => undefined);
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(
        new TextEncoder().encode(
          encodeUIChunk({ type: "start", messageId: "turn" }, 1) +
            encodeUIChunk({ type: "text-start", id: "0" }, 2) +
            encodeUIChunk({ type: "text-delta", id: "0", delta: "Hello" }, 7),
        ),
      ),
  });
  setThread(box, { conversation: named("one") });
  const following = follower.follow("turn", new Response(stream));
  await vi.advanceTimersByTimeAsync(10);
  follower.leave();
  setThread(box, { ...emptyThread, conversation: named("two") });
  await vi.advanceTimersByTimeAsync(100);
  await following;
  expect(box.get().thread.messages).toEqual([]);
});
