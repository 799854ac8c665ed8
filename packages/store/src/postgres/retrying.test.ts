import { History } from "mull";
import { describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { holdConnection } from "../testing/hold-connection.ts";
import { answers, newTalk, newTurn, says } from "../testing/material.ts";
import { usePostgres } from "../testing/use-postgres.ts";
import type { SqlDriver } from "./driver.ts";
import { postgresStore } from "./postgres-store.ts";

const postgres = usePostgres();

const failure = (code: string, message = code): Error =>
  Object.assign(new Error(message), { code });

/**
 * What goes wrong with the next statement or transaction, and whether its work is done first; or
 * nothing.
 */
type Fault = readonly [error: Error, when: "before" | "after"] | readonly [];

interface Faulty {
  readonly store: Store;
  /** Every fault happens before a request; those left at the end never happened. */
  readonly faults: Fault[];
}

let shared: Promise<Faulty> | undefined;

/** A store whose connection fails on order, the same way for every test. */
async function faultyStore(url: string): Promise<Faulty> {
  const faulty = await (shared ??= openFaulty(postgres.connect(url)));
  faulty.faults.length = 0;
  return faulty;
}

async function openFaulty(driver: SqlDriver): Promise<Faulty> {
  const faults: Fault[] = [];
  const failing =
    <A extends readonly unknown[], T>(run: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      const [error, when] = faults.shift() ?? [];
      if (when === "before") throw error;
      const result = await run(...given);
      if (when === "after") throw error;
      return result;
    };
  const store = await postgresStore({
    ...driver,
    query: (text, values) => failing(driver.query)(text, values),
    transaction: (run) => failing(() => driver.transaction(run))(),
  });
  return { store, faults };
}

const lost = (): Error => new Error("Connection terminated unexpectedly");

const reasons: readonly (readonly [string, readonly Fault[]])[] = [
  ["a deadlock", [[failure("40P01"), "before"]]],
  [
    "two that got in each other's way, twice",
    [
      [failure("40001"), "before"],
      [failure("40001"), "before"],
    ],
  ],
  ["a server that ends the connection first", [[failure("57P01"), "before"]]],
  ["a server that ends the connection when it is done", [[failure("57P01"), "after"]]],
  ["a connection that is lost when it is done", [[lost(), "after"]]],
  [
    "one that is lost, and a server that starts",
    [
      [lost(), "after"],
      [failure("57P03"), "before"],
    ],
  ],
];

/** A call to the store, and how often its effect must be there afterwards. */
const writes: readonly (readonly [
  string,
  (given: Faulty, faults: readonly Fault[]) => Promise<void>,
])[] = [
  [
    "a conversation",
    async ({ store, faults }, given) => {
      const { userId } = await newTalk(store);
      faults.push(...given);
      const made = await store.createConversation(userId, { title: "once" });
      expect(made.title).toBe("once");
      expect(await store.listConversations(userId, { search: "once" })).toEqual([made]);
    },
  ],
  [
    "a deleted conversation",
    async ({ store, faults }, given) => {
      const { userId, conversationId } = await newTalk(store);
      faults.push(...given);
      await store.deleteConversation(userId, conversationId);
      expect(await store.listConversations(userId)).toEqual([]);
    },
  ],
  [
    "an import",
    async ({ store, faults }, given) => {
      const { userId } = await newTalk(store);
      const history = History.from([says("one"), answers("two"), says("three")]);
      faults.push(...given, [], ...given, [], ...given);
      const made = await store.importConversation(userId, { history });
      const stored = await store.listMessages(userId, made.id);
      expect(stored.map(({ message }) => message)).toEqual(history.messages);
    },
  ],
  [
    "messages",
    async ({ store, faults }, given) => {
      const { userId, conversationId } = await newTalk(store);
      faults.push(...given);
      const some = [says("one"), answers("two")];
      const added = await store.appendMessages(userId, conversationId, null, some);
      expect(added.map(({ message }) => message)).toEqual(some);
      expect(await store.listMessages(userId, conversationId)).toEqual(added);
    },
  ],
  [
    "a turn, which is begun here and nowhere else",
    async ({ store, faults }, given) => {
      const talk = await newTalk(store);
      const send = { ...talk, idempotencyKey: "k", expectedHead: null, message: says("hi") };
      faults.push(...given);
      const { turn, message, isNew } = await store.beginTurn(send);
      expect(isNew).toBe(true);
      expect(await store.listMessages(talk.userId, talk.conversationId)).toEqual([message]);
      expect(await store.listTurns(talk.userId, talk.conversationId)).toEqual([turn]);
      expect((await store.beginTurn(send)).isNew).toBe(false);
    },
  ],
  [
    "a block of an answer, and its twin",
    async ({ store, faults }, given) => {
      const { userId, turnId } = await newTurn(store);
      const part = { type: "text", text: "twice" } as const;
      await store.appendPart(userId, turnId, part);
      faults.push(...given);
      await store.appendPart(userId, turnId, part, { step: 0, block: 1 });
      expect((await store.getDraft(userId, turnId)).parts).toEqual([part, part]);
    },
  ],
  [
    "a tool's intent",
    async ({ store, faults }, given) => {
      const { userId, turnId } = await newTurn(store);
      faults.push(...given);
      await store.storeToolIntent(userId, turnId, {
        type: "tool-call",
        id: "c",
        name: "f",
        input: {},
      });
      expect((await store.getDraft(userId, turnId)).intents).toEqual(["c"]);
    },
  ],
  [
    "a message of a turn",
    async ({ store, faults }, given) => {
      const { userId, conversationId, turnId } = await newTurn(store);
      faults.push(...given);
      const stored = await store.finishMessage(userId, turnId, answers("ho"));
      expect(stored.message).toEqual(answers("ho"));
      expect((await store.listMessages(userId, conversationId)).slice(1)).toEqual([stored]);
      expect((await store.getConversation(userId, conversationId)).head).toBe(stored.id);
    },
  ],
  [
    "the end of a turn",
    async ({ store, faults }, given) => {
      const { userId, conversationId, turnId } = await newTurn(store);
      faults.push(...given);
      const end = { state: "done", messages: [answers("ho")], cost: 2 } as const;
      expect(await store.finishTurn(userId, turnId, end)).toMatchObject({ state: "done", cost: 2 });
      expect(await store.listMessages(userId, conversationId)).toHaveLength(2);
      expect(await store.sumSpending(userId, 0)).toMatchObject({ turns: 1, cost: 2 });
    },
  ],
  [
    "the end of a turn that is made of its draft",
    async ({ store, faults }, given) => {
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.appendPart(userId, turnId, { type: "text", text: "ho" });
      faults.push(...given);
      expect((await store.finishTurn(userId, turnId, { state: "stopped" })).state).toBe("stopped");
      expect(await store.listMessages(userId, conversationId)).toHaveLength(2);
    },
  ],
  [
    "a fork",
    async ({ store, faults }, given) => {
      const { userId, conversationId, turnId } = await newTurn(store);
      await store.finishTurn(userId, turnId, { state: "done", messages: [answers("ho")] });
      faults.push([], [], [], ...given, [], ...given, [], ...given, [], ...given);
      const made = await store.forkConversation(userId, conversationId);
      expect(await store.listMessages(userId, made.id)).toHaveLength(2);
      expect(await store.listTurns(userId, made.id)).toHaveLength(1);
    },
  ],
  [
    "an account with its session",
    async ({ store, faults }, given) => {
      const { userId } = await newTalk(store);
      const session = { tokenHash: `t-${userId}`, expiresAt: Date.now() + 60_000 };
      faults.push(...given);
      const account = await store.createAccount({
        userId,
        name: userId,
        passwordHash: "x",
        session,
      });
      expect(await store.findAccount(userId)).toEqual(account);
      const tokenHash = `u-${userId}`;
      faults.push(...given);
      await store.createSession(userId, tokenHash, session.expiresAt);
      expect(await store.findSession(tokenHash)).toMatchObject({ userId });
      await expect(store.createSession(userId, tokenHash, session.expiresAt)).rejects.toMatchObject(
        {
          code: "name_taken",
        },
      );
    },
  ],
];

describe.each(reasons)("F-D7: after %s", (_, given) => {
  test.each(writes)("F-D7: %s is stored, once", async (__, write) => {
    const local = postgres.local();
    if (local === undefined) return;
    const faulty = await faultyStore(local.url);
    await write(faulty, given);
    expect(faulty.faults).toEqual([]);
  });
});

describe("F-D7: the store gives up", () => {
  test("F-D7: on what does not pass, at once, and on what does not pass soon", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const { store, faults } = await faultyStore(local.url);
    const { userId } = await newTalk(store);
    faults.push([failure("42501"), "before"]);
    await expect(store.listConversations(userId)).rejects.toMatchObject({ code: "42501" });
    expect(faults).toEqual([]);
    for (let nth = 0; nth < 20; nth++) faults.push([failure("40001"), "before"]);
    await expect(store.listConversations(userId)).rejects.toMatchObject({ code: "40001" });
    expect(faults.length).toBeGreaterThan(10);
  });
});

