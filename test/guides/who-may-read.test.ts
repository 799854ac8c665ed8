import { findModel, resolveModel, type Origin } from "mull";
import { whyUnreadable, type Reader } from "mull/wire";
import { describe, expect, test } from "vitest";

/** A reader by its ref; what differs from the usual is given. */
const reader = (ref: string, more: Partial<Reader> = {}): Reader => {
  const { model, provider } = resolveModel(ref);
  return {
    model,
    provider: provider.id,
    wire: provider.wire.id,
    endpoint: provider.baseUrl,
    account: "ann",
    modelOf: (id) => findModel(id),
    ...more,
  };
};

/** Why `to` may not have what `from` sealed. */
const why = (from: string, to: Reader, made: Partial<Origin> = {}): string | undefined => {
  const { model, provider } = resolveModel(from);
  const origin: Origin = {
    wire: provider.wire.id,
    provider: provider.id,
    endpoint: provider.baseUrl,
    account: "ann",
    model: model.id,
    ...made,
  };
  return whyUnreadable({ origin, data: {} }, to);
};

describe("docs/guides/histories.md: who may read what (promise 6)", () => {
  test("Claude: the model itself, on any host that speaks Anthropic Messages", () => {
    expect(why("claude-sonnet-4-5", reader("claude-sonnet-4-5"))).toBeUndefined();
    const elsewhere = reader("claude-sonnet-4-5", { provider: "bedrock", endpoint: "https://b" });
    expect(why("claude-sonnet-4-5", elsewhere)).toBeUndefined();
    expect(why("claude-sonnet-4-5", reader("gpt-6-sol"))).toContain("not readable on");
  });

  test("OpenAI: the model itself, at the endpoint and in the account that made it", () => {
    expect(why("gpt-6-sol", reader("gpt-6-sol"))).toBeUndefined();
    expect(why("gpt-6-sol", reader("gpt-6-sol", { account: "bob" }))).toContain("account");
    expect(why("gpt-6-sol", reader("gpt-6-sol", { endpoint: "https://other" }))).toContain(
      "endpoint",
    );
  });

  test("Gemini: Gemini models at the provider that made it", () => {
    const reading = reader("gemini-3.1-pro-preview");
    expect(why("gemini-3.8-flash", reading)).toBeUndefined();
    expect(why("gemini-3.8-flash", { ...reading, provider: "vertex" })).toContain("bound to that");
  });
});
