import { describe, expect, it } from "vitest";
import { groupWork } from "./group-work.ts";
import type { TurnBlock } from "./read-turn.ts";

const text = (words: string): TurnBlock => ({
  kind: "text",
  text: words,
  isStreaming: false,
  isRefusal: false,
});
const thought: TurnBlock = {
  kind: "thinking",
  text: "Hm.",
  isStreaming: false,
  about: {},
  step: undefined,
  isOnly: true,
};
const call: TurnBlock = {
  kind: "tool",
  part: { type: "tool-searchWeb", toolCallId: "a", state: "input-available", input: {} },
};

const sizes = (blocks: readonly TurnBlock[]): readonly (string | number)[] =>
  groupWork(blocks).map((group) => (group.kind === "work" ? group.blocks.length : group.kind));

describe("what belongs to one line", () => {
  it("thoughts and calls in a row, up to the next words of the model", () => {
    expect(sizes([thought, call, thought, text("So.")])).toEqual([3, "text"]);
    expect(sizes([text("First I look."), call, call, text("So."), thought])).toEqual([
      "text",
      2,
      "text",
      1,
    ]);
  });

  it("only the first of a turn begins with the turn", () => {
    const firsts = groupWork([thought, text("So."), thought]).map(
      (group) => group.kind === "work" && group.isFirst,
    );
    expect(firsts).toEqual([true, false, false]);
  });
});
