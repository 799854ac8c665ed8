import { calls, emulate, says, script, thinks } from "@mull/emulator";
import { createMemoryData, memoryStore } from "@mull/store";
import { tool, type Tool } from "mull";
import { describe, expect, it } from "vitest";
import { readChunks, testServer, textIn, type Chunk, type Visitor } from "./testing/test-server.ts";

interface Part {
  readonly type: string;
  readonly state?: string;
  readonly toolCallId?: string;
  readonly approval?: { readonly id: string };
  readonly errorText?: string;
  readonly output?: unknown;
}
interface Shown {
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parts: readonly Part[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  }[];
}

const show = (visitor: Visitor, id: string): Promise<Shown> =>
  visitor.json<Shown>("GET", `/api/conversations/${id}/messages`);

const toolParts = async (visitor: Visitor, id: string): Promise<readonly Part[]> =>
  (await show(visitor, id)).messages.at(1)!.parts.filter(({ type }) => type.startsWith("tool-"));

const typesOf = (chunks: readonly Chunk[]): readonly string[] => chunks.map(({ type }) => type);

/** A tool that asks before it pays, and one that looks without asking. */
function moneyTools(): { readonly tools: readonly Tool[]; readonly paid: number[] } {
  const paid: number[] = [];
  const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
  const pay = tool<{ readonly sum: number }>({
    name: "pay",
    input: sum,
    needsApproval: ({ sum: asked }) => asked > 1,
    run: (given) => {
      paid.push(given.sum);
      return `${given.sum} paid`;
    },
  });
  const balance = tool({ name: "balance", run: () => "900 left" });
  return { tools: [pay, balance], paid };
}

const payThree = script(
  {},
  [
    thinks("Look first."),
    calls("balance", {}, { id: "look" }),
    calls("pay", { sum: 5 }, { id: "five" }),
    calls("pay", { sum: 7 }, { id: "seven" }),
  ],
  [says("Settled.")],
);

const decide = (visitor: Visitor, id: string, decisions: unknown): Promise<Response> =>
  visitor.call("POST", `/api/chat/${id}/decide`, { decisions });

const both = [
  { callId: "five", run: true },
  { callId: "seven", run: false, reason: "too dear" },
];

