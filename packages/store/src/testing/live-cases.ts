import assert from "node:assert/strict";
import type { TextPart } from "mull";
import type { Store } from "../store.ts";
import { startOfTurn, type TextPiece } from "../turn/live-turns.ts";
import type { StoreCase } from "./conformance.ts";
import { answers, calls, messagesOf, newTurn } from "./material.ts";

const piece = (turnId: string, start: number, text: string, block = 0): TextPiece => ({
  turnId,
  step: 0,
  block,
  start,
  kind: "text",
  text,
});

const cut = (text: string): TextPart => ({ type: "text", text, cut: true, send: false });

export const liveCases: readonly StoreCase[] = [
  {
    name: "F-D1: text of a block that had not ended outlives its process, as a block that was cut",
    run: async (open) => {
      const dead = await open({ leaseMs: -1000 });
      const { userId, conversationId, turnId } = await newTurn(dead);
      const other = await newTurn(dead);
      assert.deepEqual(
        await dead.storeTexts([piece(turnId, 0, "One \ud83d"), piece(other.turnId, 0, "Else")]),
        [],
      );
      await dead.storeTexts([piece(turnId, 5, "\ude00 two\u0000")]);
      // The answer to a write was lost, and the write is made again with what has arrived since.
      await dead.storeTexts([piece(turnId, 5, "\ude00 two\u0000 three")]);
      const text = "One \ud83d\ude00 two\u0000 three";
      assert.deepEqual((await dead.getDraft(userId, turnId)).open, [cut(text)]);
      await (await open()).recoverTurns();
      assert.deepEqual((await messagesOf(dead, userId, conversationId)).at(-1), {
        role: "assistant",
        parts: [cut(text)],
        interrupted: true,
      });
      assert.deepEqual(await dead.storeTexts([piece(turnId, 20, "more")]), [turnId]);
    },
  },
  {
    name: "F-D1: a block that ends takes the place of its texts, and a message that of all",
    run: async (open) => {
      const store = await open();
      const { userId, turnId } = await newTurn(store);
      const draft = async (): ReturnType<Store["getDraft"]> => store.getDraft(userId, turnId);
      await store.storeTexts([piece(turnId, 0, "Two"), piece(turnId, 0, "next", 1)]);
      const part = { type: "text", text: "Two and" } as const;
      await store.appendPart(userId, turnId, part, { step: 0, block: 0 });
      assert.deepEqual(await draft(), {
        parts: [part],
        intents: [],
        results: [],
        open: [cut("next")],
      });
      await store.finishMessage(userId, turnId, answers("Two and"));
      assert.deepEqual(await draft(), { parts: [], intents: [], results: [] });
    },
  },
  {
    name: "F-W14: what is new of a turn is read from any place in it, and no more than that",
    run: async (open) => {
      const [store, reader] = [await open(), await open()];
      const { userId, turnId } = await newTurn(store);
      const first = startOfTurn(userId, turnId);
      await store.storeTexts([piece(turnId, 0, "Two"), piece(turnId, 3, " and")]);
      const [begun] = await reader.readNews([first]);
      assert.deepEqual(
        begun?.texts.map(({ text }) => text),
        ["Two", " and"],
      );
      const [later] = await reader.readNews([{ ...first, start: 3 }]);
      assert.deepEqual(
        later?.texts.map(({ text }) => text),
        [" and"],
      );
      await store.finishMessage(userId, turnId, calls("a"));
      const result = { type: "tool-result", callId: "a", name: "searchWeb", output: "x" } as const;
      await store.storeToolResult(userId, turnId, result);
      const [news] = await reader.readNews([first]);
      assert.deepEqual(
        news?.messages.map(({ message }) => message),
        [calls("a")],
      );
      assert.deepEqual(
        news?.entries.map(({ content }) => JSON.parse(content) as unknown),
        [result],
      );
      const message = news?.messages.at(-1)?.createdAt ?? 0;
      const entry = news?.entries.at(-1)?.seq ?? 0;
      const [last] = await reader.readNews([{ ...first, message, entry }]);
      assert.deepEqual([last?.messages, last?.entries, last?.texts], [[], [], []]);
      assert.equal(last?.turn.state, "running");
      assert.deepEqual(await reader.readNews([startOfTurn("somebody else", turnId)]), []);
    },
  },
  {
    name: "F-D6: a stop reaches the process of its turn once, also when the conversation is deleted",
    run: async (open) => {
      const [runner, other] = [await open(), await open()];
      const { userId, conversationId, turnId } = await newTurn(runner);
      await other.askToStop(userId, turnId);
      await other.deleteConversation(userId, conversationId);
      const heard: string[] = [];
      for (const store of [other, runner, runner])
        await store.hearStops((each) => heard.push(each));
      assert.deepEqual(heard, [turnId]);
    },
  },
];
