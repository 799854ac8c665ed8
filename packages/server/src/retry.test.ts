import { describe, expect, it } from "vitest";
import { readChunks, testServer, textIn, type Visitor } from "./testing/test-server.ts";

interface Shown {
  readonly messages: readonly {
    readonly role: string;
    readonly metadata?: { readonly state: string; readonly error?: { readonly message?: string } };
  }[];
}

/** A server whose requests to the service are kept. */
async function watched(): Promise<{ readonly ann: Visitor; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const { emulator } = testServer();
  const { signedUp } = testServer({
    upstream: () => ({
      fetch: (input, init) => {
        bodies.push(init?.body as string);
        return emulator(input, init);
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

/** Room for the answer and, above it, for thinking. */
const roomIn = (body: string | undefined): number =>
  (JSON.parse(body ?? "{}") as { readonly max_tokens: number }).max_tokens;

describe("answering again", () => {
  it("W5: a turn that failed before its first word is shown with its reason", async () => {
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

  it("S2: with other room the service is asked for as much", async () => {
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
});
