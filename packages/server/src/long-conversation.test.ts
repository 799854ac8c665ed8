import type { HistoryJson, Message } from "mull";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { testServer, textIn, type Visitor } from "./testing/test-server.ts";
import { watchRounds, type RoundsWatch } from "./testing/watch-rounds.ts";

const length = 4000;

const messageAt = (nth: number): Message =>
  nth % 2 === 0
    ? { role: "user", parts: [{ type: "text", text: `Question ${nth}` }] }
    : {
        role: "assistant",
        parts: [
          { type: "thinking", text: `Thought ${nth}`, visibility: "full" },
          { type: "text", text: `Answer ${nth}` },
        ],
      };

const history: HistoryJson = {
  version: 1,
  head: length - 1,
  entries: Array.from({ length }, (_, nth) => ({ parent: nth - 1, message: messageAt(nth) })),
};

const importLong = async (visitor: Visitor): Promise<string> => {
  const body = { history, title: "Long" };
  const { conversation } = await visitor.json<{ conversation: { id: string } }>(
    "POST",
    "/api/conversations/import",
    body,
  );
  return conversation.id;
};

const call = (id: string): Message["parts"][number] => ({
  type: "tool-call",
  id,
  name: "look",
  input: {},
});
const result = (id: string): Message["parts"][number] => ({
  type: "tool-result",
  callId: id,
  name: "look",
  output: "seen",
});
const steps = (count: number, calls: number): readonly Message[] =>
  Array.from({ length: count }, (_, nth) => {
    const ids = Array.from({ length: calls }, (__, at) => `call_${nth}_${at}`);
    return [
      { role: "assistant", parts: [{ type: "text", text: "So." }, ...ids.map(call)] } as Message,
      ...ids.map((id) => ({ role: "tool", parts: [result(id)] }) as Message),
    ];
  }).flat();

describe("F-W17: a conversation of thousands of messages holds nobody up", () => {
  // Pretends that each piece takes half of a round of the loop, so that the speed of this machine
  // doesn't matter.
  beforeEach(() => {
    const clock = { at: 0 };
    vi.spyOn(performance, "now").mockImplementation(() => (clock.at += 6));
  });
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["messages", "messages"],
    ["an export", "export"],
    ["everything as it is stored", "export?format=raw"],
    ["what would be sent", "inspect"],
  ])("others get between the pieces of %s", async (_, place) => {
    const ann = await testServer().signedUp("ann");
    const id = await importLong(ann);
    const rounds = watchRounds();
    const read = await ann.json("GET", `/api/conversations/${id}/${place}`);
    expect(rounds.stop()).toBeGreaterThan(length / 500);
    expect(JSON.stringify(read)).toContain(`Answer ${length - 1}`);
  });

  test("others get between the pieces of imports, however many come at once", async () => {
    const ann = await testServer().signedUp("ann");
    const rounds = watchRounds();
    await Promise.all([1, 2, 3, 4].map(() => importLong(ann)));
    expect(rounds.stop()).toBeGreaterThan((4 * length) / 500);
  });

  test.each([
    ["answers without calls", 2500, 0, 2000],
    ["a loop of one call a step", 1200, 1, 2000],
    ["a loop of three calls a step", 700, 3, 2000],
    ["results of one answer alone", 1, 2500, 2000],
    ["half of a step", 700, 2, 1998],
  ])(
    "an import that ends in %s is checked without results whose calls are further up",
    async (_, count, calls, checked) => {
      const ann = await testServer().signedUp("ann");
      const messages = [messageAt(0), ...steps(count, calls)];
      const entries = messages.map((message, nth) => ({ parent: nth - 1, message }));
      const { notes, lint } = await ann.json<{ notes: string[]; lint: { findings: unknown[] } }>(
        "POST",
        "/api/conversations/import",
        { history: { version: 1, head: messages.length - 1, entries }, title: "Loop" },
      );
      expect(notes).toEqual([
        `Only ${checked.toLocaleString("en-US")} of ${messages.length.toLocaleString("en-US")} messages, the latest, were checked for what a model refuses.`,
      ]);
      expect(lint.findings).toEqual([]);
    },
  );

  test("others get between the steps of a turn before its request goes out", async () => {
    const { emulator } = testServer();
    let rounds: RoundsWatch | undefined;
    let roundsUntilAsked = 0;
    const ask = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      roundsUntilAsked = rounds?.count() ?? 0;
      return emulator(input, init);
    };
    const server = testServer({
      upstream: () => ({ fetch: ask, env: {}, apiKey: "simulated", isSimulated: true }),
    });
    const ann = await server.signedUp("ann");
    const id = await importLong(ann);
    rounds = watchRounds();
    const chunks = await ann.askWhole(id, "What is 2 + 3?");
    rounds.stop();
    expect(textIn(chunks)).toContain("5");
    expect(roundsUntilAsked).toBeGreaterThan(length / 500);
  });
});
