import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { isMullError } from "mull";
import type { StoreCase } from "./conformance.ts";
import { answers, calls, messagesOf, newTalk, newTurn, refuses, says } from "./material.ts";

export const turnCases: readonly StoreCase[] = [
  {
    name: "F-D11: a conversation is created with its first turn, once, and never without it",
    run: async (open) => {
      const store = await open();
      const [userId, conversationId] = [randomUUID(), randomUUID()];
      const first = {
        userId,
        conversationId,
        creates: { title: "Sums", info: { model: "m/high" } },
        idempotencyKey: randomUUID(),
        expectedHead: null,
        message: says("2 + 2?"),
      };
      const deep = JSON.parse(`${"[".repeat(1500)}${"]".repeat(1500)}`) as string;
      await refuses(store.beginTurn({ ...first, info: { deep } }), "too_deep");
      await refuses(store.getConversation(userId, conversationId), "not_found");
      const { turn, isNew } = await store.beginTurn(first);
      assert.equal(isNew, true);
      const made = await store.getConversation(userId, conversationId);
      assert.deepEqual(
        [made.title, made.info, made.head],
        ["Sums", { model: "m/high" }, turn.messageId],
      );
      const again = await store.beginTurn(first);
      assert.deepEqual([again.turn, again.isNew], [turn, false]);
      const other = { ...first, idempotencyKey: randomUUID() };
      await refuses(store.beginTurn(other), "name_taken");
      await store.finishTurn(userId, turn.id, { state: "done", messages: [answers("4")] });
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("2 + 2?"),
        answers("4"),
      ]);
    },
  },
  {
    name: "a turn: message and turn together, blocks as they end, the end in one step",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const { userId, conversationId } = talk;
      const begun = await store.beginTurn({
        ...talk,
        idempotencyKey: "one",
        expectedHead: null,
        message: says("2 + 2?"),
        info: { model: "m/high" },
      });
      const { turn } = begun;
      assert.equal(begun.isNew, true);
      assert.equal(turn.state, "running");
      assert.equal(turn.owner, store.owner);
      assert.equal(turn.messageId, begun.message.id);
      assert.equal(begun.message.turnId, turn.id);
      assert.deepEqual(turn.info, { model: "m/high" });
      assert.deepEqual(await store.findRunningTurn(userId, conversationId), turn);
      const answer = calls("c1");
      await store.appendPart(userId, turn.id, answer.parts[0]!);
      assert.deepEqual(await store.getDraft(userId, turn.id), {
        parts: answer.parts,
        intents: [],
        results: [],
      });
      const stored = await store.finishMessage(userId, turn.id, answer);
      assert.equal(stored.parentId, begun.message.id);
      await store.storeToolIntent(userId, turn.id, {
        type: "tool-call",
        id: "c1",
        name: "searchWeb",
        input: {},
      });
      const result = { type: "tool-result", callId: "c1", name: "searchWeb", output: "4" } as const;
      await store.storeToolResult(userId, turn.id, result);
      await store.finishMessage(userId, turn.id, { role: "tool", parts: [result] });
      const ended = await store.finishTurn(userId, turn.id, {
        state: "done",
        messages: [answers("4")],
        usage: { input: 10, output: 5, total: 15, raw: { nul: "\u0000" } },
        cost: 0.25,
        receipt: { notes: ["\ud800"] },
      });
      assert.equal(ended.state, "done");
      assert.deepEqual(await store.getTurn(userId, turn.id), ended);
      assert.deepEqual(ended.usage, { input: 10, output: 5, total: 15, raw: { nul: "\u0000" } });
      assert.deepEqual(await store.listTurns(userId, conversationId), [ended]);
      assert.equal(await store.findRunningTurn(userId, conversationId), undefined);
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("2 + 2?"),
        answer,
        { role: "tool", parts: [result] },
        answers("4"),
      ]);
      const spent = { turns: 1, tokens: 15, cost: 0.25 };
      assert.deepEqual(await store.sumSpending(userId, 0), spent);
      await store.deleteConversation(userId, conversationId);
      assert.deepEqual(await store.sumSpending(userId, 0), spent, "deleting lifts no limit");
      assert.deepEqual(await store.sumSpending("somebody else", 0), {
        turns: 0,
        tokens: 0,
        cost: 0,
      });
    },
  },
  {
    name: "F-D12: the same send twice is one turn; the same key with another body is 422",
    run: async (open) => {
      let clock = Date.now();
      const store = await open({ now: () => clock });
      const talk = await newTalk(store);
      const send = { ...talk, idempotencyKey: "k", expectedHead: null, message: says("hi") };
      const [one, two] = await Promise.all([store.beginTurn(send), store.beginTurn(send)]);
      assert.equal(one.turn.id, two.turn.id);
      assert.notEqual(one.isNew, two.isNew);
      await refuses(store.beginTurn({ ...send, message: says("other") }), "key_reused");
      const again = await store.beginTurn(send);
      assert.deepEqual(again.message, one.message);
      assert.equal((await store.listMessages(talk.userId, talk.conversationId)).length, 1);
      await store.finishTurn(talk.userId, one.turn.id, { state: "done", messages: [answers("a")] });
      assert.equal((await store.beginTurn(send)).turn.state, "done");
      clock += 25 * 60 * 60 * 1000;
      const error = await refuses(store.beginTurn(send), "stale_head");
      assert.ok(error);
    },
  },
  {
    name: "F-D12: a sender that says what its key stands for is taken at its word",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const send = { ...talk, idempotencyKey: "k", expectedHead: null, fingerprint: "one" };
      const { turn, message } = await store.beginTurn({ ...send, message: says("hi") });
      const again = await store.beginTurn({
        ...send,
        message: says("hi"),
        expectedHead: message.id,
      });
      assert.deepEqual([again.turn.id, again.isNew], [turn.id, false]);
      const other = { ...send, message: says("hi"), fingerprint: "two" };
      await refuses(store.beginTurn(other), "key_reused");
    },
  },
  {
    name: "F-D11: of 20 sends at once one wins, the others are told the head",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store.beginTurn({
            ...talk,
            idempotencyKey: `k${index}`,
            expectedHead: null,
            message: says(String(index)),
          }),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
      const stored = await store.listMessages(talk.userId, talk.conversationId);
      assert.equal(stored.length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        const error: unknown = outcome.reason;
        assert.ok(isMullError(error));
        assert.equal(error.status, 409);
        assert.deepEqual(error.allowed, [stored[0]?.id]);
      }
    },
  },
  {
    name: "F-D11: a stale head is 409 with the current one",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.finishTurn(userId, turnId, { state: "done", messages: [answers("4")] });
      const { head } = await store.getConversation(userId, conversationId);
      const send = { userId, conversationId, idempotencyKey: "k2", message: says("next") };
      const error = await refuses(store.beginTurn({ ...send, expectedHead: null }), "stale_head");
      assert.ok(isMullError(error));
      assert.deepEqual(error.allowed, [head]);
      await store.beginTurn({ ...send, expectedHead: head });
    },
  },
  {
    name: "an edit makes a branch; a retry answers the same message again",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.finishTurn(userId, turnId, { state: "done", messages: [answers("4")] });
      const first = await store.listMessages(userId, conversationId);
      const retry = await store.beginTurn({
        userId,
        conversationId,
        idempotencyKey: "retry",
        expectedHead: first[1]!.id,
        parentId: first[0]!.id,
      });
      assert.equal(retry.message.id, first[0]!.id);
      await store.finishTurn(userId, retry.turn.id, { state: "done", messages: [answers("four")] });
      const edit = await store.beginTurn({
        userId,
        conversationId,
        idempotencyKey: "edit",
        expectedHead: (await store.getConversation(userId, conversationId)).head,
        parentId: null,
        message: says("3 + 3?"),
      });
      assert.equal(edit.message.parentId, null);
      await store.finishTurn(userId, edit.turn.id, { state: "done", messages: [answers("6")] });
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("3 + 3?"),
        answers("6"),
      ]);
      const parents = (await store.listMessages(userId, conversationId)).map((m) => m.parentId);
      assert.deepEqual(parents, [null, first[0]!.id, first[0]!.id, null, edit.message.id]);
    },
  },
  {
    name: "a turn that is over takes nothing more",
    run: async (open) => {
      const store = await open();
      const { userId, turnId } = await newTurn(store);
      await store.finishTurn(userId, turnId, { state: "stopped" });
      await refuses(store.appendPart(userId, turnId, { type: "text", text: "late" }), "turn_over");
      await refuses(store.finishMessage(userId, turnId, answers("late")), "turn_over");
      await refuses(store.finishTurn(userId, turnId, { state: "done" }), "turn_over");
    },
  },
  {
    name: "a message that cannot be stored leaves no turn behind",
    run: async (open) => {
      const store = await open();
      const talk = await newTalk(store);
      const send = { ...talk, idempotencyKey: randomUUID(), expectedHead: null };
      const large = says("x".repeat(17 * 1024 * 1024));
      await refuses(store.beginTurn({ ...send, message: large }), "too_large");
      assert.equal(await store.findRunningTurn(talk.userId, talk.conversationId), undefined);
      await store.beginTurn({ ...send, message: says("small") });
    },
  },
  {
    name: "what was spent is told by day, model and level",
    run: async (open) => {
      let clock = Date.UTC(2026, 10, 18, 23, 30);
      const store = await open({ now: () => clock });
      const userId = `user-${randomUUID()}`;
      const spend = async (model: string, level: string, cost: number): Promise<string> => {
        const { id } = await store.createConversation(userId, {});
        const send = { userId, conversationId: id, idempotencyKey: randomUUID() };
        const asked = { ...send, expectedHead: null, message: says("?"), info: { model, level } };
        const { turn } = await store.beginTurn(asked);
        const usage = { output: 5, thinking: 10, total: 15 };
        await store.finishTurn(userId, turn.id, { state: "done", cost, usage });
        return id;
      };
      await spend("a", "low", 1);
      clock += 60 * 60_000;
      await spend("a", "low", 2);
      await spend("a", "low", 3);
      await store.deleteConversation(userId, await spend("b", "max", 4));
      const one = { turns: 1, tokens: 15, thinking: 10 };
      const gone = { day: "2026-11-19", turns: 1, tokens: 15, thinking: 0, cost: 4 };
      const low = { model: "a", level: "low" };
      const two = { ...low, turns: 2, tokens: 30, thinking: 20, cost: 5 };
      assert.deepEqual(await store.listSpending(userId, 0, 0), [
        { day: "2026-11-19", ...two },
        gone,
        { day: "2026-11-18", ...low, ...one, cost: 1 },
      ]);
      const all = { ...low, turns: 3, tokens: 45, thinking: 30, cost: 6 };
      assert.deepEqual(
        await store.listSpending(userId, 0, 60),
        [{ day: "2026-11-19", ...all }, gone],
        "an hour to the east all of it is one day",
      );
      assert.deepEqual(await store.listSpending(userId, clock + 1, 0), []);
      assert.deepEqual(await store.listSpending("somebody else", 0, 0), []);
    },
  },
  {
    name: "what turns of deleted conversations took counts for a month",
    run: async (open) => {
      const day = 24 * 60 * 60_000;
      let clock = 1000 * day;
      const store = await open({ now: () => clock });
      const userId = `user-${randomUUID()}`;
      const spend = async (): Promise<string> => {
        const { id } = await store.createConversation(userId, {});
        const send = { userId, conversationId: id, idempotencyKey: randomUUID() };
        const { turn } = await store.beginTurn({ ...send, expectedHead: null, message: says("?") });
        await store.finishTurn(userId, turn.id, { state: "done", cost: 1 });
        return id;
      };
      await store.deleteConversation(userId, await spend());
      clock += 20 * day;
      await store.deleteConversation(userId, await spend());
      assert.equal((await store.sumSpending(userId, 0)).cost, 2);
      clock += 20 * day;
      await store.deleteConversation(userId, await spend());
      assert.equal((await store.sumSpending(userId, 0)).cost, 2);
    },
  },
];
