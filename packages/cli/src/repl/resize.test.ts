import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { reflowOf, rowsUp, Screen, type Region } from "./screen.ts";
import { replClock } from "./terminal.ts";
import { fakeTerminal } from "./testing/fake-terminal.ts";
import { createWidths, graphemesOf } from "./rows.ts";

const widths = createWidths();
await widths.learn("漢");

interface Narrowed {
  readonly rows: readonly string[];
  /** The row of the cursor, and the character it stands on. */
  readonly cursor: { readonly row: number; readonly cell: number };
  readonly from: number;
  readonly to: number;
}

/** What the terminal shows after the window got narrower and the region was repainted. */
async function narrow({ rows, cursor, from, to }: Narrowed): Promise<readonly string[]> {
  const fake = fakeTerminal({ columns: from, rows: 100 });
  const before = graphemesOf(rows.at(cursor.row)!).slice(0, cursor.cell).join("");
  let live: Region = { rows, cursor: { row: cursor.row, column: widths.of(before) } };
  const screen = new Screen({
    terminal: fake.terminal,
    clock: replClock,
    widths,
    reflow: "breaks-others",
    view: () => live,
  });
  screen.print(["one", "two"]);
  screen.paint();
  await fake.lines();
  live = { rows: ["new"], cursor: { row: 0, column: 0 } };
  fake.resize(to, 100);
  screen.paint();
  const lines = await fake.lines();
  screen.end();
  return lines;
}

/** As many of the characters as fit, as in every row of the region. */
function fitting(cells: readonly string[], width: number): string {
  let text = "";
  for (const cell of cells) if (widths.of(text + cell) <= width) text += cell;
  return text;
}

describe("a window that becomes narrower", () => {
  test("wide characters that no longer fit leave no row of the old region behind", async () => {
    const rows = [`❯ ${"漢".repeat(28)}`, "  漢", "status"];
    const cursor = { row: 1, cell: 3 };
    expect(await narrow({ rows, cursor, from: 60, to: 29 })).toEqual(["one", "two", "new"]);
  });

  test("property: all of the old region goes, and nothing of what stands above it", async () => {
    const cell = fc.constantFrom("x", "y", " ", "漢", "字", "é", "·");
    const narrowed = fc
      .record({ from: fc.integer({ min: 20, max: 60 }), by: fc.integer({ min: 1, max: 55 }) })
      .chain(({ from, by }) => {
        const row = fc
          .array(cell, { maxLength: from - 1 })
          .map((cells) => fitting(cells, from - 1));
        return fc.record({
          rows: fc.array(row, { minLength: 5, maxLength: 5 }),
          cursor: fc.record({ row: fc.nat(4), cell: fc.nat(from) }),
          from: fc.constant(from),
          to: fc.constant(Math.max(4, from - by)),
        });
      });
    await fc.assert(
      fc.asyncProperty(narrowed, async (value) => {
        expect(await narrow(value)).toEqual(["one", "two", "new"]);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    // columns, and how far down the end of the text is, as tmux shows it
    [60, 0],
    [58, 1],
    [29, 2],
    [28, 2],
    [20, 2],
    [13, 4],
  ])(
    "at %i columns tmux moves the cursor behind 29 wide characters down by %i",
    (columns, down) => {
      const region = { rows: ["漢".repeat(29)], cursor: { row: 0, column: 58 } };
      expect(rowsUp(region, columns, "breaks", widths)).toBe(down);
    },
  );

  test.each([
    [{ TERM: "xterm-256color" }, "breaks"],
    [{ TERM: "screen", TMUX: "socket" }, "breaks"],
    [{ TERM: "screen" }, "cuts"],
    [{ TERM: "linux" }, "cuts"],
    [{ TERM: "xterm", XTERM_VERSION: "XTerm(390)" }, "cuts"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "breaks-others"],
  ])("who breaks rows is known by its variables: %j", (env, reflow) => {
    expect(reflowOf(env)).toBe(reflow);
  });
});