describe("calls that wait for a person", () => {
  it("R528: the turn pauses, the others run; the decision goes on, with a refusal and its reason", async () => {
    const { tools, paid } = moneyTools();
    const server = testServer({ tools, emulator: { scripts: [payThree] } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const asked = await ann.askWhole(id, "Pay what is open.");
    expect(asked.filter(({ type }) => type === "tool-approval-request")).toMatchObject([
      { approvalId: "five", toolCallId: "five" },
      { approvalId: "seven", toolCallId: "seven" },
    ]);
    expect(asked.at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
    expect(paid).toEqual([]);
    expect(await toolParts(ann, id)).toMatchObject([
      { toolCallId: "look", state: "output-available", output: "900 left" },
      { toolCallId: "five", state: "approval-requested", approval: { id: "five" } },
      { toolCallId: "seven", state: "approval-requested", approval: { id: "seven" } },
    ]);

    const answer = readChunks(await (await decide(ann, id, both)).text());
    expect(paid).toEqual([5]);
    expect(answer.at(0)!["messageId"]).toBe(asked.at(0)!["messageId"]);
    expect(typesOf(answer)).toContain("tool-output-denied");
    expect(textIn(answer)).toBe("Settled.");
    const sent = JSON.stringify(server.emulator.journal().at(-1)!.body);
    expect(sent).toContain("900 left");
    expect(sent).toContain("5 paid");
    expect(sent).toContain("too dear");

    const shown = await show(ann, id);
    expect(shown.messages).toHaveLength(2);
    expect(shown.messages.at(1)!.id).toBe(asked.at(0)!["messageId"]);
    expect(await toolParts(ann, id)).toMatchObject([
      { toolCallId: "look", state: "output-available" },
      { toolCallId: "five", state: "output-available", output: "5 paid" },
      {
        toolCallId: "seven",
        state: "output-denied",
        approval: { approved: false, reason: "too dear" },
      },
    ]);
    const receipts = shown.messages.at(1)!.parts.filter(({ type }) => type === "data-receipt");
    expect(receipts).toHaveLength(2);
    expect(shown.messages.at(1)!.metadata).toMatchObject({
      state: "done",
      finish: { reason: "stop" },
    });
  });

  it("R528: what is read back of both turns has the numbers of the live streams", async () => {
    const { tools } = moneyTools();
    const data = createMemoryData();
    const parts = { tools, emulator: { scripts: [payThree] } };
    const first = testServer({ ...parts, keptStore: memoryStore({ data }) });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    const asked = await ann.ask(id, { text: "Pay what is open." });
    const live = [readChunks(await asked.text())];
    const decided = await decide(ann, id, both);
    live.push(readChunks(await decided.text()));
    const other = testServer({ ...parts, keptStore: memoryStore({ data }) }).visitor();
    other.cookie = ann.cookie;
    for (const [at, { headers }] of [asked, decided].entries()) {
      const turn = headers.get("x-mull-turn");
      const path = `/api/chat/${id}/stream?after=0&turn=${turn}`;
      const stored = readChunks(await (await other.call("GET", path)).text());
      expect(typesOf(stored).toSorted()).toEqual(typesOf(live.at(at)!).toSorted());
      expect(stored.at(-1)!.at).toBe(live.at(at)!.at(-1)!.at);
      expect(stored.at(0)!["messageId"]).toBe(live.at(at)?.at(0)?.["messageId"]);
    }
  });

  it("R528: another process that starts later on the same store takes the decision", async () => {
    const { tools, paid } = moneyTools();
    const data = createMemoryData();
    const emulator = emulate({ secret: "test", scripts: [payThree] });
    const upstream = () => ({ fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true });
    const first = testServer({ tools, upstream, keptStore: memoryStore({ data }) });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "Pay what is open.");
    const later = testServer({ tools, upstream, keptStore: memoryStore({ data }) }).visitor();
    later.cookie = ann.cookie;
    expect(textIn(readChunks(await (await decide(later, id, both)).text()))).toBe("Settled.");
    expect(paid).toEqual([5]);
  });

  it("R528: each call is decided once; what does not wait is refused, and a second decision too", async () => {
    const { tools, paid } = moneyTools();
    const server = testServer({ tools, emulator: { scripts: [payThree] } });
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    const id = await ann.newConversation();
    expect((await decide(ann, id, both)).status).toBe(409);
    await ann.askWhole(id, "Pay what is open.");
    for (const decisions of [[], [...both, ...both], [...both, { callId: "look", run: true }]]) {
      const refused = await decide(ann, id, decisions);
      expect(refused.status).toBe(400);
      const { error } = (await refused.json()) as { error: { code: string; allowed: string[] } };
      expect([error.code, error.allowed]).toEqual(["undecided", ["five", "seven"]]);
    }
    expect((await decide(bob, id, both)).status).toBe(404);
    await (await decide(ann, id, both)).text();
    expect((await decide(ann, id, both)).status).toBe(409);
    expect(paid).toEqual([5]);
  });

  it("R528: one call is decided now, the other later, elsewhere; a later word about a call counts", async () => {
    const { tools, paid } = moneyTools();
    const data = createMemoryData();
    const emulator = emulate({ secret: "test", scripts: [payThree] });
    const upstream = () => ({ fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true });
    const parts = { tools, upstream };
    const first = testServer({ ...parts, keptStore: memoryStore({ data }) });
    const ann = await first.signedUp("ann");
    const id = await ann.newConversation();
    const asked = await ann.askWhole(id, "Pay what is open.");
    const partly = await decide(ann, id, [{ callId: "five", run: false, reason: "why?" }]);
    expect([partly.status, partly.headers.get("x-mull-turn")]).toEqual([200, null]);
    expect(readChunks(await partly.text())).toMatchObject([
      { type: "start", messageId: asked.at(0)!["messageId"] },
      { type: "tool-approval-request", toolCallId: "seven" },
      { type: "finish", finishReason: "tool-calls" },
    ]);
    expect((await toolParts(ann, id)).slice(1)).toMatchObject([
      { state: "approval-responded", approval: { id: "five", approved: false, reason: "why?" } },
      { state: "approval-requested" },
    ]);
    await decide(ann, id, [{ callId: "five", run: true }]);
    expect(paid).toEqual([]);

    const later = testServer({ ...parts, keptStore: memoryStore({ data }) }).visitor();
    later.cookie = ann.cookie;
    const message = {
      role: "assistant",
      parts: [
        {
          type: "tool-pay",
          toolCallId: "seven",
          state: "approval-responded",
          approval: { id: "seven", approved: false, reason: "too dear" },
        },
      ],
    };
    const answer = await later.call("POST", "/api/chat", { id, message });
    expect(textIn(readChunks(await answer.text()))).toBe("Settled.");
    expect(paid).toEqual([5]);
    expect((await toolParts(ann, id)).map(({ state }) => state)).toEqual([
      "output-available",
      "output-available",
      "output-denied",
    ]);
    const { info } = data.conversations.get(id)!.value;
    expect(Object.keys(info).filter((field) => field.startsWith("decided"))).toEqual([]);
  });

  it("R528: two windows that decide at once keep each other's word, and the turn goes on once", async () => {
    const { tools, paid } = moneyTools();
    const server = testServer({ tools, emulator: { scripts: [payThree] } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "Pay what is open.");
    const answers = await Promise.all(both.map((each) => decide(ann, id, [each])));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.filter((text) => text.includes("Settled."))).toHaveLength(1);
    expect(paid).toEqual([5]);
  });

  it("R528: a question asked instead leaves nothing to decide, and runs nothing", async () => {
    const { tools, paid } = moneyTools();
    const server = testServer({
      tools,
      emulator: { scripts: [payThree, script({}, [says("Later.")])] },
    });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "Pay what is open.");
    await ann.askWhole(id, "Never mind.");
    expect((await decide(ann, id, both)).status).toBe(409);
    expect((await toolParts(ann, id)).map(({ state }) => state)).toEqual([
      "output-available",
      "input-available",
      "input-available",
    ]);
    expect(JSON.stringify(server.emulator.journal().at(-1)!.body)).toContain("900 left");
    expect(paid).toEqual([]);
  });

  it("R528: retry and fork of an answer in two turns mean the whole of it", async () => {
    const { tools } = moneyTools();
    const server = testServer({ tools, emulator: { scripts: [payThree] } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "Pay what is open.");
    await (await decide(ann, id, both)).text();
    const messageId = (await show(ann, id)).messages.at(1)!.id;
    const fork = await ann.json<{ id: string }>("POST", `/api/conversations/${id}/fork`, {
      messageId,
    });
    const forked = (await show(ann, fork.id)).messages;
    expect(forked).toHaveLength(2);
    expect(forked.at(1)!.parts.some((part) => part.type === "text")).toBe(true);
    const turns = await ann.json<{ turns: readonly { turnId: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    const retried = await ann.call("POST", `/api/chat/${id}/retry`, {
      messageId: turns.turns.at(1)!.turnId,
    });
    expect(retried.status).toBe(200);
    await retried.text();
    expect((await show(ann, id)).messages.at(0)!.parts).toMatchObject([
      { text: "Pay what is open." },
    ]);
  });
});
