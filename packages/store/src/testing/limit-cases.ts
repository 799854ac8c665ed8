import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Reservation, Reserved } from "../limits/methods.ts";
import type { BeginTurn, BegunTurn, Store } from "../store.ts";
import type { StoreCase } from "./conformance.ts";
import { newTurn, says } from "./material.ts";

const someone = (): string => `user-${randomUUID()}`;
const nothing = { tokens: 0, cost: 0 };

/** A step with an input of 100 tokens for ten cents, and an answer of 1,000 tokens for a dollar. */
const step = (given: Partial<Reservation> & Pick<Reservation, "userId">): Reservation => ({
  turnId: randomUUID(),
  most: { turns: 0, tokens: 0, cost: 0 },
  took: nothing,
  input: { tokens: 100, cost: 0.1 },
  output: { wanted: 1000, least: 1, costEach: 0.001 },
  ms: 600_000,
  ...given,
});

const dollars = (cost: number): Reservation["most"] => ({ turns: 0, tokens: 0, cost });

/** Asks again until there is room: the store has its own clock. */
async function untilGranted(store: Store, given: Reservation): Promise<Reserved> {
  for (let patience = 1000; ; patience--) {
    const reserved = await store.reserve(given);
    if (reserved.refused === undefined || patience === 0) return reserved;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A first question, and its conversation. */
const newSend = (userId: string, turnId: string): BeginTurn & { readonly turnId: string } => ({
  userId,
  turnId,
  conversationId: randomUUID(),
  creates: {},
  idempotencyKey: turnId,
  expectedHead: null,
  message: says("hi"),
});

export const limitCases: readonly StoreCase[] = [
  {
    name: "F-W17: processes that reserve at the same moment never promise more than there is",
    run: async (open) => {
      const stores = [await open(), await open()];
      const [userId, other] = [someone(), someone()];
      const asked = Array.from({ length: 20 }, (_, nth) =>
        stores[nth % 2]!.reserve(step({ userId, most: dollars(2.5) })),
      );
      const granted = (await Promise.all(asked)).map((each) => each.granted);
      const promised = granted.map((tokens) => (tokens === 0 ? 0 : 0.1 + tokens * 0.001));
      const sum = promised.reduce((one, each) => one + each);
      assert.ok(sum > 2.39 && sum <= 2.5001, `promised ${sum}`);
      assert.deepEqual(granted.filter((tokens) => tokens === 1000).length, 2);
      assert.equal(
        (await stores[0]!.reserve(step({ userId: other, most: dollars(2) }))).granted,
        1000,
      );
    },
  },
  {
    name: "F-W17: a step gets what is left, or is refused with what stands in the way",
    run: async (open) => {
      const store = await open();
      const userId = someone();
      const { turnId } = step({ userId });
      const [first, second] = [randomUUID(), randomUUID()];
      const most = dollars(1);
      const shrunk = await store.reserve(step({ userId, turnId: first, most }));
      assert.ok(shrunk.granted >= 899 && shrunk.granted <= 900, String(shrunk.granted));
      assert.equal((await store.reserve(step({ userId, turnId: second, most }))).refused, "cost");
      await store.settle(userId, first, { tokens: 150, cost: 0.15 });
      await store.settle(userId, first, { tokens: 150, cost: 0.15 });
      const next = await store.reserve(
        step({ userId, turnId, most: { turns: 0, tokens: 300, cost: 0 } }),
      );
      assert.deepEqual(next, { granted: 50, spent: { tokens: 150, cost: 0.15 }, held: nothing });
      const over = await store.reserve(
        step({ userId, most: { turns: 0, tokens: 100, cost: 0 }, input: nothing }),
      );
      assert.equal(over.refused, "tokens");
      assert.deepEqual(over.held, { tokens: 150, cost: over.held.cost });
    },
  },
  {
    name: "F-W17: the next step of a turn settles the ones before it, and each of them once",
    run: async (open) => {
      const store = await open();
      const userId = someone();
      const turnId = randomUUID();
      await store.reserve(step({ userId, turnId }));
      const took = { tokens: 400, cost: 0.4 };
      for (let twice = 0; twice < 2; twice++) {
        assert.deepEqual((await store.reserve(step({ userId, turnId, took }))).spent, took);
      }
      const refused = await store.reserve(step({ userId, turnId, took, most: dollars(0.2) }));
      assert.equal(refused.refused, "cost");
      const all = { tokens: 600, cost: 0.6 };
      await store.settle(userId, turnId, all);
      assert.deepEqual((await store.reserve(step({ userId }))).spent, all);
    },
  },
  {
    name: "F-W17: turns at a time are counted for all processes; a place is given back",
    run: async (open) => {
      const stores = [await open(), await open()];
      const userId = someone();
      const most = { turns: 3, tokens: 0, cost: 0 };
      const asked = Array.from({ length: 12 }, (_, nth) =>
        step({ userId, most, turnId: `${userId} ${nth}` }),
      );
      const all = await Promise.all(asked.map((each, nth) => stores[nth % 2]!.reserve(each)));
      const running = asked.filter((_, nth) => all[nth]!.refused === undefined);
      assert.equal(running.length, 3);
      assert.equal(all.filter(({ refused }) => refused === "turns").length, 9);
      assert.equal((await stores[1]!.reserve(running[0]!)).refused, undefined);
      await stores[0]!.settle(userId, running[0]!.turnId, nothing);
      assert.equal((await stores[1]!.reserve(step({ userId, most }))).refused, undefined);
    },
  },
  {
    name: "F-W17: of turns that are begun with their places, only those with a place are stored",
    run: async (open) => {
      const stores = [await open(), await open()];
      const userId = someone();
      const most = { turns: 3, tokens: 0, cost: 0 };
      const asked = Array.from({ length: 12 }, (_, nth) => newSend(userId, `${userId} ${nth}`));
      const all = await Promise.all(
        asked.map(async (turn, nth) => {
          const store = stores[nth % 2]!;
          const place = await store.reserve(step({ ...turn, most }), turn);
          return place.refused ?? place.begun ?? store.beginTurn(turn);
        }),
      );
      const begun = all.filter((each) => typeof each !== "string");
      assert.deepEqual(
        all.filter((each) => typeof each === "string"),
        Array(9).fill("turns"),
      );
      const stored = (await stores[0]!.listConversations(userId)).map(({ id }) => id);
      assert.deepEqual(stored.toSorted(), begun.map(({ turn }) => turn.conversationId).toSorted());
      for (const { turn, message, isNew } of begun) {
        assert.equal(isNew, true);
        assert.deepEqual(await stores[1]!.getTurn(userId, turn.id), turn);
        assert.deepEqual(await stores[1]!.listMessages(userId, turn.conversationId), [message]);
      }
    },
  },
  {
    name: "F-W17: the same send with a place gets the same turn; a busy conversation gets no other",
    run: async (open) => {
      const store = await open();
      const userId = someone();
      const turn = newSend(userId, `${userId} first`);
      const begin = async (given: typeof turn): Promise<BegunTurn> =>
        (await store.reserve(step(given), given)).begun ?? store.beginTurn(given);
      const first = await begin(turn);
      assert.deepEqual((await begin(turn)).turn, first.turn);
      const again = await begin({ ...turn, turnId: randomUUID() });
      assert.deepEqual(again, { ...first, isNew: false });
      const next = { ...turn, turnId: randomUUID(), idempotencyKey: "next" };
      await assert.rejects(begin(next), { code: "name_taken" });
      const { creates: _, ...follows } = { ...next, expectedHead: first.message.id };
      await assert.rejects(begin(follows), { code: "turn_running" });
      await store.finishTurn(userId, turn.turnId, { state: "stopped" });
      assert.equal((await begin(follows)).message.parentId, first.message.id);
    },
  },
  {
    name: "F-W17: what a process held that is gone is free again, by the store's own clock",
    run: async (open) => {
      const store = await open();
      const userId = someone();
      const most = { turns: 1, tokens: 1500, cost: 0 };
      assert.equal((await store.reserve(step({ userId, most, ms: 50 }))).granted, 1000);
      assert.equal((await untilGranted(store, step({ userId, most }))).granted, 1000);
    },
  },
  {
    name: "F-W17: a turn that was interrupted holds nothing; what it took counts",
    run: async (open) => {
      const store = await open();
      const { userId, turnId } = await newTurn(store);
      const most = { turns: 1, tokens: 1500, cost: 0 };
      const took = { tokens: 200, cost: 0.2 };
      await store.reserve(step({ userId, turnId, most, took }));
      assert.equal((await store.reserve(step({ userId, most }))).refused, "turns");
      await store.finishTurn(userId, turnId, { state: "interrupted" });
      const next = await store.reserve(step({ userId, most }));
      assert.deepEqual(next, { granted: 1000, spent: took, held: nothing });
    },
  },
  {
    name: "F-W17: a bucket is one for all processes, and fills again",
    run: async (open) => {
      const stores = [await open(), await open()];
      const bucket = { key: `bucket ${randomUUID()}`, size: 10, refillMs: 1e9 };
      const asked = Array.from({ length: 40 }, (_, nth) => stores[nth % 2]!.takeFrom(bucket));
      const all = await Promise.all(asked);
      assert.equal(all.filter(({ taken }) => taken === 1).length, 10);
      const refused = all.find(({ taken }) => taken === 0);
      assert.ok(refused !== undefined && refused.waitMs > 9e8 && refused.waitMs <= 1e9);
      await stores[0]!.giveBack(bucket);
      assert.equal((await stores[1]!.takeFrom(bucket, 5)).taken, 1);
      await stores[1]!.refill(bucket.key);
      assert.equal((await stores[0]!.takeFrom(bucket, 7)).taken, 7);
      assert.equal((await stores[0]!.takeFrom(bucket, 7)).taken, 3);
      const quick = { ...bucket, key: `${bucket.key} quick`, refillMs: 1 };
      assert.equal((await stores[0]!.takeFrom(quick, 10)).taken, 10);
      for (let patience = 1000; (await stores[1]!.takeFrom(quick)).taken === 0; patience--) {
        assert.ok(patience > 0);
        await pause(1);
      }
      await stores[0]!.forgetLimits();
      assert.equal((await stores[0]!.takeFrom(bucket)).taken, 0);
    },
  },
];
