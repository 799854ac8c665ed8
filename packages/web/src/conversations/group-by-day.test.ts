import { describe, expect, it, test } from "vitest";
import { groupByDay, groupConversations } from "./group-by-day.ts";

const at = (month: number, day: number): number => new Date(2026, month, day, 12).getTime();

describe("conversations by day", () => {
  it("puts the latest first, under words people use", () => {
    const list = [at(10, 15), at(10, 14), at(10, 15) + 1, at(10, 10), at(8, 1)].map(
      (updatedAt, index) => ({
        id: String(index),
        title: "",
        updatedAt,
      }),
    );
    const groups = groupByDay(list, at(10, 15) + 5);
    expect(
      groups.map(({ name, conversations }) => [name, conversations.map(({ id }) => id)]),
    ).toEqual([
      ["Today", ["2", "0"]],
      ["Yesterday", ["1"]],
      ["This week", ["3"]],
      ["September 2026", ["4"]],
    ]);
  });
});

test("pinned conversations come first, in their order, and once", () => {
  const now = new Date(2026, 5, 10, 12).getTime();
  const listed = ["a", "b", "c"].map((id, nth) => ({ id, title: id, updatedAt: now - nth }));
  const groups = groupConversations(listed, ["c", "gone", "a"], now);
  expect(
    groups.map(({ name, conversations }) => [name, conversations.map(({ id }) => id)]),
  ).toEqual([
    ["Pinned", ["c", "a"]],
    ["Today", ["b"]],
  ]);
  expect(groupConversations(listed, [], now)).toEqual(groupByDay(listed, now));
});
