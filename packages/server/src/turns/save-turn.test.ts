import { EventEmitter, once } from "node:events";
import { memoryStore, type Store } from "@mull/store";
import { createLoopShare } from "@mull/store/parts";
import type { AssistantMessage, TextPart } from "mull";
import { describe, expect, it } from "vitest";
import { createTextSaver, createTurnSaver, type TurnSaver } from "./save-turn.ts";

const said = (text: string): TextPart => ({ type: "text", text });
const answer = (...texts: readonly string[]): AssistantMessage => ({
  role: "assistant",
  parts: texts.map(said),
});

/** A running turn whose first write waits until it is released, and what was written of it. */
async function heldTurn() {
  const real = memoryStore();
  const userId = "ann";
  const { id: conversationId } = await real.createConversation(userId);
  const message = { role: "user", parts: [said("hi")] } as const;
  const send = { userId, conversationId, idempotencyKey: "k", expectedHead: null, message };
  const { turn } = await real.beginTurn(send);
  const writes: string[] = [];
  const gate = new EventEmitter();
  const opened = once(gate, "open");
  const store: Store = {
    ...real,
    appendPart: async (...given) => {
      writes.push(`part ${(given[2] as TextPart).text}`);
      await opened;
      return real.appendPart(...given);
    },
    finishMessage: (...given) => {
      writes.push("message");
      return real.finishMessage(...given);
    },
  };
  const saver: TurnSaver = createTurnSaver({
    store,
    userId,
    conversationId,
    turnId: turn.id,
    saveMs: 1000,
    now: Date.now,
    loop: createLoopShare(),
    texts: createTextSaver({
      store: async () => store,
      everyMs: () => 1,
      onStored: () => undefined,
    }),
    onStored: () => undefined,
    onLost: () => undefined,
    onTrouble: () => undefined,
  });
  const texts = async (): Promise<readonly string[]> =>
    (await real.listMessages(userId, conversationId))
      .slice(1)
      .map((each) =>
        (each.message as AssistantMessage).parts.map((part) => (part as TextPart).text).join(" "),
      );
  const draft = async (): Promise<readonly unknown[]> =>
    (await real.getDraft(userId, turn.id)).parts;
  return { saver, writes, letGo: () => gate.emit("open"), texts, draft };
}

describe("what is written of a running turn", () => {
  it("F-D1: every block as it ends, while nothing has it whole", async () => {
    const { saver, writes, letGo, draft } = await heldTurn();
    saver.part(said("one"), 0, 0);
    saver.part(said("two"), 0, 0);
    letGo();
    await expect.poll(draft).toEqual([said("one"), said("two")]);
    expect(writes).toEqual(["part one", "part two"]);
  });

  it("F-D1: a block that still waits is stored with its message, not before it", async () => {
    const { saver, writes, letGo, texts } = await heldTurn();
    saver.part(said("one"), 0, 0);
    await expect.poll(() => writes).toEqual(["part one"]);
    saver.part(said("two"), 0, 0);
    saver.message(answer("one", "two"));
    saver.part(said("three"), 0, 0);
    letGo();
    await saver.finish({ state: "done" });
    expect(writes).toEqual(["part one", "message", "part three"]);
    expect(await texts()).toEqual(["one two", "three"]);
  });

  it("F-D1: the end has what waits, or leaves it to be stored first", async () => {
    const whole = await heldTurn();
    whole.saver.part(said("one"), 0, 0);
    const ended = whole.saver.finish({ state: "done", messages: [answer("one")] });
    whole.letGo();
    expect(await ended).toBe(true);
    expect([whole.writes, await whole.texts()]).toEqual([[], ["one"]]);

    const cut = await heldTurn();
    cut.saver.part(said("one"), 0, 0);
    const closed = cut.saver.finish({ state: "failed" });
    cut.letGo();
    expect(await closed).toBe(true);
    expect([cut.writes, await cut.texts()]).toEqual([["part one"], ["one"]]);
  });
});
