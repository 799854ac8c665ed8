import { createMemoryData, memoryStore, type MemoryData } from "@mull/store";
import { describe, expect, it } from "vitest";
import { readChunks, testServer, type TestServer, type Visitor } from "./testing/test-server.ts";

interface Shown {
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parts: readonly { readonly type: string }[];
  }[];
  readonly problems?: readonly {
    readonly rule: string;
    readonly path: string;
    readonly message: string;
    readonly fix: string;
  }[];
  readonly offers?: readonly { readonly does: string; readonly request: string }[];
}

interface Broken {
  readonly server: TestServer;
  readonly ann: Visitor;
  readonly id: string;
  readonly data: MemoryData;
  /** Every row as text. */
  readonly rows: () => string;
}

type Encoded = { readonly parts: string; readonly fields: string };

/** A conversation with a tool loop in which somebody edited the row of one message. */
async function brokenAt(nth: number, change: (row: Encoded) => Partial<Encoded>): Promise<Broken> {
  const data = createMemoryData();
  const server = testServer({ keptStore: memoryStore({ data }) });
  const ann = await server.signedUp("ann");
  const id = await ann.newConversation();
  await ann.askWhole(id, "Search the web for the bitcoin price");
  const messages = data.conversations.get(id)?.messages ?? [];
  const row = messages[nth];
  if (row === undefined) throw new Error(`there is no message ${nth}`);
  messages[nth] = { ...row, encoded: { ...row.encoded, ...change(row.encoded) } };
  const rows = (): string => JSON.stringify(data.conversations.get(id)?.messages.slice(0, 4));
  return { server, ann, id, data, rows };
}

const show = (ann: Visitor, id: string): Promise<Shown> =>
  ann.json<Shown>("GET", `/api/conversations/${id}/messages`);

const foreign = (parts: string): string =>
  JSON.stringify([{ type: "hologram", volume: 3 }, ...(JSON.parse(parts) as unknown[])]);

/** Message 0 is the question, 1 thinking and a call, 2 its result, 3 the answer. */
const breakages: readonly (readonly [
  string,
  number,
  (row: Encoded) => Partial<Encoded>,
  string,
])[] = [
  ["a part of a newer release", 3, ({ parts }) => ({ parts: foreign(parts) }), "parts[0].type"],
  ["a question whose parts are an object", 0, () => ({ parts: '{"text":"hi"}' }), "parts"],
  ["an answer whose parts are a text", 3, () => ({ parts: '"It is 97,000."' }), "parts"],
  [
    "a call that lost its id",
    1,
    ({ parts }) => ({ parts: parts.replaceAll('"id":', '"di":') }),
    "id",
  ],
  [
    "a result that lost its call",
    2,
    ({ parts }) => ({ parts: parts.replace("callId", "x") }),
    "callId",
  ],
  ["a list of nothing", 1, () => ({ parts: "[null, 7]" }), "parts[0]"],
  ["fields that are a list", 3, () => ({ fields: "[1]" }), "fields"],
];

