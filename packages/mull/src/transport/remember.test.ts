import { describe, expect, test } from "vitest";
import { remember } from "./remember.ts";

const counting = (most?: number): [(text: string) => string | undefined, string[]] => {
  const asked: string[] = [];
  const make = (text: string): string | undefined => {
    asked.push(text);
    return text === "" ? undefined : text.toUpperCase();
  };
  return [remember(make, most), asked];
};

describe("remembering what was worked out", () => {
  test("works once for each argument", () => {
    const [upper, asked] = counting();
    expect([upper("a"), upper("b"), upper("a"), upper("b")]).toEqual(["A", "B", "A", "B"]);
    expect(asked).toEqual(["a", "b"]);
  });

  test("holds a bounded number of them, and lets go of the oldest alone", () => {
    const [upper, asked] = counting(2);
    for (const text of ["a", "b", "c", "b", "c", "a"]) upper(text);
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });

  test("does not remember that there was nothing, nor what was thrown", () => {
    const [upper, asked] = counting();
    expect([upper(""), upper("")]).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(2);
    let calls = 0;
    const failing = remember(() => {
      calls++;
      throw new Error("no");
    });
    expect(() => failing("a")).toThrow("no");
    expect(() => failing("a")).toThrow("no");
    expect(calls).toBe(2);
  });
});
