import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Message } from "mull";
import type { Store, Turn } from "../store.ts";
import type { StoreCase } from "./conformance.ts";
import { answers, calls, messagesOf, newTalk, refuses, says } from "./material.ts";

interface Talk {
  readonly userId: string;
  readonly conversationId: string;
}

/** One more question with its answer. */
async function addTurn(
  store: Store,
  talk: Talk,
  question: string,
  messages: readonly Message[],
): Promise<Turn> {
  const { head } = await store.getConversation(talk.userId, talk.conversationId);
  const { turn } = await store.beginTurn({
    ...talk,
    idempotencyKey: randomUUID(),
    expectedHead: head,
    message: says(question),
    info: { model: "m", level: "high" },
  });
  return store.finishTurn(talk.userId, turn.id, {
    state: messages.length === 0 ? "failed" : "done",
    messages,
    usage: { input: 10, output: 5, total: 15 },
    cost: 0.25,
    receipt: { steps: [{ of: question }] },
  });
}

const lastOf = async (store: Store, talk: Talk, turn: Turn): Promise<string> => {
  const all = await store.listMessages(talk.userId, talk.conversationId);
  return all.findLast(({ turnId }) => turnId === turn.id)!.id;
};

export const forkCases: readonly StoreCase[] = [
  {
    name: "a fork carries messages with the turns that made them, and counts nothing twice",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const { userId, conversationId } = talk;
      const first = await addTurn(store, talk, "one", [answers("1")]);
      await addTurn(store, talk, "failed", []);
      const third = await addTurn(store, talk, "two", [calls("c"), answers("2\u0000")]);
      await addTurn(store, talk, "three", [answers("3")]);
      const before = await store.listMessages(userId, conversationId);
      const spent = await store.sumSpending(userId, 0);
      const fork = await store.forkConversation(userId, conversationId, {
        messageId: await lastOf(store, talk, third),
        title: "Fork",
        info: { forkOf: conversationId },
      });
      assert.equal(fork.title, "Fork");
      assert.deepEqual(fork.info, { forkOf: conversationId });
      assert.deepEqual(
        await messagesOf(store, userId, fork.id),
        before.slice(0, 6).map(({ message }) => message),
      );
      const turns = await store.listTurns(userId, fork.id);
      assert.deepEqual(
        turns.map(({ state, cost, receipt }) => [state, cost, receipt]),
        ["one", "failed", "two"].map((of) => [
          of === "failed" ? "failed" : "done",
          0.25,
          { steps: [{ of }] },
        ]),
      );
      const copies = await store.listMessages(userId, fork.id);
      assert.deepEqual(
        copies.map(({ turnId }) => turnId),
        [0, 0, 1, 2, 2, 2].map((nth) => turns[nth]!.id),
      );
      assert.equal(fork.head, copies.at(-1)!.id);
      assert.deepEqual(
        turns.map(({ messageId }) => messageId),
        [0, 2, 3].map((nth) => copies[nth]!.id),
      );
      assert.notEqual(turns[0]!.id, first.id);
      assert.deepEqual(await store.sumSpending(userId, 0), spent);
      assert.deepEqual(await store.listMessages(userId, conversationId), before);
    },
  },
  {
    name: "a fork outlives what it was forked from, and is forked and gone on with itself",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      await addTurn(store, talk, "one", [answers("1")]);
      const fork = await store.forkConversation(talk.userId, talk.conversationId);
      await store.deleteConversation(talk.userId, talk.conversationId);
      const second = { userId: talk.userId, conversationId: fork.id };
      await addTurn(store, second, "two", [answers("2")]);
      const third = await store.forkConversation(talk.userId, fork.id);
      const costs = (await store.listTurns(talk.userId, third.id)).map(({ cost }) => cost);
      assert.deepEqual(costs, [0.25, 0.25]);
      await store.deleteConversation(talk.userId, fork.id);
      assert.equal((await messagesOf(store, talk.userId, third.id)).length, 4);
    },
  },
  {
    name: "a fork that ends with a question leaves it open; a running turn is stopped in its copy",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const { userId, conversationId } = talk;
      const { turn, message } = await store.beginTurn({
        ...talk,
        idempotencyKey: "k",
        expectedHead: null,
        message: says("one"),
      });
      const asked = await store.forkConversation(userId, conversationId, { messageId: message.id });
      assert.deepEqual(await store.listTurns(userId, asked.id), []);
      await store.finishMessage(userId, turn.id, calls("c"));
      const fork = await store.forkConversation(userId, conversationId);
      const [copy] = await store.listTurns(userId, fork.id);
      assert.equal(copy?.state, "stopped");
      assert.equal(await store.findRunningTurn(userId, fork.id), undefined);
      assert.equal((await store.findRunningTurn(userId, conversationId))?.id, turn.id);
    },
  },
  {
    name: "a fork at no message or at another conversation's is refused, and nothing is made",
    run: async (open) => {
      const store = await open();
      const [mine, other] = [await newTalk(store), await newTalk(store)];
      await addTurn(store, mine, "one", [answers("1")]);
      const theirs = await addTurn(store, other, "x", [answers("y")]);
      const foreign = await lastOf(store, other, theirs);
      for (const messageId of [foreign, "nowhere"]) {
        await refuses(
          store.forkConversation(mine.userId, mine.conversationId, { messageId }),
          "not_found",
        );
      }
      await refuses(store.forkConversation(mine.userId, other.conversationId), "not_found");
      assert.equal((await store.listConversations(mine.userId)).length, 1);
      const empty = await newTalk(store);
      const fork = await store.forkConversation(empty.userId, empty.conversationId);
      assert.equal(fork.head, null);
    },
  },
];
