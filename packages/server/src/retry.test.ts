import { describe, expect, it } from "vitest";
import { readChunks, testServer, textIn, type Visitor } from "./testing/test-server.ts";

interface Shown {
  readonly branchings: readonly { readonly heads: readonly string[] }[];
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly metadata?: { readonly state: string; readonly error?: { readonly message?: string } };
  }[];
}

/** Why a service refuses a body; `undefined` if it accepts it. */
type Objection = (body: string) => string | undefined;

/** A server that records requests to the service, and refuses what the service would. */
async function watched(
  objection: Objection = () => undefined,
): Promise<{ readonly ann: Visitor; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const { emulator } = testServer();
  const { signedUp } = testServer({
    upstream: () => ({
      fetch: async (input, init) => {
        const body = init?.body as string;
        bodies.push(body);
        const message = objection(body);
        if (message === undefined) return emulator(input, init);
        const error = { type: "invalid_request_error", message };
        return Response.json({ type: "error", error }, { status: 400 });
      },
      env: {},
      apiKey: "simulated",
      isSimulated: true,
    }),
  });
  return { ann: await signedUp("ann"), bodies };
}

const retry = async (visitor: Visitor, id: string, body: object): ReturnType<Visitor["askWhole"]> =>
  readChunks(await (await visitor.call("POST", `/api/chat/${id}/retry`, body)).text());

/** Room for the answer and, on top of it, for thinking. */
const roomIn = (body: string | undefined): number =>
  (JSON.parse(body ?? "{}") as { readonly max_tokens: number }).max_tokens;

const hasThoughts = (body: string): boolean => body.includes('"type":"thinking","thinking"');

const repairsIn = (chunks: Awaited<ReturnType<typeof retry>>): readonly string[] =>
  chunks.flatMap((chunk) => {
    if (chunk.type !== "data-receipt") return [];
    const { receipt } = chunk["data"] as {
      readonly receipt: { readonly repairs: readonly { readonly rule: string }[] };
    };
    return receipt.repairs.map(({ rule }) => rule);
  });

/** Two objections, one after the other; the server repairs the first request once by itself. */
const twice: Objection = (body) => {
  if (hasThoughts(body)) {
    return "messages.1.content.0: Invalid `signature` in `thinking` block";
  }
  return body.includes('"thinking":{"type":"enabled"')
    ? "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."
    : undefined;
};

/** A conversation whose second question was refused. */
const refusedTalk = async (
  objection: Objection,
): Promise<{ readonly ann: Visitor; readonly bodies: string[]; readonly id: string }> => {
  let isRefusing = false;
  const { ann, bodies } = await watched((body) => (isRefusing ? objection(body) : undefined));
  const id = await ann.newConversation();
  await ann.askWhole(id, "Search the web for the bitcoin price");
  isRefusing = true;
  expect((await ann.askWhole(id, "And the day before?")).at(-1)?.type).toBe("error");
  return { ann, bodies, id };
};

