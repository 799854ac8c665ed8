import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf, type Agent } from "mull";
import { describe, expect, onTestFinished, test } from "vitest";
import { wrong } from "../stubs.ts";
import { Agent as AnAgent } from "mull";
import { filesIn, playOn, threeSteps } from "./three-steps.ts";

const wires = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "openai-chat:gpt-6-sol/none",
  "gemini-3.8-flash/low",
];

class Left extends Error {}

/** Plays until the event with this number, leaves, and goes on from what was saved. */
async function leaveAt(
  model: string,
  leaveAfter: number,
): Promise<{
  readonly agent?: Agent | undefined;
  readonly runs: readonly string[];
  readonly hasLeft: boolean;
}> {
  const folder = mkdtempSync(join(tmpdir(), "mull-saved-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = filesIn(folder);
  let hasLeft = false;
  const fetch = threeSteps();
  // What was saved counts, not what the loop that is left makes of it.
  let kept = false;
  const first = { ...files, save: (agent: Agent) => void (kept || files.save(agent)) };
  try {
    await playOn(model, first, fetch, {
      onEvent: (count) => {
        if (count < leaveAfter) return;
        kept = true;
        hasLeft = true;
        throw new Left();
      },
    });
  } catch (error) {
    if (!(error instanceof Left)) throw error;
  }
  const agent = await playOn(model, files, fetch, { onEvent: () => undefined });
  expect(fetch.journal().filter(({ verdict }) => verdict === "refused")).toEqual([]);
  return { agent, runs: files.runs(), hasLeft };
}

describe.each(wires)("R437 R438 an agent of %s, left after any event", (model) => {
  test("goes on from what was saved, and runs nothing twice that must not", async () => {
    let count = 0;
    for (let hasLeft = true; hasLeft;) {
      count += 1;
      const left = await leaveAt(model, count);
      hasLeft = left.hasLeft;
      const { messages } = left.agent!.history;
      expect({ count, text: textOf(messages.at(-1)) }).toEqual({ count, text: "All is done." });
      expect({ count, charges: left.runs.filter((name) => name === "charge").length }).toEqual({
        count,
        charges: 1,
      });
      expect(new Set(left.runs)).toEqual(new Set(["read", "charge", "note"]));
      const outputs = messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])),
      );
      expect(outputs).toEqual(["read is done", "charge is done", "note is done"]);
    }
    expect(count).toBeGreaterThan(10);
  }, 120_000);
});

test("R437 what is not a saved agent is refused with the field that is wrong", () => {
  const saved = JSON.parse(JSON.stringify(new AnAgent("gpt-6-sol/high"))) as object;
  expect(AnAgent.restore(wrong(saved)).target.level).toBe("high");
  for (const [field, value] of [
    ["saved", "{"],
    ["saved", { ...saved, version: 9 }],
    ["saved.model", { ...saved, model: 5 }],
    ["saved.thinkingBudget", { ...saved, thinkingBudget: "a" }],
    ["entries", { ...saved, history: { version: 1, head: -1 } }],
  ] as const)
    expect(() => AnAgent.restore(wrong(value))).toThrow(field);
});
