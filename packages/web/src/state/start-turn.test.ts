import { describe, expect, it } from "vitest";
import { ApiError } from "../api.ts";
import { openParts, refuse } from "./testing/page-state.ts";
import { createThreadActions } from "./thread.ts";

/** Sends texts one after the other to a server that answers so; what keys they had. */
async function keysOf(
  texts: readonly string[],
  answer: () => Promise<never>,
): Promise<readonly string[]> {
  const keys: string[] = [];
  let made = 0;
  const parts = {
    ...openParts({
      ask: (_, _parts, _choice, key) => {
        keys.push(key);
        return answer();
      },
    }),
    newKey: () => `key-${made++}`,
  };
  const thread = createThreadActions(
    parts,
    async () => undefined,
    () => undefined,
  );
  await thread.open("one");
  parts.box.set((before) => ({ ...before, phase: "ready" }));
  for (const draft of texts) {
    parts.box.set((before) => ({ ...before, draft }));
    await thread.send();
  }
  return keys;
}

const lose = async (): Promise<never> => {
  throw new ApiError("The server cannot be reached.", 0, "network");
};

describe("a question whose answer was lost on the way", () => {
  it("is the same question when it is sent again, and another one when it was changed", async () => {
    const keys = await keysOf(["Why?", "Why?", "Why not?"], lose);
    expect(keys).toEqual(["key-0", "key-0", "key-1"]);
  });

  it("is asked anew where the server refused it", async () => {
    expect(await keysOf(["Why?", "Why?"], refuse)).toEqual(["key-0", "key-1"]);
  });
});
