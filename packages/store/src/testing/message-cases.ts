import assert from "node:assert/strict";
import type { AssistantMessage, JsonValue, Message } from "mull";
import type { Times } from "../growing-times.ts";
import type { StoreCase } from "./conformance.ts";
import { answers, messagesOf, newTalk, newTurn, refuses, says } from "./material.ts";
import { randomMessages, seededRandom } from "./random-messages.ts";

const nested = (depth: number): JsonValue => {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

const withInput = (input: JsonValue): AssistantMessage => ({
  role: "assistant",
  parts: [{ type: "tool-call", id: "call", name: "t", input }],
});

/** Strings that some kind of JSON column changes or refuses. */
const hardMessages: readonly Message[] = [
  says("a\u0000b"),
  says("\ud800"),
  says("x\udc00y\ud800"),
  says("é𝄞\u2028\u2029\r\n\t\u0001\u007f\\u0000"),
  says(""),
  { role: "assistant", parts: [] },
  { role: "system", parts: [{ type: "text", text: "Be brief." }] },
  withInput({ "\u0000key": { z: 1, a: 2, "1": 3, "\ud800": [] } }),
  withInput(JSON.parse('{"__proto__":{"x":1},"constructor":"c","toString":null}') as JsonValue),
  withInput([1e21, 1e-7, 0.1, 123456789012345680000, 5e-324, true, null, ""]),
  withInput(nested(500)),
  answers("sealed"),
];

export const messageCases: readonly StoreCase[] = [
  {
    name: "F-H3 F-S23: NUL, lone surrogates, key order and numbers come back unchanged",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      await store.appendMessages(userId, conversationId, null, hardMessages);
      const read = await messagesOf(store, userId, conversationId);
      assert.deepEqual(read, hardMessages);
      assert.equal(
        JSON.stringify(read.map(({ parts }) => parts)),
        JSON.stringify(hardMessages.map(({ parts }) => parts)),
      );
    },
  },
  {
    name: "F-H3: a message of 10 MB comes back unchanged",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      const large = says("0123456789abcde\u0000".repeat(600_000).slice(0, 8_000_000));
      await store.appendMessages(userId, conversationId, null, [large]);
      assert.deepEqual(await messagesOf(store, userId, conversationId), [large]);
    },
  },
  {
    name: "F-H4: random histories come back deep equal, seals byte for byte",
    run: async (open) => {
      const store = await open();
      const random = seededRandom(7);
      for (let round = 0; round < 40; round++) {
        const { userId, conversationId } = await newTalk(store);
        const messages = randomMessages(random);
        await store.appendMessages(userId, conversationId, null, messages);
        const read = await messagesOf(store, userId, conversationId);
        assert.deepEqual(read, messages);
      }
    },
  },
  {
    name: "F-H6: too deep or too large is refused before anything of it is stored",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      const append = (message: Message): Promise<unknown> =>
        store.appendMessages(userId, conversationId, null, [says("fine"), message]);
      await refuses(append(withInput(nested(8000))), "too_deep");
      await refuses(append(says("x".repeat(17 * 1024 * 1024))), "too_large");
      await refuses(
        append(JSON.parse('{ "role": "user", "parts": "no" }') as Message),
        "invalid_history",
      );
      assert.deepEqual(await store.listMessages(userId, conversationId), []);
      assert.equal((await store.getConversation(userId, conversationId)).head, null);
    },
  },
  {
    name: "F-R12 R245: order is the order of storing, whatever the clock does",
    run: async (open) => {
      let clock = 1_000_000;
      const store = await open({ now: () => clock });
      const { userId, conversationId } = await newTalk(store);
      let parent: string | null = null;
      for (const [index, at] of [5_000_000, 1_000, 1_000, 9_000_000].entries()) {
        clock = at;
        const [stored] = await store.appendMessages(userId, conversationId, parent, [
          says(String(index)),
        ]);
        assert.ok(stored);
        parent = stored.id;
      }
      const times = (await store.listMessages(userId, conversationId)).map((row) => row.createdAt);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(times).size, 4);
    },
  },
  {
    name: "R252: what is brought along keeps the times at which it was made, in its order",
    run: async (open) => {
      const now = [9_000_000, 9_000_001, 9_000_002];
      const store = await open({ now: () => now[0]! });
      const { userId, conversationId } = await newTalk(store);
      const append = async (parent: string | null, times?: Times): Promise<string | null> => {
        const messages = [says("a"), says("b"), says("c")];
        const stored = await store.appendMessages(userId, conversationId, parent, messages, times);
        return stored.at(-1)?.id ?? null;
      };
      const last = await append(null, [1_000_123, undefined, 3_000_000]);
      await append(await append(last, [2_000_000, 4_000_000, 4_000_000]));
      const stored = await store.listMessages(userId, conversationId);
      assert.deepEqual(
        stored.map(({ createdAt }) => createdAt),
        [[1_000_123, 1_000_124, 3_000_000], [3_000_001, 4_000_000, 4_000_001], now].flat(),
      );
      const made = await store.createConversation(userId, { createdAt: 1_000_000 });
      assert.deepEqual([made.createdAt, made.updatedAt], [1_000_000, 9_000_000]);
    },
  },
  {
    name: "a stored message does not change with the object it was made from",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      const parts = [{ type: "text" as const, text: "before" }];
      await store.appendMessages(userId, conversationId, null, [{ role: "user", parts }]);
      parts[0]!.text = "after";
      assert.deepEqual(await messagesOf(store, userId, conversationId), [says("before")]);
    },
  },
  {
    name: "F-W17: how messages hang together is read without what is said, and some of them alone",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId, turnId } = await newTurn(store);
      const usage = { input: 3, output: 4, total: 7 };
      const end = {
        state: "done",
        messages: [answers("ho")],
        usage,
        receipt: { steps: [] },
      } as const;
      const turn = await store.finishTurn(userId, turnId, end);
      const all = await store.listMessages(userId, conversationId);
      assert.deepEqual(
        await store.listLinks(userId, conversationId),
        all.map(({ id, parentId, turnId: of, message }) => ({
          id,
          parentId,
          ...(of !== undefined && { turnId: of }),
          role: message.role,
        })),
      );
      const ids = [all[1]!.id, "none"];
      assert.deepEqual(await store.listMessages(userId, conversationId, ids), [all[1]]);
      assert.deepEqual(await store.listMessages(userId, conversationId, []), []);
      const { usage: _, receipt: __, ...brief } = turn;
      const turnsOf = store.listTurns.bind(store, userId, conversationId);
      assert.deepEqual(await turnsOf({ isBrief: true }), [brief]);
      assert.deepEqual(await turnsOf({ ids: [turnId] }), [turn]);
      assert.deepEqual(await turnsOf({ ids: ["none"] }), []);
      await refuses(store.listLinks("other", conversationId), "not_found");
      await refuses(store.listMessages("other", conversationId, ids), "not_found");
      await refuses(store.listTurns("other", conversationId, { isBrief: true }), "not_found");
    },
  },
];
