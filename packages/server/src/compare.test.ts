import { emulate } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, it } from "vitest";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, textIn, type Visitor } from "./testing/test-server.ts";

interface Column {
  readonly conversation?: { readonly id: string; readonly title: string; readonly model: string };
  readonly turnId?: string;
  readonly refused?: string;
}

const sonnet = { model: "claude-sonnet-4-5", level: "low" };
const sol = { model: "gpt-6-sol", level: "high" };

const message = { role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] };

const compare = async (visitor: Visitor, given: object): Promise<readonly Column[]> => {
  const body = { message, ...given };
  return (await visitor.json<{ columns: readonly Column[] }>("POST", "/api/compare", body)).columns;
};

const readAnswer = async (visitor: Visitor, { conversation, turnId }: Column): Promise<string> => {
  const path = `/api/chat/${conversation!.id}/stream?after=0&turn=${turnId!}`;
  return textIn(readChunks(await (await visitor.call("GET", path)).text()));
};

describe("one question to several models", () => {
  it("each answers in a conversation of its own, all at once", async () => {
    const ann = await testServer().signedUp("ann");
    const columns = await compare(ann, { choices: [sonnet, sol] });
    expect(columns.map(({ conversation }) => conversation?.title)).toEqual([
      "low claude-sonnet-4-5 · What is 23 * 47?",
      "high gpt-6-sol · What is 23 * 47?",
    ]);
    const answers = await Promise.all(columns.map((column) => readAnswer(ann, column)));
    for (const answer of answers) expect(answer).toContain("1,081");
  });

  it("they go on from a conversation, which stays as it was", async () => {
    const ann = await testServer().signedUp("ann");
    const conversationId = await ann.newConversation("claude-sonnet-4-5");
    await ann.json("PATCH", `/api/conversations/${conversationId}`, { system: "Be brief." });
    await ann.askWhole(conversationId, "What is 2 + 2?");
    const path = `/api/conversations/${conversationId}/messages`;
    const before = await ann.json<{ messages: readonly object[] }>("GET", path);
    const columns = await compare(ann, { conversationId, choices: [sonnet, sol, sonnet] });
    await Promise.all(columns.map((column) => readAnswer(ann, column)));
    for (const { conversation } of columns) {
      const made = await ann.json<{ messages: readonly object[]; conversation: object }>(
        "GET",
        `/api/conversations/${conversation!.id}/messages`,
      );
      expect(made.messages).toHaveLength(before.messages.length + 2);
      expect(made.conversation).toMatchObject({ system: "Be brief." });
    }
    expect(await ann.json("GET", path)).toEqual(before);
  });

  it("what a limit refuses is named in its column, and leaves no conversation", async () => {
    const { clock, letGo } = standingClock();
    const emulator = { faults: "pace=5", clock } as const;
    const ann = await testServer({ limits: { turnsPerUser: 2 }, emulator }).signedUp("ann");
    const columns = await compare(ann, { choices: [sonnet, sol, sonnet] });
    letGo();
    expect(columns.map(({ refused }) => refused === undefined)).toEqual([true, true, false]);
    const list = await ann.json<{ conversations: readonly object[] }>("GET", "/api/conversations");
    expect(list.conversations).toHaveLength(2);
    await Promise.all(columns.slice(0, 2).map((column) => readAnswer(ann, column)));
  });

  it.each([
    [[sonnet], "choices"],
    [[sonnet, sol, sonnet, sol, sonnet], "choices"],
    [[sonnet, { model: "gpt-6-sol", level: "extreme" }], "choices[1].level"],
  ])("refuses %j before anything is made", async (choices, field) => {
    const ann = await testServer().signedUp("ann");
    const response = await ann.call("POST", "/api/compare", { message, choices });
    expect([response.status, (await response.json()) as object]).toEqual([
      400,
      { error: expect.objectContaining({ field }) as object },
    ]);
    const list = await ann.json<{ conversations: readonly object[] }>("GET", "/api/conversations");
    expect(list.conversations).toEqual([]);
  });
});

describe("a conversation's own system prompt", () => {
  it("is sent behind the server's, kept by the turn, shown, and taken away", async () => {
    const emulator = emulate({ secret: "watched" });
    const sent: string[] = [];
    const fetch: Fetch = (url, init) => {
      sent.push(JSON.stringify(JSON.parse(init.body as string)));
      return emulator(url, init);
    };
    const ann = await testServer({
      system: "Of the server.",
      upstream: () => ({ fetch, env: {}, apiKey: "simulated", isSimulated: true }),
    }).signedUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5");
    const path = `/api/conversations/${id}`;
    const changed = await ann.json("PATCH", path, { system: "  Answer in rhyme.\n" });
    expect(changed).toMatchObject({ system: "Answer in rhyme." });
    await ann.askWhole(id, "What is 2 + 2?");
    expect(sent.at(-1)).toContain("Of the server.\\n\\nAnswer in rhyme.");
    const inspected = await ann.json("GET", `${path}/inspect?question=and`);
    expect(JSON.stringify(inspected)).toContain("Answer in rhyme.");
    expect(await ann.json("PATCH", path, { system: "" })).not.toHaveProperty("system");
    await ann.askWhole(id, "What is 3 + 3?");
    expect(sent.at(-1)).not.toContain("rhyme");
    const long = await ann.call("PATCH", path, { system: "x".repeat(20_001) });
    expect(long.status).toBe(400);
  });

  it("Markdown has it, with the model and level of each answer, and the tools", async () => {
    const ann = await testServer().signedUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5");
    await ann.json("PATCH", `/api/conversations/${id}`, { system: "Be brief." });
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    await ann.json("PATCH", `/api/conversations/${id}`, { model: "gpt-6-sol", level: "high" });
    await ann.askWhole(id, "What is 2 + 2?");
    const exported = await ann.call("GET", `/api/conversations/${id}/export?format=markdown`);
    const text = await exported.text();
    expect(text).toContain("Tools: searchWeb");
    expect(text).toContain("## System prompt\n\nBe brief.");
    expect(text).toContain("## Answer · claude-sonnet-4-5 · med\n");
    expect(text).toContain("## Answer · gpt-6-sol · high\n");
    const exportedJson = await ann.json("GET", `/api/conversations/${id}/export?format=json`);
    const imported = await ann.json("POST", "/api/conversations/import", exportedJson);
    expect(imported["conversation"]).toMatchObject({ system: "Be brief." });
  });
});
