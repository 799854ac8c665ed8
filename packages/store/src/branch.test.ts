import { expect, test } from "vitest";
import { branchOf, type Link } from "./branch.ts";

const link = (id: string, parentId: string | null): Link => ({ id, parentId });
const ids = (links: readonly Link[]): string => links.map(({ id }) => id).join(" ");

const tree = [link("a", null), link("b", "a"), link("c", "a"), link("d", "c"), link("e", "gone")];

test.each([
  ["d", "a c d"],
  ["b", "a b"],
  ["e", "e"],
  ["nowhere", ""],
])("F-R12 F-H2: the branch to %s is %j", (end, expected) => {
  expect(ids(branchOf(tree, end))).toBe(expected);
});

test("F-H2: messages that are each other's parents are taken once", () => {
  expect(ids(branchOf([link("a", "b"), link("b", "a")], "a"))).toBe("a b");
});
