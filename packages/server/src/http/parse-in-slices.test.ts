import { createLoopShare } from "@mull/store/parts";
import { expect, test } from "vitest";
import { watchRounds } from "../testing/watch-rounds.ts";
import { parseInSlices } from "./parse-in-slices.ts";

const parse = (text: string): Promise<unknown> => parseInSlices(text, createLoopShare());
const long = "x".repeat(40_000);
const names = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`name ${nth}`, nth]));

test.each([
  ["a number", 5],
  ["nothing", {}],
  ["a long text", long.repeat(10)],
  ["long texts", [long, long, long, [], {}, long, [[]], long]],
  ["texts with quotes and brackets", { a: `\\"]}${long}`, '\\"': `[${long}\\`, "}": [`"${long}`] }],
  ["many names", names(30_000)],
  ["many names further in", { a: 1, b: [{ c: names(30_000), d: [names(9000)] }, 2], e: null }],
  ["many short lists", Array.from({ length: 50_000 }, (_, nth) => [nth, [], { nth: `${nth}` }])],
  ["a long list in the middle", [[1], Array.from({ length: 90_000 }, Number), [2], "last"]],
])("F-W17: %s: read as in one go", async (_, value) => {
  for (const indent of [0, 2]) {
    const text = JSON.stringify(value, undefined, indent);
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(value));
  }
});

test("F-W17: __proto__ is a name like any other", async () => {
  const text = `{"__proto__": {"isAdmin": [${`"${long}",`.repeat(3)} true]}, "a": 1, "b": "${long}", "__proto__": [2]}`;
  const read = await parse(text);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
});

const some = `"${long}","${long}","${long}"`;

test.each([
  ["", '"'],
  [`[${some}`, `[${some},`, `[${some},]`, `[,${some}]`, `[${some},,1]`, `[${some}}`],
  [`[[${some}] 1]`, `[[${some}] [${some}]]`, `[1 [${some}]]`, `[[${some}],]`, `[[${some}]`],
  [`[${some}] 1`, `[${some}],1`, `1,[${some}]`, `[${some}]]`, `]${some}`, `[${some},{]}]`],
  [`{"a" [${some}]}`, `{"a":[${some}] "b":[${some}]}`, `{[${some}]}`, `{"a":1:[${some}]}`],
  [`{a:[${some}]}`, `{"a":[${some}],}`, `{"a":[${some}]]`, `{"a":,[${some}]}`, `{5:[${some}]}`],
  [`{"a":1,[${some}]}`, `{"a":[${some}]:2}`, `{"a":"b":[${some}]}`, `{"a":1,"b":[${some}}`],
])("F-W17: what is no JSON is refused (%#)", async (...texts) => {
  for (const text of texts) {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(parse(text)).rejects.toThrow(SyntaxError);
  }
});

test("F-W17: others get the loop while half a million different names are read", async () => {
  const text = JSON.stringify(names(500_000));
  const rounds = watchRounds();
  await parse(text);
  expect(rounds.stop()).toBeGreaterThan(10);
});
