import type { UIMessage } from "@mull/ui-messages";
import { findModel } from "mull";
import { describe, expect, it } from "vitest";
import { readOutlook } from "../page/outlook.ts";
import { describeTool, readOutput, type UIToolPart } from "../tools/describe-tool.ts";
import { countWithheld, readTurn } from "./read-turn.ts";

const seal = {
  origin: { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" },
  data: { id: "rs_1" },
};

const answer: UIMessage = {
  id: "t1",
  role: "assistant",
  metadata: { model: "openai:gpt-6-sol", state: "done" },
  parts: [
    { type: "step-start" },
    { type: "reasoning", text: "Hm.", state: "done", providerMetadata: { mull: { seal } } },
    {
      type: "tool-searchWeb",
      toolCallId: "c1",
      state: "output-available",
      input: { q: "x" },
      output: "y",
    },
    { type: "data-mull-step", data: {} },
    { type: "step-start" },
    { type: "text", text: "Yes." },
    { type: "text", text: "" },
  ],
};

describe("reading a turn", () => {
  it("keeps blocks in order and leaves out what is not for people", () => {
    expect(readTurn(answer).blocks.map(({ kind }) => kind)).toEqual(["thinking", "tool", "text"]);
  });

  it("counts thoughts the chosen model may not read", () => {
    expect([...countWithheld([answer], findModel("claude-sonnet-4-5"))]).toEqual([
      ["gpt-6-sol", 1],
    ]);
    expect(countWithheld([answer], findModel("gpt-6-sol")).size).toBe(0);
  });

  it("R252: an imported answer, which names no model, counts by its seals", () => {
    const { metadata: _, ...imported } = answer;
    const withheldFrom = (ref: string, id: string): readonly (readonly [string, number])[] => [
      ...readOutlook([imported], ref, findModel(id), false).withheld,
    ];
    expect(withheldFrom("anthropic:claude-sonnet-4-5", "claude-sonnet-4-5")).toEqual([
      ["gpt-6-sol", 1],
    ]);
    expect(withheldFrom("openai:gpt-6-sol", "gpt-6-sol")).toEqual([]);
  });

  it("warns of a turn that Claude can only finish without thinking", () => {
    const claude = findModel("claude-sonnet-4-5");
    expect(readOutlook([answer], "anthropic:claude-sonnet-4-5", claude, true).isCutOff).toBe(true);
    expect(readOutlook([answer], "anthropic:claude-sonnet-4-5", claude, false).isCutOff).toBe(
      false,
    );
    const sol = findModel("gpt-6-sol");
    expect(readOutlook([answer], "openai:gpt-6-sol", sol, true).isCutOff).toBe(false);
  });
});

const part = (change: Partial<UIToolPart>): UIToolPart => ({
  type: "tool-searchWeb",
  toolCallId: "c",
  state: "input-available",
  input: { query: "markets" },
  ...change,
});

const statusOf = (errorText: string): string =>
  describeTool(part({ state: "output-error", errorText }), false).status;

const file = (mediaType: string): object => ({
  type: "file",
  mediaType,
  source: { type: "base64", data: "AAAA" },
});

describe("a tool call", () => {
  it("has a state for everything that can happen", () => {
    expect(describeTool(part({ state: "input-streaming" }), true).state).toBe("waiting");
    expect(describeTool(part({}), true).state).toBe("running");
    expect(describeTool(part({}), false).state).toBe("stopped");
    expect(describeTool(part({ state: "output-available", output: "x" }), false).status).toBe(
      "✓ 1 B",
    );
    expect(describeTool(part({ state: "output-error", errorText: "timed out" }), false).state).toBe(
      "failed",
    );
    expect(
      describeTool(part({ state: "output-error", errorText: "interrupted" }), false).state,
    ).toBe("stopped");
    expect(describeTool(part({ state: "output-denied" }), false).state).toBe("refused");
    expect(describeTool(part({}), true).brief).toBe('"markets"');
  });

  it("F-K1 says in a few words why it failed", () => {
    expect(statusOf("The tool failed: it broke\nat line 3")).toBe("✗ it broke");
    expect(statusOf("The tool failed.")).toBe("✗ failed");
    expect(statusOf(`not run: ${"x".repeat(100)}`)).toBe(`✗ not run: ${"x".repeat(31)}…`);
  });

  it("F-W5 shows pictures that cannot run anything, all else as text", () => {
    expect(readOutput([file("image/png")]).images).toHaveLength(1);
    expect(readOutput([file("image/svg+xml")]).images).toEqual([]);
    expect(readOutput([{ type: "text", text: "<b>x</b>" }]).text).toBe("<b>x</b>");
    expect(readOutput('{"a":1}').text).toBe('{\n  "a": 1\n}');
  });
});
