import { expect, test } from "vitest";
import { growingTimes, type Times } from "./growing-times.ts";

const cases: readonly (readonly [string, number, Times, readonly number[]])[] = [
  ["kept where they grow", 3, [10, 20, 500], [10, 20, 500]],
  ["moved where they do not", 4, [10, 10, 5, 30], [10, 11, 12, 30]],
  ["filled in from what is known", 4, [undefined, 20, undefined, 30], [20, 21, 22, 30]],
  ["now where nothing is known", 2, [], [1000, 1001]],
  ["now where they would be in the future", 2, [10, 5000], [10, 1000]],
];

test.each(cases)("F-R12: times are %s", (_, count, times, expected) => {
  expect(growingTimes(count, times, 1000)).toEqual(expected);
});
