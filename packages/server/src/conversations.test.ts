import { createMemoryData, memoryStore, type Store } from "@mull/store";
import { describe, expect, it } from "vitest";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, type Visitor } from "./testing/test-server.ts";

interface Listed {
  readonly conversations: readonly { readonly id: string; readonly title: string }[];
}

const titles = async (visitor: Visitor, query = ""): Promise<readonly string[]> =>
  (await visitor.json<Listed>("GET", `/api/conversations${query}`)).conversations.map(
    ({ title }) => title,
  );

/** A store that holds changes to conversations back until this many have arrived. */
function withMeeting(store: Store, expected: number): Store {
  const meeting: (() => void)[] = [];
  return {
    ...store,
    updateConversation: async (...change) => {
      await new Promise<void>((resolve) => {
        meeting.push(resolve);
        if (meeting.length === expected) for (const go of meeting) go();
      });
      return store.updateConversation(...change);
    },
  };
}

describe("conversations", () => {
  it("are titled by the first question, renamed, found and deleted", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 23 * 47?\nPlease.");
    await ann.askWhole(await ann.newConversation(), "Search the web for the bitcoin price");
    expect(await titles(ann)).toEqual([
      "Search the web for the bitcoin price",
      "What is 23 * 47? Please.",
    ]);
    const named = await ann.newConversation();
    const url = "data:text/plain;base64,aGk=";
    const file = { type: "file", mediaType: "text/plain", filename: "plan.txt", url };
    const asked = { id: named, message: { role: "user", parts: [file] } };
    await (await ann.call("POST", "/api/chat", asked)).text();
    expect((await titles(ann))[0]).toBe("plan.txt");
    await ann.json("PATCH", `/api/conversations/${id}`, { title: "Sums" });
    expect(await titles(ann, "?search=SUMS")).toEqual(["Sums"]);
    expect(await titles(ann, "?search=1,081")).toEqual(["Sums"]);
    expect(await titles(ann, "?search=powers%20before%20products")).toEqual([]);
    expect(await titles(ann, "?search=powers%20before%20products&everything=true")).toEqual([
      "Sums",
    ]);
    expect(await titles(ann, "?limit=1")).toHaveLength(1);
    expect((await ann.call("DELETE", `/api/conversations/${id}`)).status).toBe(204);
    expect((await ann.call("GET", `/api/conversations/${id}`)).status).toBe(404);
    expect(await titles(ann, "?search=1,081")).toEqual([]);
  });

  it("R252: a reload shows the parts the stream showed, thinking and receipts included", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const chunks = await ann.askWhole(id, "okay - what's going on in the markets today?");
    const { messages } = await ann.json<{
      messages: { id: string; metadata?: object; parts: { type: string; text?: string }[] }[];
    }>("GET", `/api/conversations/${id}/messages`);
    const answer = messages.at(1);
    expect(answer?.id).toBe(chunks.at(0)?.["messageId"]);
    expect(answer?.metadata).toMatchObject({ state: "done", level: "med", isSimulated: true });
    expect(
      answer?.parts.map(({ type }) => type).filter((type) => type !== "data-mull-step"),
    ).toEqual([
      "step-start",
      "reasoning",
      "tool-searchWeb",
      "data-receipt",
      "step-start",
      "reasoning",
      "text",
      "data-receipt",
    ]);
    const thinking = chunks
      .filter(({ type }) => type === "reasoning-delta")
      .map(({ delta }) => String(delta))
      .join("");
    const kept = answer?.parts.filter(({ type }) => type === "reasoning").map(({ text }) => text);
    expect(kept?.join("")).toBe(thinking);
  });

  it("export and import carry everything over, seals and branches included", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    await (await ann.call("POST", `/api/chat/${id}/retry`, {})).text();
    await ann.askWhole(id, "What is 2 + 2?");
    const { branchings } = await ann.json<{ branchings: { heads: string[] }[] }>(
      "GET",
      `/api/conversations/${id}/messages`,
    );
    await ann.json("PATCH", `/api/conversations/${id}`, { head: branchings[0]?.heads[0] });
    const exported = await ann.json<{ history: { entries: unknown[] } }>(
      "GET",
      `/api/conversations/${id}/export`,
    );
    const made = await ann.json<{
      conversation: { id: string; title: string };
      lint: { ok: boolean };
    }>("POST", "/api/conversations/import", { ...exported, model: "claude-sonnet-4-5" });
    expect(made.lint.ok).toBe(true);
    expect(made.conversation.title).toBe("okay - what's going on in the markets today?");
    const again = await ann.json<typeof exported>(
      "GET",
      `/api/conversations/${made.conversation.id}/export`,
    );
    expect(again.history).toEqual(exported.history);
    await ann.askWhole(made.conversation.id, "And what about crypto specifically?");
    expect(server.emulator.journal().every(({ verdict }) => verdict === "answered")).toBe(true);
  });

  describe("R252: what is imported keeps the times at which it was made", () => {
    const [asked, answered] = [Date.UTC(2025, 0, 1), Date.UTC(2025, 0, 2)];
    interface Raw {
      readonly conversation: { readonly createdAt: number };
      readonly messages: readonly { readonly createdAt: number }[];
    }
    const question = { role: "user", parts: [{ type: "text", text: "When?" }] };
    const answer = { role: "assistant", parts: [{ type: "text", text: "Then." }] };
    const entries = [
      { parent: -1, message: question, createdAt: asked },
      { parent: 0, message: answer, createdAt: answered },
    ];
    const stored = [
      { id: "q", parentId: null, createdAt: asked, message: question },
      { id: "a", parentId: "q", createdAt: answered, message: answer },
    ];
    const createdAt = asked - 1000;
    it.each([
      ["a history", { createdAt, history: { version: 1, head: 1, entries } }],
      ["raw", { conversation: { title: "", createdAt, head: "a", info: {} }, messages: stored }],
      [
        "UI messages",
        {
          createdAt,
          messages: [
            { ...question, createdAt: new Date(asked).toISOString() },
            { ...answer, metadata: { createdAt: answered } },
          ],
        },
      ],
    ])("%s", async (_, body) => {
      const ann = await testServer().signedUp("ann");
      const { conversation } = await ann.json<{ conversation: { id: string } }>(
        "POST",
        "/api/conversations/import",
        body,
      );
      const place = `/api/conversations/${conversation.id}/export`;
      const raw = await ann.json<Raw>("GET", `${place}?format=raw`);
      expect(raw.conversation.createdAt).toBe(createdAt);
      expect(raw.messages.map((message) => message.createdAt)).toEqual([asked, answered]);
      const exported = await ann.json<{ history: unknown }>("GET", place);
      expect(exported).toMatchObject({ createdAt, history: { entries } });
    });

    it("times that cannot be are not taken", async () => {
      const ann = await testServer().signedUp("ann");
      const before = Date.now();
      const messages = [
        { ...question, createdAt: "yesterday" },
        { ...answer, createdAt: "9999-12-31" },
      ];
      const { conversation } = await ann.json<{ conversation: { id: string } }>(
        "POST",
        "/api/conversations/import",
        { messages },
      );
      const place = `/api/conversations/${conversation.id}/export?format=raw`;
      const raw = await ann.json<Raw>("GET", place);
      const [first = 0, second] = raw.messages.map((message) => message.createdAt);
      expect(first).toBeGreaterThanOrEqual(before);
      expect(second).toBe(first + 1);
    });
  });

  it("F-W17: a long import is shown whole, and none of it stays when it fails", async () => {
    const kept = memoryStore();
    const room = { isLeft: true };
    const store: Store = {
      ...kept,
      importConversation: async (userId, given) => {
        if (!room.isLeft) throw new Error("no room");
        return kept.importConversation(userId, given);
      },
    };
    const ann = await testServer({ keptStore: store }).signedUp("ann");
    const messages = Array.from({ length: 2500 }, (_, nth) => ({
      role: nth % 2 === 0 ? "user" : "assistant",
      parts: [{ type: "text", text: `message ${nth}` }],
    }));
    const made = await ann.json<{ conversation: { id: string } }>(
      "POST",
      "/api/conversations/import",
      { messages },
    );
    const shown = await ann.json<{ messages: unknown[] }>(
      "GET",
      `/api/conversations/${made.conversation.id}/messages`,
    );
    expect(shown.messages).toHaveLength(2500);
    room.isLeft = false;
    expect((await ann.call("POST", "/api/conversations/import", { messages })).status).toBe(500);
    expect(await titles(ann)).toHaveLength(1);
  });

  it("Markdown holds what people read", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    const response = await ann.call("GET", `/api/conversations/${id}/export?format=markdown`);
    const text = await response.text();
    expect(text).toMatch(/^# okay - what's going on/);
    expect(text).toContain("## You\n\nokay");
    expect(text).toContain("Called `searchWeb`");
    expect(text).not.toContain("I do not have, so I use");
    expect(text).not.toContain("signature");
  });

  it.each([
    ["Sums & more", 'filename="Sums-more.md"'],
    ["株価 today", `filename="today.md"; filename*=UTF-8''%E6%A0%AA%E4%BE%A1-today.md`],
    ["Größe", `filename="Gro-e.md"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.md`],
    ["🎉", 'filename="conversation.md"'],
  ])("a download of %j keeps the letters of its title", async (title, name) => {
    const ann = await testServer().signedUp("ann");
    const { id } = await ann.json<{ id: string }>("POST", "/api/conversations", { title });
    const file = await ann.call("GET", `/api/conversations/${id}/export?format=markdown`);
    expect(file.headers.get("content-disposition")).toBe(`attachment; ${name}`);
  });

  it("R197: the inspector shows what another vendor would get, and sends nothing", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    const sent = server.emulator.journal().length;
    const seen = await ann.json<{
      body: { contents: unknown[] };
      withheld: unknown[];
      lint: { ok: boolean };
      predicted: number;
      words: string[];
    }>("GET", `/api/conversations/${id}/inspect?model=gemini-3.8-flash&level=high`);
    expect(seen.body.contents.length).toBeGreaterThan(2);
    expect(seen.withheld.length).toBeGreaterThan(0);
    expect(seen.predicted).toBe(200);
    expect(seen.words).toEqual(["To Google gemini-3.8-flash", "  Thinking: HIGH level"]);
    expect(server.emulator.journal()).toHaveLength(sent);
  });

  it("models, plan and usage", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const models = await ann.json<{
      default: { model: string; level: string };
      providers: { id: string; simulated: boolean; models: { id: string }[] }[];
      tools: { name: string }[];
    }>("GET", "/api/models");
    expect(models.default).toEqual({ model: "anthropic:claude-sonnet-4-5", level: "med" });
    expect(models.providers.find(({ id }) => id === "anthropic")?.simulated).toBe(true);
    expect(models.tools.map(({ name }) => name)).toEqual(["searchWeb", "calculator"]);
    const plan = await ann.json<{ plan: { setting: object } }>(
      "GET",
      "/api/plan?model=claude-sonnet-4-5&level=med",
    );
    expect(plan.plan.setting).toEqual({ type: "budget", tokens: 43_008 });
    const refused = await ann.call("GET", "/api/plan?model=gpt-6-sol&level=enormous");
    expect(refused.status).toBe(400);
    expect(await ann.json("GET", "/api/usage")).toMatchObject({ turns: 0, tokens: 0, cost: 0 });
  });

  it("R179: a level chosen for one question holds for the next", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const ask = async (level?: string): Promise<unknown> => {
      const response = await ann.ask(id, {
        text: "What is 23 * 47?",
        ...(level !== undefined && { level }),
      });
      const receipt = readChunks(await response.text()).find(({ type }) => type === "data-receipt");
      const data = receipt?.["data"] as { receipt: { plan: { asked: string } } } | undefined;
      return data?.receipt.plan.asked;
    };
    expect(await ask("low")).toBe("low");
    expect(await ask("high")).toBe("high");
    expect(await ask()).toBe("high");
  });

  it("R248: a service that refuses is an error people can read, and the conversation goes on", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    server.emulator.fault({ faults: "status=400", times: 1 });
    const response = await ann.ask(id, { text: "What is 2 + 2?" });
    expect(readChunks(await response.text()).at(-1)?.type).toBe("error");
    expect((await ann.askWhole(id, "What is 2 + 2?")).at(-1)?.type).toBe("finish");
  });

  it("F-D6: a choice and a new title that meet keep each other, and a stop beside them", async () => {
    const data = createMemoryData();
    const { clock } = standingClock();
    const emulator = { faults: "pace=20", clock };
    const first = testServer({ keptStore: memoryStore({ data }), emulator });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    const running = await ann.ask(id, { text: "What is 23 * 47?" });
    const store = memoryStore({ data });
    const there = testServer({ keptStore: withMeeting(store, 2) }).visitor();
    there.cookie = ann.cookie;
    await Promise.all([
      there.json("POST", `/api/chat/${id}/stop`),
      there.json("POST", `/api/chat/${id}/use`, { model: "gpt-6-sol", level: "high" }),
      there.json("PATCH", `/api/conversations/${id}`, { title: "Sums" }),
    ]);
    const { userId } = await ann.json<{ userId: string }>("GET", "/api/account");
    expect(await store.getConversation(userId, id)).toMatchObject({
      title: "Sums",
      info: { model: "openai:gpt-6-sol", level: "high" },
    });
    await ann.json("POST", `/api/chat/${id}/stop`);
    await running.text();
  });

  it("F-D6: a title that somebody gives while the first question is taken stays", async () => {
    const store = memoryStore();
    const ann = await testServer({ keptStore: withMeeting(store, 2) }).signedUp("ann");
    const id = await ann.newConversation();
    await Promise.all([
      ann.askWhole(id, "What is 23 * 47?"),
      ann.json("PATCH", `/api/conversations/${id}`, { title: "Sums" }),
    ]);
    expect(await titles(ann)).toEqual(["Sums"]);
  });
});
