import { expect, test } from "vitest";

import { columns } from "./columns.ts";

const head = ["model", "key", "thinking", "status"];
const rows = [
  ["gpt-6-sol", "✓", "none low medium high", "current"],
  ["o3", "", "low medium high", "retired, now gpt-6-sol"],
];
const shown = (width: number | undefined, isTerminal = true): readonly string[] =>
  columns(head, rows, {
    terminal: { stdin: true, stdout: isTerminal, stderr: true },
    columns: width,
  }).split("\n");

const table = [
  "model      key  thinking              status",
  "gpt-6-sol  ✓    none low medium high  current",
  "o3              low medium high       retired, now gpt-6-sol",
  "",
];

test("a table where there is room, and in files", () => {
  expect(shown(80)).toEqual(table);
  expect(shown(60)).toEqual(table);
  expect(shown(undefined)).toEqual(table);
  expect(shown(40, false)).toEqual(table);
});

test("a block a row in a narrower window, without its empty cells", () => {
  expect(shown(40)).toEqual([
    "gpt-6-sol",
    "  key: ✓",
    "  thinking: none low medium high",
    "  status: current",
    "o3",
    "  thinking: low medium high",
    "  status: retired, now gpt-6-sol",
    "",
  ]);
  expect(shown(52)[1]).toBe("  key: ✓ · thinking: none low medium high");
  expect(shown(24).slice(5)).toEqual([
    "o3",
    "  thinking: low medium",
    "  high",
    "  status: retired, now",
    "  gpt-6-sol",
    "",
  ]);
});
