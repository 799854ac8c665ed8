import { emulate } from "@mull/emulator";
import { Agent, chat, History, type ChatOptions, type ChatResult, type UserMessage } from "mull";
import { describe, expect, it } from "vitest";

type Fetch = NonNullable<ChatOptions["fetch"]>;

/** A service itself: it answers as the emulator does, does not call itself one, and keeps what it is sent. */
const createService = (): { readonly fetch: Fetch; readonly bodies: string[] } => {
  const emulator = emulate({ secret: "the service's own" });
  const bodies: string[] = [];
  const fetch: Fetch = async (input, init) => {
    bodies.push(typeof init?.body === "string" ? init.body : "");
    const { status, headers, body } = await emulator(input, init);
    const own = new Headers(headers);
    own.delete("x-mull-simulated");
    return new Response(body, { status, headers: own });
  };
  return { fetch, bodies };
};

const says = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });

const sealNames = /"(?:signature|encrypted_content|thoughtSignature)":/;

const models = ["anthropic/claude-opus-5", "openai/gpt-6-sol", "google/gemini-3.8-flash"] as const;

describe.each(models)("a conversation with the emulator that goes on with %s", (model) => {
  /** The same key for both: who sets one later has had none before, who tests has one for everything. */
  const ask = (history: History, fetch: Fetch): Promise<ChatResult> =>
    chat(model, { messages: history.messages, level: "high" }, { fetch, apiKey: "key" });

  /** One turn, kept and read again. */
  const goOn = async (history: History, question: string, fetch: Fetch): Promise<History> => {
    const asked = history.append(says(question));
    const { message } = await ask(asked, fetch);
    return History.parse(JSON.stringify(asked.append(message)));
  };

  const begin = (fetch: Fetch): Promise<History> =>
    goOn(History.empty, "What is 17 times 23?", fetch);

  it("sends none of the emulator's seals, and says that it withheld them", async () => {
    const history = await begin(emulate());
    expect(JSON.stringify(history)).toMatch(sealNames);
    const { fetch, bodies } = createService();
    const { receipt } = await ask(history.append(says("And twice that?")), fetch);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain("391");
    expect(bodies[0]).not.toMatch(sealNames);
    expect(receipt.simulated).toBeUndefined();
    expect(JSON.stringify([...receipt.withheld, ...receipt.changes])).toContain(
      "the emulator made it, and no service can open it",
    );
  });

  it("sends the service its own seals again, and the emulator those of the emulator", async () => {
    const secret = "kept between runs";
    const first = await begin(emulate({ secret }));
    const service = createService();
    const second = await goOn(first, "What is 12 times 12?", service.fetch);
    await ask(second.append(says("And twice that?")), service.fetch);
    expect(service.bodies.at(-1)).toMatch(sealNames);
    const again = emulate({ secret });
    await ask(first.append(says("And twice that?")), again);
    expect(JSON.stringify(again.journal().at(-1)?.body)).toMatch(sealNames);
  });

  it("an agent knows an emulator behind a wrapper once it has answered", async () => {
    const emulator = emulate();
    const wrapped: Fetch = (input, init) => emulator(input, init);
    const agent = new Agent(`${model}/high`, { fetch: wrapped, apiKey: "key" });
    await agent.send("What is 17 times 23?");
    await agent.send("And twice that?");
    expect(JSON.stringify(emulator.journal().at(-1)?.body)).toMatch(sealNames);
  });

  it("takes the caller's word for an emulator behind a wrapper", async () => {
    const emulator = emulate();
    const wrapped: Fetch = (input, init) => emulator(input, init);
    const history = await begin(wrapped);
    const messages = [...history.messages, says("And twice that?")];
    await chat(model, { messages }, { fetch: wrapped, apiKey: "key", simulated: true });
    expect(JSON.stringify(emulator.journal().at(-1)?.body)).toMatch(sealNames);
  });
});
