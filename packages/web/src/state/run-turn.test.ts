import { encodeUIChunk } from "@mull/ui-messages";
import { afterEach, expect, it, vi } from "vitest";
import type { Api } from "../api.ts";
import { emptyThread, firstState } from "./app-state.ts";
import { createBox } from "./box.ts";
import { setThread } from "./parts.ts";
import { readPreferences } from "./preferences.ts";
import { createFollower } from "./run-turn.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const named = (id: string) => ({ id, title: id, head: null, createdAt: 1, updatedAt: 1 });

it("D11: what came of an answer is not painted into the conversation opened after it", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  vi.stubGlobal("document", new EventTarget());
  const box = createBox(firstState(readPreferences({}), "ann"));
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const follower = createFollower(
    {
      api: {} as Api,
      box,
      storage,
      now: () => 0,
      newKey: () => "key",
      setAddress: () => undefined,
    },
    async () => undefined,
  );
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
