import { describe, expect, test } from "vitest";

import type { TurnOutcome } from "../ask/outcome.ts";
import { jsonLines, mull } from "../testing/fake-io.ts";
import { estimateThinking } from "./estimate-thinking.ts";

const full = { text: "Two and two.", visibility: "full" } as const;

describe("D9, P-H1: thinking nobody counted", () => {
  test("is estimated where all of it came, and leaves the output it was part of", () => {
    expect(estimateThinking({}, [full])).toEqual({ thinking: 3, thinkingSource: "estimated" });
    expect(estimateThinking({ input: 5, output: 10, total: 15 }, [full])).toEqual({
      input: 5,
      output: 7,
      thinking: 3,
      thinkingSource: "estimated",
      total: 15,
    });
  });

  test("stays unknown where only a part of it can be read, or none", () => {
    const summary = { text: "Sums.", visibility: "summary" } as const;
    for (const blocks of [[], [summary], [full, summary]])
      expect(estimateThinking({ output: 10 }, blocks)).toEqual({ output: 10 });
  });

  test("a count of the service stands, zero included", () => {
    for (const thinking of [0, 7]) {
      const usage = { thinking, thinkingSource: "reported" } as const;
      expect(estimateThinking(usage, [full])).toBe(usage);
    }
  });
});

describe("newcomer task 8: a service without counts", () => {
  const argv = ["-m", "magistral-medium", "What is 23 * 47?"];

  test("--json says estimated, and the ledger and the screen agree", async () => {
    const json = await mull(["--json", ...argv]);
    const { usage }: TurnOutcome = JSON.parse(json.out);
    expect(usage).toEqual({ thinking: expect.any(Number), thinkingSource: "estimated" });
    const { err } = await mull(argv, { terminal: { stderr: true }, env: { NO_COLOR: "1" } });
    expect(err).toContain(`∴ thought · ~${usage?.thinking} tokens\n`);
    const swept = await mull([
      "sweep",
      "--models",
      "magistral-medium",
      "--levels",
      "med",
      "--json",
      "What is 23 * 47?",
    ]);
    expect(jsonLines(swept.out)[0]).toMatchObject([
      { thinkingTokens: usage?.thinking, thinkingSource: "estimated" },
    ]);
  });
});
