import { describe, expect, test } from "vitest";

import { createWidths } from "../repl/rows.ts";
import { wordRows } from "./word-rows.ts";

const rowsOf = (pieces: readonly string[], width: number): readonly string[] => {
  const rows = wordRows(width, createWidths());
  return (pieces.map((piece) => rows.push(piece)).join("") + rows.end()).split("\n");
};

describe("running text breaks between words", () => {
  const text = "Let me think about it once more, then answer.\n\nDone.";

  test("however it is cut into pieces", () => {
    const rows = ["Let me think", "about it once", "more, then", "answer.", "", "Done."];
    expect(rowsOf([text], 14)).toEqual(rows);
    expect(rowsOf(text.split(""), 14)).toEqual(rows);
    expect(rowsOf(text.match(/[^]{1,5}/g) ?? [], 14)).toEqual(rows);
  });

  test("text without spaces is cut where the row ends", () => {
    expect(rowsOf(["a ", "日本語の文章"], 8)).toEqual(["a", "日本語の", "文章"]);
    const pieces = Array.from("日本語の文章はここで折り返される");
    expect(rowsOf(pieces, 8)).toEqual(["日本語の", "文章はこ", "こで折り", "返される"]);
    expect(rowsOf(["0123456789", "0123456789"], 8)).toEqual(["01234567", "89012345", "6789"]);
  });

  test("what was printed never waits for more than a word", () => {
    const rows = wordRows(20, createWidths());
    expect(rows.push("Let me thi")).toBe("Let me");
    expect(rows.push("nk ")).toBe(" think");
  });
});
