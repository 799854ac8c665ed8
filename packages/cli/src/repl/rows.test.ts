import { describe, expect, test } from "vitest";

import { firstUnit, lastBreak, wrapSpans, createWidths } from "./rows.ts";

const rowsOf = (text: string, width: number): readonly string[] =>
  wrapSpans([{ text }], createWidths(), { width }).map((row) =>
    row.map((span) => span.text).join(""),
  );

test("words that many spaces divide stay apart where the spaces have no room", () => {
  expect(rowsOf("one     two", 8)).toEqual(["one", "two"]);
  expect(rowsOf("one   two", 8)).toEqual(["one", "two"]);
  expect(rowsOf("seven       a", 8)).toEqual(["seven", "a"]);
});

describe("rows of text without spaces", () => {
  test("Chinese and Japanese fill their rows, also behind words with spaces", () => {
    expect(rowsOf("The word 日本語の長い文章 and GPT模型", 16)).toEqual([
      "The word 日本語",
      "の長い文章 and",
      "GPT模型",
    ]);
  });

  test("no row begins with what closes, none ends with what opens", () => {
    expect(rowsOf("これは文です。次の「文」も。", 12)).toEqual([
      "これは文で",
      "す。次の",
      "「文」も。",
    ]);
  });

  test("the look may change inside", () => {
    const rows = wrapSpans(
      [{ text: "日本", formats: ["bold"] }, { text: "語の文" }, { text: "。" }],
      createWidths(),
      { width: 8 },
    );
    expect(rows).toEqual([
      [{ text: "日本", formats: ["bold"] }, { text: "語の" }],
      [{ text: "文。" }],
    ]);
  });

  test("what must stay together at the start of a text", () => {
    expect(firstUnit(" word and")).toBe(" word");
    expect(firstUnit("「日本」語")).toBe("「日");
    expect(firstUnit("x。日")).toBe("x。");
    expect(firstUnit("")).toBe("");
  });

  test("where a row may end last", () => {
    const text = "a 日「本」語";
    expect([6, 5, 4, 3, 1].map((from) => lastBreak(text, from))).toEqual([6, 3, 3, 3, 1]);
    expect(lastBreak("word", 4)).toBe(0);
  });
});
