import { compose, findModel, findProvider, resolveModel, type JsonObject } from "mull";
import { accountOf } from "mull/wire";
import { describe, expect, test } from "vitest";
import type { ForeignOrigin } from "./foreign-seals.ts";
import { fromUIMessages } from "./from-ui.ts";
import type { UIMessage, UIPart } from "./ui-message.ts";

const key = "the-key-in-use";

const stored = (...parts: readonly UIPart[]): readonly UIMessage[] => [
  { id: "1", role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] },
  { id: "2", role: "assistant", parts: [{ type: "step-start" }, ...parts] },
  { id: "3", role: "user", parts: [{ type: "text", text: "And 2 + 2?" }] },
];

const thought = (text: string, providerMetadata: Readonly<Record<string, JsonObject>>): UIPart => ({
  type: "reasoning",
  text,
  state: "done",
  providerMetadata,
});

/** One paragraph of a summary, as the AI SDK stores it. */
const paragraph = (text: string): UIPart =>
  thought(text, { openai: { itemId: "rs_1", reasoningEncryptedContent: "c2VhbA==" } });

/** The request the model itself gets to go on, at its vendor's own address and with the key in use. */
const sent = (parts: readonly UIPart[], origin: ForeignOrigin): string => {
  const target = resolveModel(origin.model);
  const messages = fromUIMessages(stored(...parts, { type: "text", text: "1,081" }), { origin });
  const context = {
    endpoint: new URL(target.provider.baseUrl).origin,
    account: accountOf(key),
    modelOf: findModel,
  };
  return JSON.stringify(compose(target, { messages }, context).encoded.body);
};

describe("seals of the AI SDK's providers", () => {
  test.each([
    ["claude-opus-5-5", { anthropic: { signature: "c2VhbA==" } }],
    ["gemini-3.8-flash", { google: { thoughtSignature: "c2VhbA==" } }],
  ])("P-I5 go back to %s when its name is said", (model, metadata) => {
    expect(sent([thought("920 and 161.", metadata)], { model })).toContain("c2VhbA==");
  });

  test("P-I5 P-C4 go back to OpenAI when the account is said too", () => {
    const parts = [paragraph("920 and 161.")];
    expect(sent(parts, { model: "gpt-6-sol" })).not.toContain("c2VhbA==");
    const origin = { model: "gpt-6-sol", account: accountOf(key) };
    expect(sent(parts, origin)).toContain("c2VhbA==");
  });

  test("P-C1 a summary in several parts is the one item it was", () => {
    const parts = [paragraph("**First** 920."), paragraph("**Then** 161.")];
    const origin = { model: "gpt-6-sol", account: accountOf(key) };
    expect(sent(parts, origin).split('"type":"reasoning"')).toHaveLength(2);
    expect(fromUIMessages(stored(...parts), { origin })[1]?.parts).toMatchObject([
      { type: "thinking", text: "**First** 920.\n\n**Then** 161." },
    ]);
  });

  test("P-C1 the content may stand on one of them alone; other items stay apart", () => {
    const bare = thought("**First**", {
      openai: { itemId: "rs_1", reasoningEncryptedContent: "" },
    });
    const other = thought("**Else**", { openai: { itemId: "rs_2" } });
    const messages = fromUIMessages(stored(bare, paragraph("**Then**"), other));
    expect(messages[1]?.parts).toMatchObject([
      { text: "**First**\n\n**Then**", seal: { data: { encrypted_content: "c2VhbA==" } } },
      { text: "**Else**", seal: { data: { id: "rs_2" } } },
    ]);
  });

  test.each(["anthropic", "openai", "google"])("%s: its address is the provider's", (id) => {
    const metadata = { signature: "s", itemId: "i", thoughtSignature: "t" };
    const [, answer] = fromUIMessages(stored(thought("Hm.", { [id]: metadata })));
    const seal = answer?.parts[0]?.seal;
    expect(seal?.origin.endpoint).toBe(new URL(findProvider(id).baseUrl).origin);
  });
});