describe("F-D7: a real server", () => {
  test("F-D7: that ends every connection again and again loses and doubles nothing", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const store = await postgresStore(postgres.connect(local.url));
    const admin = postgres.connect(local.url, { poolSize: 1 });
    const { userId, conversationId } = await newTalk(store);
    const acknowledged: (string | null)[] = [];
    const state = { isOver: false };
    const disturb = async (): Promise<void> => {
      while (!state.isOver) {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'mull' and pid <> pg_backend_pid()`,
        );
        // As many writes as the machine has time for get through in between.
        const before = acknowledged.length;
        await expect.poll(() => state.isOver || acknowledged.length > before).toBe(true);
      }
    };
    const disturbing = disturb();
    let parentId: string | null = null;
    for (let nth = 0; nth < 40; nth++) {
      const [stored] = await store.appendMessages(userId, conversationId, parentId, [
        says(`${nth}`),
      ]);
      parentId = stored?.id ?? null;
      acknowledged.push(parentId);
    }
    state.isOver = true;
    await disturbing;
    const messages = await store.listMessages(userId, conversationId);
    expect(messages.map(({ id }) => id)).toEqual(acknowledged);
  }, 60_000);
});

describe("F-D7: a pool without a free connection", () => {
  test("F-D7: says so soon, in a way that can be tried again, and goes on afterwards", async () => {
    const local = postgres.local();
    if (local === undefined) return;
    const driver = postgres.connect(local.url, { poolSize: 1, poolWaitMs: 50 });
    const store = await postgresStore(driver);
    const { userId } = await newTalk(store);
    const letGo = await holdConnection(driver);
    const busy = { code: "busy", status: 503, category: "overloaded", retryable: true };
    await expect(store.listConversations(userId)).rejects.toMatchObject(busy);
    await expect(store.check()).rejects.toMatchObject(busy);
    await letGo();
    expect(await store.listConversations(userId)).toHaveLength(1);
    await store.check();
  });
});
