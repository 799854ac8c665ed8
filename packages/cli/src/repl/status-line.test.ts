import { describe, expect, test } from "vitest";

import { createLook } from "./look.ts";
import { createWidths } from "./rows.ts";
import { idleHint, statusLine, type Status } from "./status-line.ts";

const status: Status = {
  model: "claude-opus-5-5",
  isSimulated: true,
  level: "high",
  context: 10_000,
  window: 1_000_000,
  cost: 0.5,
  isEstimate: false,
  hint: idleHint,
};

const shown = (width: number, more: Partial<Status> = {}): string =>
  statusLine({ ...status, ...more }, width, createLook({ NO_COLOR: "1" }), createWidths());

describe("the status line", () => {
  test.each([
    [80, " claude-opus-5-5 (simulated) · high · ctx 1 % of 1M · $0.5000         ? for keys"],
    [63, " claude-opus-5-5 (simulated) · high · ctx 1 % of 1M  ? for keys"],
    [60, " claude-opus-5-5 (simulated) · high               ? for keys"],
    [40, " claude-opus-5-5 (simulated) · high"],
    [30, " claude-opus-5-5 (simulated)"],
    [20, " claude-opus-5-5 (s…"],
  ])("of %i columns leaves out what has no room, the level last", (width, line) => {
    expect(shown(width).trimEnd()).toBe(line);
  });

  test("without UTF-8 what was cut ends in ASCII", () => {
    const look = createLook({ LC_ALL: "C", NO_COLOR: "1" });
    const widths = createWidths(undefined, look.spell("…"));
    const hint = "Esc stops";
    const line = statusLine({ ...status, hint }, 30, look, widths);
    expect(line).toBe(" claude-opus-5-5...  Esc stops");
  });

  test("what a key would do now matters more", () => {
    expect(shown(40, { hint: "Esc stops" })).toBe(" claude-opus-5-5 (simulated)   Esc stops");
    expect(shown(30, { hint: "Esc stops" })).toBe(" claude-opus-5-5 (…  Esc stops");
  });
});
