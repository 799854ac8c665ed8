import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Conversation } from "../store.ts";
import type { StoreCase } from "./conformance.ts";
import { answers, messagesOf, newTalk, refuses, says } from "./material.ts";

export const conversationCases: readonly StoreCase[] = [
  {
    name: "R252: a conversation is created, changed, listed and deleted",
    run: async (open) => {
      let clock = 1000;
      const store = await open({ now: () => clock });
      const userId = `user-${randomUUID()}`;
      const one = await store.createConversation(userId, { title: "One\u0000\ud800" });
      assert.equal(one.title, "One");
      assert.deepEqual(await store.getConversation(userId, one.id), one);
      clock = 2000;
      const two = await store.createConversation(userId, { info: { model: "m", nul: "\u0000" } });
      assert.deepEqual(await store.listConversations(userId), [two, one]);
      clock = 3000;
      const renamed = await store.updateConversation(userId, one.id, { title: "New" });
      assert.deepEqual(renamed, { ...one, title: "New", updatedAt: 3000 });
      assert.deepEqual(await store.listConversations(userId, { limit: 1 }), [renamed]);
      assert.deepEqual(await store.listConversations(userId, { before: 3000 }), [two]);
      await store.deleteConversation(userId, one.id);
      await refuses(store.getConversation(userId, one.id), "not_found");
      assert.deepEqual(await store.listConversations(userId), [two]);
    },
  },
  {
    name: "F-D6: changes that come at once keep each other's fields, in a conversation's info too, and null takes one away",
    run: async (open) => {
      const [one, two] = [await open(), await open()];
      const userId = `user-${randomUUID()}`;
      const info = { model: "m", level: "low", forkOf: "x", asked: true };
      const { id } = await one.createConversation(userId, { info });
      await Promise.all([
        one.updateConversation(userId, id, { info: { model: "n", level: "max" } }),
        two.updateConversation(userId, id, { title: "Named" }),
        two.updateConversation(userId, id, { info: { stop: "turn\u0000" } }),
        one.updateConversation(userId, id, { info: { seen: [1], asked: null } }),
      ]);
      const { title, info: kept } = await two.getConversation(userId, id);
      assert.equal(title, "Named");
      assert.deepEqual(kept, {
        model: "n",
        level: "max",
        forkOf: "x",
        stop: "turn\u0000",
        seen: [1],
      });
    },
  },
  {
    name: "F-D6: a first title is taken once, and never over one that somebody gave",
    run: async (open) => {
      const [one, two] = [await open(), await open()];
      const userId = `user-${randomUUID()}`;
      const named = await one.createConversation(userId);
      await Promise.all([
        one.updateConversation(userId, named.id, { firstTitle: "What is 2 + 2?" }),
        two.updateConversation(userId, named.id, { title: "Sums" }),
      ]);
      assert.equal((await one.getConversation(userId, named.id)).title, "Sums");
      const bare = await one.createConversation(userId);
      const first = await one.updateConversation(userId, bare.id, { firstTitle: "First\u0000" });
      assert.equal(first.title, "First");
      const again = await two.updateConversation(userId, bare.id, { firstTitle: "Second" });
      assert.equal(again.title, "First");
    },
  },
  {
    name: "R252: a list is read page by page, also where many were changed in one moment",
    run: async (open) => {
      const store = await open({ now: () => 1000 });
      const userId = `user-${randomUUID()}`;
      for (let made = 0; made < 7; made++) await store.createConversation(userId, {});
      const whole = await store.listConversations(userId);
      const read: Conversation[] = [];
      for (let page = 0; page < 3; page++) {
        const last = read.at(-1);
        const behind = last && { before: last.updatedAt, beforeId: last.id };
        read.push(...(await store.listConversations(userId, { limit: 3, ...behind })));
      }
      assert.deepEqual(read, whole);
    },
  },
  {
    name: "messages form a tree; the head chooses the branch",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      const [first, second] = await store.appendMessages(userId, conversationId, null, [
        says("one"),
        answers("two"),
      ]);
      assert.ok(first && second);
      assert.equal(second.parentId, first.id);
      const [other] = await store.appendMessages(userId, conversationId, first.id, [
        answers("other"),
      ]);
      assert.ok(other);
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("one"),
        answers("other"),
      ]);
      await store.updateConversation(userId, conversationId, { head: second.id });
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("one"),
        answers("two"),
      ]);
      const branch = await store.listBranch(userId, conversationId, other.id);
      assert.deepEqual(branch, [first, other]);
      assert.deepEqual(await store.listMessages(userId, conversationId), [first, second, other]);
      await store.updateConversation(userId, conversationId, { head: null });
      assert.deepEqual(await messagesOf(store, userId, conversationId), []);
    },
  },
  {
    name: "a parent or head of another conversation is refused, and nothing is stored",
    run: async (open) => {
      const store = await open();
      const mine = await newTalk(store);
      const other = await newTalk(store);
      const [foreign] = await store.appendMessages(other.userId, other.conversationId, null, [
        says("x"),
      ]);
      assert.ok(foreign);
      const { userId, conversationId } = mine;
      await refuses(
        store.appendMessages(userId, conversationId, foreign.id, [says("y")]),
        "not_found",
      );
      await refuses(
        store.updateConversation(userId, conversationId, { head: foreign.id }),
        "not_found",
      );
      await refuses(store.listBranch(userId, conversationId, foreign.id), "not_found");
      assert.deepEqual(await store.listMessages(userId, conversationId), []);
    },
  },
  {
    name: "search finds what people read, and thinking only when asked",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      await store.appendMessages(userId, conversationId, null, [
        says("Tell me about QUIET otters\u0000, 100%_"),
        answers("They swim."),
      ]);
      const find = async (search: string, everything = false): Promise<number> =>
        (await store.listConversations(userId, { search, everything })).length;
      assert.equal(await find("quiet OTTER"), 1);
      assert.equal(await find("talk"), 1);
      assert.equal(await find("100%_"), 1);
      assert.equal(await find("1000"), 0);
      assert.equal(await find("let me see"), 0);
      assert.equal(await find("let me see", true), 1);
      assert.equal(await find("quiet\u0000 otter"), 1);
    },
  },
  {
    name: "F-W1: what belongs to another user looks like what does not exist",
    run: async (open) => {
      const store = await open();
      const theirs = await newTalk(store);
      const [message] = await store.appendMessages(theirs.userId, theirs.conversationId, null, [
        says("secret"),
      ]);
      assert.ok(message);
      const { turn } = await store.beginTurn({
        ...theirs,
        idempotencyKey: "k",
        expectedHead: message.id,
        message: says("more"),
      });
      const me = `user-${randomUUID()}`;
      const attempts = (id: string, turnId: string): readonly (() => Promise<unknown>)[] => [
        () => store.getConversation(me, id),
        () => store.updateConversation(me, id, { title: "mine" }),
        () => store.deleteConversation(me, id),
        () => store.forkConversation(me, id),
        () => store.listMessages(me, id),
        () => store.listBranch(me, id),
        () => store.appendMessages(me, id, null, [says("hi")]),
        () =>
          store.beginTurn({
            userId: me,
            conversationId: id,
            idempotencyKey: "k",
            expectedHead: null,
            message: says("hi"),
          }),
        () => store.findRunningTurn(me, id),
        () => store.listTurns(me, id),
        () => store.getTurn(me, turnId),
        () => store.getDraft(me, turnId),
        () => store.appendPart(me, turnId, { type: "text", text: "x" }),
        () => store.finishMessage(me, turnId, answers("x")),
        () => store.finishTurn(me, turnId, { state: "done" }),
      ];
      const missing = attempts("no-such\u0000id", "no-such");
      for (const [index, attempt] of attempts(theirs.conversationId, turn.id).entries()) {
        const foreign = await refuses(attempt(), "not_found");
        const absent = await refuses(missing[index]!(), "not_found");
        assert.equal(foreign.message, absent.message);
      }
      assert.deepEqual(await store.listConversations(me), []);
      assert.equal((await store.listMessages(theirs.userId, theirs.conversationId)).length, 2);
    },
  },
  {
    name: "F-W17: a search finds what lies behind many others, and goes on where a page ended",
    run: async (open) => {
      const store = await open();
      const userId = randomUUID();
      const titles = Array.from(
        { length: 130 },
        (_, n) => `${n % 40 === 0 ? "needle" : "hay"} ${n}`,
      );
      for (const title of titles) await store.createConversation(userId, { title });
      const all = await store.listConversations(userId, { limit: 200 });
      const needles = all.filter(({ title }) => title.startsWith("needle"));
      assert.equal(needles.length, 4);
      assert.deepEqual(await store.listConversations(userId, { search: "NEEDLE" }), needles);
      const page = await store.listConversations(userId, { search: "needle", limit: 3 });
      assert.deepEqual(page, needles.slice(0, 3));
      const { updatedAt: before, id: beforeId } = page[2]!;
      const rest = await store.listConversations(userId, { search: "needle", before, beforeId });
      assert.deepEqual(rest, needles.slice(3));
    },
  },
  {
    name: "F-W17: a search takes every character as it is, in titles and in what was said",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId } = await newTalk(store);
      await store.appendMessages(userId, conversationId, null, [says("He paid 50%_of C:\\Temp")]);
      const titled = await store.createConversation(userId, { title: "50%_OF c:\\temp, again" });
      // They push both out of the part that is searched first.
      for (let nth = 0; nth < 60; nth++) await store.createConversation(userId, { title: "50 of" });
      const find = async (search: string): Promise<readonly string[]> =>
        (await store.listConversations(userId, { search, limit: 10 })).map(({ id }) => id);
      const both = [conversationId, titled.id].toSorted();
      for (const search of ["50%_of c:\\T", "%_O", ":\\te"]) {
        assert.deepEqual((await find(search)).toSorted(), both);
      }
      for (const search of ["50_%of", "\\%", "5%f", "C:Temp"]) {
        assert.deepEqual(await find(search), []);
      }
    },
  },
  {
    name: "F-W17: a search that nobody waits for ends",
    run: async (open) => {
      const store = await open();
      const { userId } = await newTalk(store);
      const left = { search: "x", signal: AbortSignal.abort() };
      await refuses(store.listConversations(userId, left), "left");
    },
  },
];
