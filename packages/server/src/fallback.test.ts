import { emulate, fails, says, script, thinks } from "@mull/emulator";
import { describe, expect, it } from "vitest";
import { chooseUpstream } from "./config.ts";
import { readChunks, testServer, textIn, type Chunk } from "./testing/test-server.ts";

const down = {
  ...script({ model: "claude-*" }, [
    fails({ status: 400, type: "billing_error", message: "Your credit balance is too low." }),
  ]),
  repeat: true,
};
const other = script({ model: "gpt-6-sol" }, [thinks("Hm."), says("Hello from the other one.")]);
const scripts = [down, other];

const servedBy = (chunks: readonly Chunk[]): unknown => {
  const receipt = chunks.find(({ type }) => type === "data-receipt")?.["data"] as {
    readonly receipt: {
      readonly plan: { readonly model: string };
      readonly insteadOf?: readonly { readonly model: string; readonly reason: string }[];
    };
  };
  const { plan, insteadOf = [] } = receipt.receipt;
  return [plan.model, insteadOf.map(({ model, reason }) => [model, reason])];
};

describe("R529 another model answers where the chosen one fails", () => {
  it("the stream and the receipt name who answered, and the stored turn has its answer alone", async () => {
    const upstream = { fetch: emulate({ scripts }), env: {}, apiKey: "k", isSimulated: true };
    const fallback = ["gpt-6-sol/low"];
    const server = testServer({ fallback, upstream: () => upstream, model: "claude-opus-5-5" });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    const chunks = await ann.askWhole(id, "hello");
    expect(textIn(chunks)).toBe("Hello from the other one.");
    expect(chunks.map(({ type }) => type)).toContain("data-mull-fallback");
    expect(servedBy(chunks)).toEqual(["gpt-6-sol", [["claude-opus-5-5", "quota"]]]);
    const turn = chunks[0]?.["messageId"];
    const stored = await ann.call("GET", `/api/chat/${id}/stream?after=0&turn=${String(turn)}`);
    expect(textIn(readChunks(await stored.text()))).toBe("Hello from the other one.");
  });

  it("a provider that would be asked in another way is passed over", async () => {
    const emulator = emulate({ scripts });
    // Only Claude has a key, so the emulator would answer for the other.
    const choose = chooseUpstream({ ANTHROPIC_API_KEY: "k", MULL_SIMULATE: "1" }, emulator);
    const server = testServer({
      fallback: ["gpt-6-sol/low"],
      model: "claude-opus-5-5",
      upstream: (provider) => {
        const chosen = choose(provider);
        return chosen.isSimulated ? chosen : { ...chosen, fetch: emulate({ scripts: [down] }) };
      },
    });
    const ann = await server.signedUp("ann");
    const chunks = await ann.askWhole(await ann.newConversation(), "hello");
    expect(chunks.find(({ type }) => type === "error")?.["errorText"]).toContain("credit balance");
    expect(emulator.journal()).toEqual([]);
  });
});
