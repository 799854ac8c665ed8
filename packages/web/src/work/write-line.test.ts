import { describe, expect, it } from "vitest";
import { writeLine, type StepWords } from "./write-line.ts";

const thought = (durationMs: number): StepWords => {
  const short = `Thought ${durationMs / 1000} s`;
  const words = { state: "done" as const, label: `${short} · 12 tokens`, short };
  return { kind: "thinking", durationMs, words };
};

const running: StepWords = {
  kind: "thinking",
  words: { state: "streaming", label: "Thinking… 2 s · ~40 tokens", short: "Thinking… 2 s" },
};

const call = (name: string, state: "done" | "running" | "failed" = "done"): StepWords => {
  const status = { done: "✓ 12 B", running: "running", failed: "✗ timed out" }[state];
  return { kind: "tool", words: { state, name, brief: "", status } };
};

describe("the line above an answer", () => {
  it("lists a few thoughts and calls in their order", () => {
    const steps = [thought(500), call("searchWeb"), thought(400)];
    expect(writeLine(steps, false)).toBe("Thought 0.5 s · searchWeb · Thought 0.4 s");
  });

  it("R199 tells one thought whole", () => {
    expect(writeLine([thought(500)], false)).toBe("Thought 0.5 s · 12 tokens");
    expect(writeLine([running], true)).toBe("Thinking… 2 s · ~40 tokens");
  });

  it("shows that work goes on, also between two steps", () => {
    expect(writeLine([thought(500), call("searchWeb", "running")], true)).toBe(
      "Thought 0.5 s · searchWeb running",
    );
    expect(writeLine([thought(500), call("searchWeb")], true)).toBe(
      "Thought 0.5 s · searchWeb · …",
    );
  });

  it("says which call failed", () => {
    expect(writeLine([thought(500), call("searchWeb", "failed")], false)).toBe(
      "Thought 0.5 s · searchWeb ✗ timed out",
    );
  });

  it("counts many thoughts and calls instead of listing them", () => {
    const steps = [1, 2, 3].flatMap((n) => [thought(n * 1000), call("searchWeb")]);
    const all = [...steps, call("searchWeb", "failed"), call("calculator")];
    expect(writeLine(all, false)).toBe(
      "Thought 6.0 s in 3 parts · searchWeb × 4, 1 failed · calculator",
    );
    expect(writeLine([...all, running], true)).toMatch(/ · calculator · Thinking… 2 s$/);
  });
});