describe("F-H2: a conversation that cannot be read whole", () => {
  it.each(breakages)(
    "F-H2: %s is told as a finding; the rest is shown",
    async (_, nth, change, path) => {
      const { ann, id } = await brokenAt(nth, change);
      const shown = await show(ann, id);
      expect(shown.messages.length).toBeGreaterThan(0);
      expect(shown.problems?.[0]).toMatchObject({ rule: "stored/unreadable", severity: "error" });
      expect(shown.problems?.[0]?.path).toMatch(new RegExp(`^messages\\[${nth}\\]\\.`));
      expect(shown.problems?.[0]?.path).toContain(path);
      expect(shown.problems?.[0]?.fix).toContain("left out");
      expect(shown.offers?.map(({ does }) => does)).toEqual(["continue", "fork", "export"]);
    },
  );

  it.each(breakages)(
    "F-H2: with %s it goes on, says so, and changes nothing",
    async (_, nth, change) => {
      const { ann, id, rows } = await brokenAt(nth, change);
      const before = rows();
      const chunks = await ann.askWhole(id, "And what about crypto specifically?");
      expect(chunks.at(-1)?.type).toBe("finish");
      const receipt = chunks.find(({ type }) => type === "data-receipt");
      expect(JSON.stringify(receipt)).toContain("history-unreadable");
      expect(rows()).toBe(before);
    },
  );

  it.each(breakages)("F-H2: with %s every route still answers", async (_, nth, change) => {
    const { ann, id } = await brokenAt(nth, change);
    const paths = ["", "/messages", "/turns", "/inspect", "/export", "/export?format=markdown"];
    for (const path of paths) {
      const response = await ann.call("GET", `/api/conversations/${id}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
    }
    const asked = await ann.call("POST", `/api/chat/${id}/continue`, {});
    expect(readChunks(await asked.text()).at(-1)?.type).toBe("finish");
  });

  it("F-H2: raw, everything goes out as it is stored", async () => {
    const { ann, id } = await brokenAt(3, ({ parts }) => ({ parts: foreign(parts) }));
    const raw = await ann.json<{ messages: { unreadable?: { value: unknown }[] }[] }>(
      "GET",
      `/api/conversations/${id}/export?format=raw`,
    );
    expect(raw.messages[3]?.unreadable?.[0]?.value).toEqual({ type: "hologram", volume: 3 });
    const { problems } = await ann.json<Shown>("GET", `/api/conversations/${id}/export`);
    expect(problems).toHaveLength(1);
  });

  it("F-H2: raw, it is repaired by hand and imported, as its fix says", async () => {
    const { ann, id } = await brokenAt(3, ({ parts }) => ({ parts: foreign(parts) }));
    const address = `/api/conversations/${id}/export?format=raw`;
    const raw = await ann.json<{
      messages: { message: { parts: object[] }; unreadable?: unknown }[];
    }>("GET", address);
    const { unreadable: _, ...answer } = raw.messages.at(3)!;
    const repaired = { type: "text", text: "A hologram." };
    const message = { ...answer.message, parts: [repaired, ...answer.message.parts] };
    const messages = [...raw.messages.slice(0, 3), { ...answer, message }];
    const importBody = (body: object): Promise<Response> =>
      ann.call("POST", "/api/conversations/import", body);
    const made = (await (await importBody({ ...raw, messages })).json()) as {
      conversation: { id: string; title: string };
      notes: string[];
    };
    expect(made.notes).toEqual([]);
    expect(made.conversation.title).toBe("Search the web for the bitcoin price");
    const shown = await show(ann, made.conversation.id);
    expect([shown.problems, JSON.stringify(shown)]).toEqual([
      undefined,
      expect.stringContaining("A hologram."),
    ]);
    const unmended = await importBody(raw);
    expect([unmended.status, await unmended.text()]).toEqual([
      201,
      expect.stringContaining("could not be read"),
    ]);
    expect((await importBody({ ...raw, messages: [7] })).status).toBe(400);
    expect((await importBody({ ...raw, messages: [{ message: null }] })).status).toBe(400);
  });

  it("F-H2: a readable fork has no problems and goes on; the original keeps its own", async () => {
    const { ann, id, rows } = await brokenAt(3, ({ parts }) => ({ parts: foreign(parts) }));
    const before = rows();
    const made = await ann.json<{ id: string }>("POST", `/api/conversations/${id}/fork`, {
      readable: true,
    });
    const fork = await show(ann, made.id);
    expect(fork.problems).toBeUndefined();
    expect(fork.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await ann.askWhole(made.id, "And the day before?")).at(-1)?.type).toBe("finish");
    expect((await show(ann, id)).problems).toHaveLength(1);
    expect(rows()).toBe(before);
  });

  it("F-H2: the inspector shows the request that would be sent, whatever cannot be read", async () => {
    const { ann, id, data } = await brokenAt(0, () => ({ parts: '{"text":"hi"}' }));
    const row = data.conversations.get(id)!;
    row.value = { ...row.value, head: "gone" };
    const { history } = await ann.json<{ history: readonly { readonly role: string }[] }>(
      "GET",
      `/api/conversations/${id}/inspect?question=Why`,
    );
    expect(history.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "user"]);
  });

  it("F-H2: what cannot be read is told in its place", async () => {
    const { ann, id } = await brokenAt(3, ({ parts }) => ({ parts: foreign(parts) }));
    const { messages } = await show(ann, id);
    expect(messages.at(1)?.parts.at(-1)).toMatchObject({
      type: "data-unreadable",
      data: { problems: [{ path: "messages[3].parts[0].type" }] },
    });
  });

  it("F-H2: with its head taken out, it is shown and goes on from the latest message", async () => {
    const { ann, id, data } = await brokenAt(3, () => ({}));
    data.conversations.get(id)?.messages.pop();
    const shown = await show(ann, id);
    expect(shown.problems?.map(({ rule }) => rule)).toEqual(["stored/head"]);
    expect(shown.messages.length).toBeGreaterThan(0);
    expect((await ann.askWhole(id, "And the day before?")).at(-1)?.type).toBe("finish");
    expect((await show(ann, id)).problems).toBeUndefined();
  });
});
