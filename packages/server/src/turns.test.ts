import { MullError } from "mull";
import { memoryStore, type Store } from "@mull/store";
import { describe, expect, it } from "vitest";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, textIn, type Visitor } from "./testing/test-server.ts";

interface Shown {
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parts: readonly { readonly type: string; readonly text?: string }[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  }[];
  readonly branchings: readonly {
    readonly messageId: string;
    readonly heads: readonly string[];
    readonly position: number;
  }[];
}

const show = (visitor: Visitor, id: string): Promise<Shown> =>
  visitor.json<Shown>("GET", `/api/conversations/${id}/messages`);

const saidIn = (shown: Shown): readonly string[] =>
  shown.messages.map((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );

describe("turns", () => {
  it("F-D11: a question reads its conversation and the turns before it at the same time", async () => {
    const store = memoryStore();
    let haveAsked: (() => void) | undefined;
    let asked = Promise.resolve();
    const server = testServer({
      keptStore: {
        ...store,
        getConversation: async (userId, conversationId) => {
          await asked;
          return store.getConversation(userId, conversationId);
        },
        listTurns: async (userId, conversationId, options) => {
          haveAsked?.();
          return store.listTurns(userId, conversationId, options);
        },
      },
    });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 2 + 2?");
    asked = new Promise((resolve) => (haveAsked = resolve));
    expect((await ann.askWhole(id, "What is 3 + 3?")).at(-1)?.type).toBe("finish");
    expect((await show(ann, id)).messages).toHaveLength(4);
  });

  it("F-D11: of twenty sends at once one wins, the others get 409 with the head", async () => {
    const { clock, letGo } = standingClock();
    const emulator = { faults: "pace=1", clock };
    const server = testServer({ emulator, limits: { turnsPerUser: 50 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ann.ask(id, { text: `What is ${n} + 1?`, id: `m${n}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    const refused = answers.find(({ status }) => status === 409)!;
    const { error } = (await refused.json()) as { error: { code: string; allowed: string[] } };
    expect(error.code).toBe("turn_running");
    expect(error.allowed).toHaveLength(1);
    letGo();
    await answers.find(({ status }) => status === 200)!.text();
    expect((await show(ann, id)).messages).toHaveLength(2);
  });

  it("F-D11: a head that is not the current one any more is 409", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 1 + 1?");
    const stale = await ann.ask(id, { text: "And 2 + 2?", expectedHead: null });
    expect(stale.status).toBe(409);
    expect(((await stale.json()) as { error: { code: string } }).error.code).toBe("stale_head");
  });

  it("F-D12: the same send twice is one turn and one stream; the same key for another is 422", async () => {
    const server = testServer({ emulator: { faults: "pace=1" } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const send = (text: string): Promise<Response> => ann.ask(id, { text, key: "k1" });
    const [first, second] = await Promise.all([send("What is 2 + 2?"), send("What is 2 + 2?")]);
    expect(first.headers.get("x-mull-turn")).toBe(second.headers.get("x-mull-turn"));
    const [a, b] = await Promise.all([first.text(), second.text()]);
    expect(textIn(readChunks(b))).toBe(textIn(readChunks(a)));
    const late = await send("What is 2 + 2?");
    expect(late.headers.get("x-mull-turn")).toBe(first.headers.get("x-mull-turn"));
    await late.text();
    expect((await send("What is 3 + 3?")).status).toBe(422);
    expect((await show(ann, id)).messages).toHaveLength(2);
  });

  it("F-D12: without a key the id the client gave its message says that it is the same send", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const first = await ann.ask(id, { text: "What is 2 + 2?", id: "msg-1" });
    await first.text();
    const again = await ann.ask(id, { text: "What is 2 + 2?", id: "msg-1" });
    expect(again.headers.get("x-mull-turn")).toBe(first.headers.get("x-mull-turn"));
  });

  it("useChat's way to edit the first question asks otherwise in the same conversation", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    // A name that the client made up, with which a conversation may begin.
    const id = "chat-1";
    await (await ann.ask(id, { text: "What is 2 + 2?", id: "question-1" })).text();
    const edited = await ann.ask(id, {
      text: "What is 5 + 5?",
      id: "question-1",
      messageId: "question-1",
    });
    expect(edited.status).toBe(200);
    await edited.text();
    const after = await show(ann, id);
    expect(saidIn(after)).toEqual(["What is 5 + 5?", expect.stringContaining("10")]);
    expect(after.branchings.map(({ heads }) => heads.length)).toEqual([2]);
    const { conversations } = await ann.json<{ conversations: readonly object[] }>(
      "GET",
      "/api/conversations",
    );
    expect(conversations).toHaveLength(1);
  });

  it("retry answers again as a branch; edit asks otherwise as a branch; the head moves between", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 2 + 2?");
    const original = (await show(ann, id)).messages.at(1)!.id;
    await (await ann.call("POST", `/api/chat/${id}/retry`, { model: "gpt-6-sol" })).text();
    const retried = await show(ann, id);
    expect(retried.messages).toHaveLength(2);
    expect(retried.messages.at(1)!.metadata!["model"]).toBe("openai:gpt-6-sol");
    expect(retried.branchings).toHaveLength(1);
    expect(retried.branchings.at(0)!.position).toBe(1);
    const edit = await ann.call("POST", `/api/chat/${id}/edit`, {
      messageId: retried.messages.at(0)!.id,
      message: { role: "user", parts: [{ type: "text", text: "What is 5 + 5?" }] },
    });
    await edit.text();
    const edited = await show(ann, id);
    expect(saidIn(edited)[0]).toBe("What is 5 + 5?");
    expect(saidIn(edited)[1]).toContain("10");
    const back = edited.branchings.find(
      ({ messageId }) => messageId === edited.messages.at(0)!.id,
    )!;
    await ann.json("PATCH", `/api/conversations/${id}`, { head: back.heads[0] });
    const seen = await show(ann, id);
    expect(saidIn(seen)[0]).toBe("What is 2 + 2?");
    expect(seen.branchings.some(({ heads }) => heads.length === 2)).toBe(true);
    expect(seen.messages.at(1)!.id).not.toBe(original);
  });

  it("an answer again where nothing was asked makes no conversation", async () => {
    const ann = await testServer().signedUp("ann");
    const body = { id: "never-asked", trigger: "regenerate-message" };
    expect((await ann.call("POST", "/api/chat", body)).status).toBe(404);
    const { conversations } = await ann.json<{ conversations: unknown[] }>(
      "GET",
      "/api/conversations",
    );
    expect(conversations).toEqual([]);
  });

  it("a fork begins another conversation with this one up to a message", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 2 + 2?");
    await ann.askWhole(id, "What is 3 + 3?");
    const { messages } = await show(ann, id);
    const fork = await ann.json<{ id: string }>("POST", `/api/conversations/${id}/fork`, {
      messageId: messages.at(1)!.id,
    });
    expect(saidIn(await show(ann, fork.id))).toEqual(
      saidIn({ messages, branchings: [] }).slice(0, 2),
    );
    await ann.askWhole(fork.id, "What is 7 + 7?");
    expect((await show(ann, id)).messages).toHaveLength(4);
  });

  it("another model keeps the level of its conversation, unless it comes with one", async () => {
    const ann = await testServer().signedUp("ann");
    const { id } = await ann.json<{ id: string }>("POST", "/api/conversations", { level: "high" });
    const asked = async (model: string): Promise<unknown> => {
      const chunks = await ann.askWhole(id, "What is 2 + 2?", model);
      return (chunks.at(0)!["messageMetadata"] as { level: unknown }).level;
    };
    expect(await asked("gpt-6-sol")).toBe("high");
    const used = { model: "gemini-3.8-flash" };
    expect(await ann.json("POST", `/api/chat/${id}/use`, used)).toMatchObject({ level: "high" });
    expect(await asked("gpt-6-sol/low")).toBe("low");
    expect(await asked("claude-sonnet-4-5")).toBe("low");
  });

  it("another model takes a running turn over between its steps", async () => {
    const { clock, letGo } = standingClock();
    const server = testServer({ emulator: { faults: "pace=4", clock } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5");
    const response = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    const taken = await ann.json<{ tookOver: boolean }>("POST", `/api/chat/${id}/use`, {
      model: "gemini-3.8-flash",
      level: "high",
    });
    expect(taken.tookOver).toBe(true);
    letGo();
    const chunks = readChunks(await response.text());
    expect(chunks.at(-1)!.type).toBe("finish");
    const models = chunks
      .filter(({ type }) => type === "data-receipt")
      .map(({ data }) => (data as { receipt: { plan: { model: string } } }).receipt.plan.model);
    expect(models).toEqual(["claude-sonnet-4-5", "gemini-3.8-flash"]);
    await ann.askWhole(id, "And what about crypto specifically?");
  });

  it("F-D7: the store is away in mid turn: the stream completes, and is saved when it is back", async () => {
    const real = memoryStore();
    const away = { is: false };
    const store = flaky(real, away);
    const server = testServer({ keptStore: store, limits: { saveGraceMs: 50, saveMs: 20_000 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    server.emulator.fault({ faults: "pace=3" });
    const response = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    away.is = true;
    const chunks = readChunks(await response.text());
    expect(chunks.at(-1)!.type).toBe("finish");
    const unsaved = chunks.find(({ type }) => type === "data-unsaved");
    expect(JSON.stringify(unsaved)).toContain("markets");
    expect(await (await ann.call("GET", "/health")).json()).toMatchObject({ store: "unavailable" });
    expect((await ann.call("GET", "/ready")).status).toBe(503);
    away.is = false;
    await expect
      .poll(async () => (await real.listTurns(await userOf(ann), id)).map(({ state }) => state))
      .toEqual(["done"]);
    const shown = await show(ann, id);
    expect(shown.messages).toHaveLength(2);
    expect(saidIn(shown)[1]).toBe(textIn(chunks));
    await ann.askWhole(id, "And what about crypto specifically?");
  });

  it("F-D7: the store is gone for good: the answer is marked unsaved, nothing crashes", async () => {
    const away = { is: false };
    const store = flaky(memoryStore(), away);
    const server = testServer({ keptStore: store, limits: { saveGraceMs: 20, saveMs: 100 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    server.emulator.fault({ faults: "pace=3" });
    const response = await ann.ask(id, { text: "What is 2 + 2?" });
    away.is = true;
    const chunks = readChunks(await response.text());
    expect(chunks.map(({ type }) => type)).toContain("data-unsaved");
    expect(chunks.at(-1)!.type).toBe("finish");
    await expect
      .poll(() =>
        server.logs.filter(({ event }) => event === "turn").map((entry) => entry["isSaved"]),
      )
      .toEqual([false]);
    expect((await ann.call("GET", `/api/conversations/${id}`)).status).toBe(503);
  });

  it("F-D8: a full disk is 507 for new turns, and works again when there is room", async () => {
    const real = memoryStore();
    const full = { is: false };
    const store: Store = {
      ...real,
      beginTurn: (given) => (full.is ? Promise.reject(noSpace()) : real.beginTurn(given)),
    };
    const server = testServer({ keptStore: store });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    full.is = true;
    const refused = await ann.ask(id, { text: "What is 2 + 2?" });
    expect(refused.status).toBe(507);
    expect(await refused.text()).toContain("full");
    full.is = false;
    expect(textIn(await ann.askWhole(id, "What is 2 + 2?"))).toContain("4");
  });

  it("F-D16: a shutdown takes no new turns and interrupts the running ones", async () => {
    const { clock } = standingClock();
    const server = testServer({ emulator: { faults: "pace=50", clock }, limits: { drainMs: 100 } });
    const ann = await server.signedUp("ann");
    const ids = await Promise.all([ann.newConversation(), ann.newConversation()]);
    const running = await Promise.all(ids.map((id) => ann.ask(id, { text: "What is 2 + 2?" })));
    const draining = server.app.drain();
    const late = await ann.ask(await ann.newConversation(), { text: "What is 2 + 2?" });
    expect(late.status).toBe(503);
    const decided = await ann.call("POST", `/api/chat/${ids[0]}/decide`, { decisions: [] });
    expect(decided.status).toBe(503);
    await draining;
    for (const [index, response] of running.entries()) {
      expect(readChunks(await response.text()).at(-1)).toMatchObject({
        type: "abort",
        reason: "interrupted",
      });
      const { turns } = await ann.json<{ turns: { state: string; error?: object }[] }>(
        "GET",
        `/api/conversations/${ids.at(index)!}/turns`,
      );
      // Not `stopped`, because no user stopped it; the page then offers to answer again.
      expect(turns).toMatchObject([{ state: "interrupted", error: { code: "shutdown" } }]);
    }
  });
});

const userOf = async (visitor: Visitor): Promise<string> =>
  (await visitor.json<{ userId: string }>("GET", "/api/account")).userId;

const noSpace = (): MullError =>
  new MullError("The disk is full.", {
    category: "server",
    status: 507,
    code: "full",
    retryable: true,
  });

const unavailable = (): MullError =>
  new MullError("The database cannot be reached.", {
    category: "server",
    status: 503,
    code: "unavailable",
    retryable: true,
  });

/** A store whose database can be taken away. */
const flaky = (store: Store, away: { readonly is: boolean }): Store =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) =>
        away.is ? Promise.reject(unavailable()) : (Reflect.apply(value, target, args) as unknown);
    },
  });
