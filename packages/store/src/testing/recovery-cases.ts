import assert from "node:assert/strict";
import type { ToolCallPart, ToolResultPart } from "mull";
import type { StoreCase } from "./conformance.ts";
import { answers, calls, messagesOf, newTurn, refuses, says } from "./material.ts";

const callOf = (id: string): ToolCallPart => ({
  type: "tool-call",
  id,
  name: "searchWeb",
  input: { q: id },
});

const resultOf = (callId: string, output: string): ToolResultPart => ({
  type: "tool-result",
  callId,
  name: "searchWeb",
  output,
});

/** A process whose lease has expired as soon as it is given. */
const gone = { leaseMs: -1000 } as const;

export const recoveryCases: readonly StoreCase[] = [
  {
    name: "F-D1: a turn whose process is gone ends as interrupted, finished blocks kept",
    run: async (open) => {
      const dead = await open(gone);
      const { userId, conversationId, turnId } = await newTurn(dead);
      const [thought] = answers("").parts;
      assert.ok(thought);
      await dead.appendPart(userId, turnId, thought);
      const store = await open();
      const recovered = await store.recoverTurns();
      assert.ok(recovered.some((turn) => turn.id === turnId && turn.state === "interrupted"));
      assert.deepEqual(await messagesOf(store, userId, conversationId), [
        says("What is 2 + 2?"),
        { role: "assistant", parts: [thought], interrupted: true },
      ]);
      await refuses(dead.appendPart(userId, turnId, { type: "text", text: "zombie" }), "turn_over");
      const { head } = await store.getConversation(userId, conversationId);
      const next = { userId, conversationId, idempotencyKey: "next", expectedHead: head };
      await store.beginTurn({ ...next, message: says("go on") });
    },
  },
  {
    name: "F-D1: after a crash in the tools every call has one answer, in the order of the calls",
    run: async (open) => {
      const dead = await open(gone);
      const { userId, conversationId, turnId } = await newTurn(dead);
      await dead.finishMessage(userId, turnId, calls("a", "b", "c"));
      await dead.storeToolIntent(userId, turnId, callOf("c"));
      await dead.storeToolIntent(userId, turnId, callOf("b"));
      await dead.storeToolResult(userId, turnId, {
        type: "tool-result",
        callId: "c",
        name: "searchWeb",
        output: "found",
      });
      const store = await open();
      await store.recoverTurns();
      const last = (await messagesOf(store, userId, conversationId)).at(-1);
      assert.equal(last?.role, "tool");
      const parts = last.parts;
      assert.deepEqual(
        parts.map((part) => part.callId),
        ["a", "b", "c"],
      );
      assert.deepEqual(
        parts.map((part) => part.isError ?? false),
        [true, true, false],
      );
      assert.match(JSON.stringify(parts[0]?.output), /not started/);
      assert.match(JSON.stringify(parts[1]?.output), /may have taken effect/);
      assert.equal(parts[2]?.output, "found");
    },
  },
  {
    name: "a turn goes on from calls that waited; after a crash each has one answer, beside those there were",
    run: async (open) => {
      const first = await open();
      const { userId, conversationId, turnId } = await newTurn(first);
      const found = resultOf("a", "found");
      await first.finishTurn(userId, turnId, {
        state: "done",
        messages: [calls("a", "b", "c"), { role: "tool", parts: [found] }],
      });
      const dead = await open(gone);
      const { head } = await dead.getConversation(userId, conversationId);
      const send = { userId, conversationId, expectedHead: head };
      const { turn, message } = await dead.beginTurn({ ...send, idempotencyKey: "decided" });
      assert.equal(message.id, head);
      assert.equal((await dead.getConversation(userId, conversationId)).head, head);
      await dead.storeToolIntent(userId, turn.id, callOf("b"));
      await dead.storeToolResult(userId, turn.id, resultOf("c", "refused"));
      const store = await open();
      await store.recoverTurns();
      const [, , kept, last] = await messagesOf(store, userId, conversationId);
      assert.deepEqual(kept, { role: "tool", parts: [found] });
      assert.equal(last?.role, "tool");
      assert.deepEqual(
        last.parts.map((part) => part.callId),
        ["b", "c"],
      );
      assert.match(JSON.stringify(last.parts[0]?.output), /may have taken effect/);
      assert.equal(last.parts[1]?.output, "refused");
    },
  },
  {
    name: "a turn goes on from nowhere but the head",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.finishTurn(userId, turnId, {
        state: "done",
        messages: [answers("4"), calls("a")],
      });
      const [, answer, call] = await store.listMessages(userId, conversationId);
      const send = { userId, conversationId, expectedHead: call!.id, parentId: answer!.id };
      await refuses(store.beginTurn({ ...send, idempotencyKey: "1" }), "not_found");
    },
  },
  {
    name: "a process takes no turn of its own away; an abandoned one does not block the next",
    run: async (open) => {
      const owner = await open(gone);
      const { userId, conversationId, turnId } = await newTurn(owner);
      assert.ok((await owner.renewLeases()) >= 0);
      assert.equal((await owner.recoverTurns()).length, 0);
      assert.equal((await owner.getTurn(userId, turnId)).state, "running");
      const { head } = await owner.getConversation(userId, conversationId);
      const other = await open();
      const send = { userId, conversationId, expectedHead: head, message: says("next") };
      const begun = await other.beginTurn({ ...send, idempotencyKey: "next" });
      assert.equal(begun.isNew, true);
      assert.equal((await other.getTurn(userId, turnId)).state, "interrupted");
    },
  },
  {
    name: "F-D1: a send that did not see how an abandoned turn ended is told the head to send from",
    run: async (open) => {
      const dead = await open(gone);
      const { userId, conversationId, turnId } = await newTurn(dead);
      await dead.appendPart(userId, turnId, { type: "text", text: "Two and" });
      const { head } = await dead.getConversation(userId, conversationId);
      const heir = await open();
      const send = { userId, conversationId, message: says("next") };
      const stale = heir.beginTurn({ ...send, expectedHead: head, idempotencyKey: "1" });
      const error = await refuses(stale, "stale_head");
      assert.equal((await heir.getTurn(userId, turnId)).state, "interrupted");
      const { head: moved } = await heir.getConversation(userId, conversationId);
      assert.deepEqual("allowed" in error && error.allowed, [moved]);
      await heir.beginTurn({ ...send, expectedHead: moved, idempotencyKey: "2" });
    },
  },
  {
    name: "a turn stopped or failed without its messages keeps what it had",
    run: async (open) => {
      const store = await open();
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.appendPart(userId, turnId, { type: "text", text: "Two and" });
      await store.appendPart(userId, turnId, callOf("x"));
      const error = { category: "network", message: "gone" };
      const turn = await store.finishTurn(userId, turnId, { state: "failed", error });
      assert.deepEqual(turn.error, error);
      const [, answer, results] = await messagesOf(store, userId, conversationId);
      assert.deepEqual(answer, {
        role: "assistant",
        parts: [{ type: "text", text: "Two and" }, callOf("x")],
        interrupted: true,
      });
      assert.equal(results?.role, "tool");
      assert.deepEqual(await store.getDraft(userId, turnId), {
        parts: [],
        intents: [],
        results: [],
      });
    },
  },
];
