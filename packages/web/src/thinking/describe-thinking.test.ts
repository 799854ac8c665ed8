import { planThinking, type Receipt, type Seal } from "mull";
import { describe, expect, it } from "vitest";
import { describeThinking, type ThinkingView } from "./describe-thinking.ts";

const seal: Seal = {
  origin: { wire: "anthropic-messages", provider: "anthropic", model: "claude-opus-5-5" },
  data: { signature: "x" },
};

const receipt = (model: string, showThinking = true): Receipt => ({
  plan: planThinking({ model, level: "med", showThinking }),
  sent: {},
  withheld: [],
  changes: [],
  repairs: [],
  attempts: [],
  notes: [],
});

const ended: ThinkingView = {
  text: "I think.",
  isStreaming: false,
  about: { visibility: "summary", durationMs: 12_000, seal },
  usage: { thinking: 1204, thinkingSource: "reported" },
};

const labelOf = (block: Partial<ThinkingView>): string | undefined =>
  describeThinking({ ...ended, ...block })?.label;

describe("one line about thinking", () => {
  it("streaming: the clock and an estimate", () => {
    const running = { isStreaming: true, about: {}, text: "a".repeat(1240), usage: undefined };
    expect(labelOf({ ...running, elapsedMs: 4300 })).toMatch(/^Thinking… 4 s · ~\d+ tokens$/);
    expect(labelOf({ ...running, text: "", elapsedMs: 400 })).toBe("Thinking…");
  });

  it("R199 done: duration, tokens by source, kind", () => {
    expect(labelOf({})).toBe("Thought for 12 s · 1,204 tokens · summary");
    expect(labelOf({ usage: { thinking: 90, thinkingSource: "estimated" } })).toContain(
      "~90 tokens",
    );
    expect(labelOf({ usage: { thinking: 90, thinkingSource: "derived" } })).toContain(
      "90 tokens derived",
    );
    expect(labelOf({ usage: { thinking: 1, thinkingSource: "reported" } })).toContain(
      "· 1 token ·",
    );
    expect(labelOf({ usage: {} })).toContain("tokens not reported");
    expect(labelOf({ about: { visibility: "full", durationMs: 65_000 } })).toBe(
      "Thought for 1 min 5 s · 1,204 tokens",
    );
  });

  it("R200 withheld: a count and the reason", () => {
    const words = describeThinking({
      ...ended,
      text: "",
      receipt: receipt("claude-opus-5-5", false),
    });
    expect(words).toMatchObject({
      state: "withheld",
      label: "Thought for 12 s · 1,204 tokens · not shown",
      reason: "Not shown: not asked for.",
    });
    const openai = { ...seal, origin: { ...seal.origin, provider: "openai" } };
    expect(describeThinking({ ...ended, text: "", about: { seal: openai } })?.reason).toContain(
      "verified organisations",
    );
  });

  it("redacted: by whom", () => {
    const about = { visibility: "redacted" as const, durationMs: 3000, seal };
    expect(labelOf({ text: "", about, usage: undefined })).toBe(
      "Thought for 3.0 s · redacted by Anthropic",
    );
  });

  it("cut: readable, never sent back", () => {
    const words = describeThinking({ ...ended, about: { cut: true, durationMs: 5000 } });
    expect(words?.label).toBe("Thinking stopped after 5.0 s");
    expect(words?.reason).toContain("never sent back");
  });

  it("foreign: from whom it is withheld", () => {
    expect(labelOf({ withheldFrom: "gemini-3.8-flash" })).toBe(
      "Thought for 12 s · 1,204 tokens · summary · withheld from gemini-3.8-flash",
    );
  });

  it("R195 nothing where there is no text, no seal and no count", () => {
    expect(describeThinking({ ...ended, text: "", about: {}, usage: {} })).toBeUndefined();
  });
});
