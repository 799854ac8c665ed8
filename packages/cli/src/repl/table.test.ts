import { Lexer } from "marked";
import { describe, expect, test } from "vitest";

import { createLook } from "./look.ts";
import { renderTable } from "./table.ts";
import { createWidths } from "./rows.ts";

const draw = (source: string, width: number): readonly string[] =>
  renderTable(source.split("\n"), {
    look: createLook({ NO_COLOR: "1" }),
    widths: createWidths(),
    lexInline: (text) => Lexer.lexInline(text),
    width: () => width,
  });

const plans = [
  "| plan | price | what it is for |",
  "| --- | ---: | :---: |",
  "| small | 5 | one person who tries **things** out at home |",
  "| large | 1,250 | a team |",
].join("\n");

describe("tables in the terminal (R198)", () => {
  test("columns keep the side the table asks for", () => {
    expect(draw("| a | price | b |\n|---|--:|:-:|\n| x | 5 | mid |\n| y | 10 | m |", 40)).toEqual([
      "a  price   b",
      "─  ─────  ───",
      "x      5  mid",
      "y     10   m",
    ]);
  });

  test("cells that are too wide wrap in their column, and rows stand apart", () => {
    const wide = plans.replace("at home", "at home, with a few friends perhaps");
    expect(draw(wide, 60)).toEqual([
      "plan   price                  what it is for",
      "─────  ─────  ──────────────────────────────────────────────",
      "small      5  one person who tries things out at home, with",
      "                          a few friends perhaps",
      "",
      "large  1,250                      a team",
    ]);
  });

  test("in a window below 60 columns rows that do not fit are stacked", () => {
    expect(draw(plans, 57)[0]).toMatch(/^plan {3}price/);
    expect(draw(plans, 50).slice(0, 4)).toEqual([
      "plan: small",
      "price: 5",
      "what it is for: one person who tries things out at",
      "  home",
    ]);
  });

  test("a word is never broken: a column keeps room for its longest, or rows are stacked", () => {
    const words = "responsibilities internationalization characterization";
    const source = (cells: number): string =>
      [
        `|${" head |".repeat(cells)}`,
        `|${" --- |".repeat(cells)}`,
        `|${` ${words} and more |`.repeat(cells)}`,
      ].join("\n");
    for (const cells of [2, 3, 4, 5, 6, 8])
      for (const width of [60, 80, 99, 139])
        for (const word of words.split(" "))
          expect(draw(source(cells), width).join("\n")).toContain(word);
    expect(draw(source(4), 99)[0]).toMatch(/^head {2,}head/);
    expect(draw(source(6), 99)[0]).toMatch(/^head: /);
  });

  test("a line break in a cell is one", () => {
    expect(draw("| a | b |\n|---|---|\n| one<br>two | x |\n| three | y |", 40)).toEqual([
      "a      b",
      "─────  ─",
      "one    x",
      "two",
      "",
      "three  y",
    ]);
  });

  test("where columns have no room, each row is a record and no line is too long", () => {
    expect(draw(plans, 20)).toEqual([
      "plan: small",
      "price: 5",
      "what it is for: one",
      "  person who tries",
      "  things out at home",
      "",
      "plan: large",
      "price: 1,250",
      "what it is for: a",
      "  team",
    ]);
  });

  test("what only looks like a table stays as it came", () => {
    expect(draw("| a | b |\n| 1 | 2 |", 40)).toEqual(["| a | b |", "| 1 | 2 |"]);
  });
});
