import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { History, type Message } from "mull";
import type { StoreCase } from "./conformance.ts";
import { answers, messagesOf, refuses, says } from "./material.ts";

const newUser = (): string => `user-${randomUUID()}`;

/** Two answers to one question, continued after the first. */
const branched = History.from([says("one"), answers("two"), says("three")])
  .fork(1)
  .append(answers("other"))
  .fork(1);

export const importCases: readonly StoreCase[] = [
  {
    name: "R252: a history is imported with all branches, its head, its title and its times",
    run: async (open) => {
      const store = await open({ now: () => 9_000_000 });
      const userId = newUser();
      const made = await store.importConversation(userId, {
        title: "Brought\u0000",
        info: { model: "m" },
        createdAt: 1_000_000,
        history: branched,
        times: [2_000_000, undefined, 3_000_000, 2_500_000],
      });
      const { head, ...rest } = made;
      assert.deepEqual(rest, {
        id: made.id,
        title: "Brought",
        info: { model: "m" },
        createdAt: 1_000_000,
        updatedAt: 9_000_000,
      });
      assert.deepEqual(await store.listConversations(userId), [made]);
      const stored = await store.listMessages(userId, made.id);
      const [question, answer, next, other] = stored;
      assert.deepEqual(
        stored.map(({ message }) => message),
        branched.toJSON().entries.map(({ message }) => message),
      );
      assert.deepEqual(
        stored.map(({ parentId }) => parentId),
        [null, question?.id, answer?.id, question?.id],
      );
      assert.deepEqual(
        stored.map(({ createdAt }) => createdAt),
        [2_000_000, 2_000_001, 3_000_000, 3_000_001],
      );
      assert.equal(head, question?.id);
      assert.ok(next !== undefined && other !== undefined);
      await store.updateConversation(userId, made.id, { head: other.id });
      assert.deepEqual(await messagesOf(store, userId, made.id), [says("one"), answers("other")]);
    },
  },
  {
    name: "R252: an imported conversation goes on, and an empty history is an empty conversation",
    run: async (open) => {
      const store = await open();
      const userId = newUser();
      const { id, head } = await store.importConversation(userId, { history: branched });
      const asked = { userId, conversationId: id, idempotencyKey: randomUUID() };
      const { message } = await store.beginTurn({
        ...asked,
        expectedHead: head,
        message: says("go on"),
      });
      assert.equal(message.parentId, head);
      const empty = await store.importConversation(userId, { history: History.from([]) });
      assert.equal(empty.head, null);
      assert.deepEqual(await store.listMessages(userId, empty.id), []);
    },
  },
  {
    name: "F-H6: of an import that holds too large a message nothing is stored",
    run: async (open) => {
      const store = await open();
      const userId = newUser();
      const many = Array.from({ length: 700 }, (_, nth): Message => says(String(nth)));
      const history = History.from([...many, says("x".repeat(17 * 1024 * 1024))]);
      await refuses(store.importConversation(userId, { history }), "too_large");
      assert.deepEqual(await store.listConversations(userId), []);
    },
  },
];
