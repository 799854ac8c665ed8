import { memoryStore, type Store } from "@mull/store";
import { expect, it } from "vitest";
import { readChunks, testServer, textIn } from "../testing/test-server.ts";

/** A store that once throws something that can't even be printed. */
function brokenOnce(): Store {
  const whole = memoryStore();
  let isBroken = true;
  return {
    ...whole,
    finishTurn: (...given) => {
      if (!isBroken) return whole.finishTurn(...given);
      isBroken = false;
      return Promise.reject(Object.create(null) as Error);
    },
  };
}

it("F-D7: a turn that crashes tells its readers, is ended as failed, and holds nobody up", async () => {
  const server = testServer({ keptStore: brokenOnce() });
  const ann = await server.signedUp("ann");
  const id = await ann.newConversation();
  const asked = await ann.ask(id, { text: "What is 23 * 47?" });
  const follower = await ann.call("GET", `/api/chat/${id}/stream?after=0`);
  const said = [readChunks(await asked.text()), readChunks(await follower.text())];
  const unsaved = "The answer could not be saved completely. Ask again to get it.";
  for (const chunks of said) {
    expect(textIn(chunks)).toContain("1,081");
    expect(chunks.at(-1)).toMatchObject({ type: "error", errorText: unsaved });
    expect(chunks.filter(({ type }) => type === "finish" || type === "error")).toHaveLength(1);
  }
  expect(server.logs).toContainEqual(
    expect.objectContaining({ event: "turn-crash", turnId: expect.any(String) }),
  );
  const turns = async (): Promise<unknown> =>
    (await ann.json<{ turns: unknown[] }>("GET", `/api/conversations/${id}/turns`)).turns;
  await expect.poll(turns, { timeout: 10_000 }).toEqual([
    expect.objectContaining({
      state: "failed",
      error: expect.objectContaining({ message: unsaved }),
    }),
  ]);
  expect((await ann.askWhole(id, "And 2 + 2?")).at(-1)?.type).toBe("finish");
});

it("F-D8: a log that cannot be written takes no answer and no turn with it", async () => {
  const server = testServer({
    log: () => {
      throw new Error("ENOSPC");
    },
  });
  const ann = await server.signedUp("ann");
  const chunks = await ann.askWhole(await ann.newConversation(), "What is 23 * 47?");
  expect(chunks.at(-1)?.type).toBe("finish");
});