describe("answering again", () => {
  it("F-W5: a turn that failed before its first word is shown with its reason", async () => {
    const { signedUp, emulator } = testServer({
      upstream: () => ({ fetch: emulator, env: {}, isSimulated: false }),
    });
    const bob = await signedUp("bob");
    const id = await bob.newConversation();
    await (await bob.ask(id, { text: "Hello" })).text();
    const { messages } = await bob.json<Shown>("GET", `/api/conversations/${id}/messages`);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages.at(1)?.metadata).toMatchObject({ state: "failed" });
    expect(messages.at(1)?.metadata?.error?.message).toContain("x-api-key");
  });

  it("R252: an answer is found again after one more that failed before its first word", async () => {
    const { ann } = await watched();
    const id = await ann.newConversation("claude-opus-5-5");
    await ann.askWhole(id, "What is 2 + 2?");
    const read = (): Promise<Shown> => ann.json("GET", `/api/conversations/${id}/messages`);
    const before = await read();
    expect((await retry(ann, id, { model: "o3-mini" })).at(-1)?.type).toBe("error");
    const failed = await read();
    const end = failed.messages.at(-1);
    expect(end?.metadata).toMatchObject({ state: "failed" });
    expect(failed.branchings).toMatchObject([{ messageId: end?.id, position: 1 }]);
    await ann.json("PATCH", `/api/conversations/${id}`, { head: failed.branchings[0]?.heads[0] });
    expect((await read()).messages).toEqual(before.messages);
  });

  it("R252: another model for one more answer is not the model of the next question", async () => {
    const { ann } = await watched();
    const id = await ann.newConversation("claude-opus-5-5");
    await ann.askWhole(id, "What is 2 + 2?");
    const before = await ann.json("GET", `/api/conversations/${id}`);
    await retry(ann, id, { model: "gpt-6-sol", level: "high" });
    const { model, level } = await ann.json<{ model: string; level: string }>(
      "GET",
      `/api/conversations/${id}`,
    );
    expect(before).toMatchObject({ model, level });
  });

  it("F-S2: with other room the service is asked for as much", async () => {
    const { ann, bodies } = await watched();
    const id = await ann.newConversation("claude-opus-5-5");
    await ann.askWhole(id, "What is 2 + 2?");
    expect((await retry(ann, id, { room: 9000 })).at(-1)?.type).toBe("finish");
    const little = roomIn(bodies.at(-1));
    expect((await retry(ann, id, { room: 40_000 })).at(-1)?.type).toBe("finish");
    expect(roomIn(bodies.at(-1)) - little).toBe(31_000);
  });

  it("R253: plain, it goes out without earlier thoughts and comes back whole", async () => {
    const { ann, bodies } = await watched();
    const id = await ann.newConversation();
    await ann.askWhole(id, "Search the web for the bitcoin price");
    await ann.askWhole(id, "And the day before?");
    expect(bodies.at(-1)).toContain('"type":"thinking","thinking"');
    const chunks = await retry(ann, id, { plain: true });
    expect(chunks.at(-1)?.type).toBe("finish");
    expect(textIn(chunks)).not.toBe("");
    expect(bodies.at(-1)).not.toContain('"type":"thinking","thinking"');
  });

  describe("with what was refused repaired", () => {
    it("R253: each rule that refuses repairs in turn, and the receipt says which", async () => {
      const { ann, bodies, id } = await refusedTalk(twice);
      expect((await retry(ann, id, {})).at(-1)?.type).toBe("error");
      const chunks = await retry(ann, id, { fix: true });
      expect(chunks.at(-1)?.type).toBe("finish");
      expect(textIn(chunks)).not.toBe("");
      expect(repairsIn(chunks).slice(0, 2)).toEqual([
        "anthropic/signature",
        "anthropic/leading-thinking",
      ]);
      expect(bodies.at(-1)).toContain("And the day before?");
      const { turns } = await ann.json<{ turns: { state: string; steps: object[] }[] }>(
        "GET",
        `/api/conversations/${id}/turns`,
      );
      expect(turns.map(({ state }) => state)).toEqual(["done", "failed", "failed", "done"]);
      expect(JSON.stringify(turns.at(-1)?.steps)).toContain("anthropic/leading-thinking");
    });

    it("R253: what no rule knows is repaired by leaving thoughts out, the second time", async () => {
      const { ann, bodies, id } = await refusedTalk((body) =>
        hasThoughts(body) ? "The blocks are not to my liking." : undefined,
      );
      expect((await retry(ann, id, { fix: true })).at(-1)?.type).toBe("error");
      const chunks = await retry(ann, id, { fix: true });
      expect(chunks.at(-1)?.type).toBe("finish");
      expect(
        bodies.some((body) => body.includes("And the day before?") && !hasThoughts(body)),
      ).toBe(true);
      const receipts = chunks.filter(({ type }) => type === "data-receipt");
      expect(JSON.stringify(receipts)).toContain("thoughts-left-out");
    });

    it("R253: the stored history keeps the thoughts that were left out", async () => {
      const { ann, id } = await refusedTalk(twice);
      const before = await ann.json<{ history: { entries: object[] } }>(
        "GET",
        `/api/conversations/${id}/export`,
      );
      await retry(ann, id, { fix: true });
      const after = await ann.json<typeof before>("GET", `/api/conversations/${id}/export`);
      expect(after.history.entries.slice(0, before.history.entries.length)).toEqual(
        before.history.entries,
      );
    });
  });
});
