import { describe, expect, test } from "vitest";

import { isMullError } from "../types/error.ts";
import { levels } from "../types/level.ts";
import { parseLevel } from "./level.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("levels", () => {
  test("R1 the dial is one ordered list for everybody", () => {
    expect(levels).toEqual(["auto", "none", "min", "low", "med", "high", "max"]);
  });

  test.each(levels)("R2 D1 %s is itself", (level) => {
    expect(parseLevel(level)).toBe(level);
  });

  test.each([
    ["off", "none"],
    ["minimal", "min"],
    ["medium", "med"],
    ["xhigh", "max"],
    ["MIN", "min"],
    [" High ", "high"],
  ])("R3 D1 %s is read as %s", (word, level) => {
    expect(parseLevel(word)).toBe(level);
  });

  test("R7 a negative level is refused", () => {
    expect(thrownBy(() => parseLevel(-1))).toMatchObject({
      category: "invalid_argument",
      code: "INVALID_ARG",
      field: "level",
      allowed: levels,
    });
  });

  test.each([5, 999, "maximum", "", "constructor", "__proto__", null, undefined, {}, [], 10n, NaN])(
    "R8 D1 %s is refused, and the words are listed",
    (value) => {
      const error = thrownBy(() => parseLevel(value));
      expect(isMullError(error)).toBe(true);
      expect(String(error)).toContain("auto none min low med high max");
    },
  );
});
