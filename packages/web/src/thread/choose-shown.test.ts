import type { UIMessage } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { chooseStart, mostAtOnce, startBefore } from "./choose-shown.ts";

const messages = (count: number): readonly UIMessage[] =>
  Array.from({ length: count }, (_, nth) => ({
    id: `${nth}`,
    role: nth % 2 === 0 ? "user" : "assistant",
    parts: [],
  }));

describe("F-W17: what is shown of a long conversation", () => {
  it.each([
    ["all of a short one", mostAtOnce, Infinity, 0],
    ["the latest of a long one", 5000, Infinity, 5000 - mostAtOnce],
    ["from a question on", 5001, Infinity, 5000 - mostAtOnce],
    ["what was shown before, when it has grown", 5400, 4700, 4700],
    ["what was asked for besides", 5000, 100, 100],
    ["the latest, when another branch is shorter", 1000, 4700, 1000 - mostAtOnce],
  ])("%s", (_, count, wanted, start) => {
    expect(chooseStart(messages(count), wanted)).toBe(start);
  });

  it("the latest still, when those before them are read", () => {
    const all = messages(5060);
    const at = chooseStart(all.slice(5000), Infinity);
    const wanted = startBefore(all, { at, id: all[5000]?.id });
    expect([at, chooseStart(all, wanted)]).toEqual([0, 5060 - mostAtOnce]);
    // What somebody looks at stays where it is.
    const shown = { at: 100, id: all[4100]?.id };
    expect(chooseStart(all, startBefore(all, shown))).toBe(4100);
  });
});
