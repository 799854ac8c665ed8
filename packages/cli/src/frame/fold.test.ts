import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

/** What a terminal of this width shows of what is said on stderr. */
const said = async (
  columns: number,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const { err } = await mull(argv, { env, columns, terminal: { stderr: true } });
  return err.trimEnd().split("\n");
};

/** The help of a command, on a terminal of this width or in a file. */
const help = async (columns: number, stdout = true): Promise<readonly string[]> => {
  const { out } = await mull(["keys", "--help"], { columns, terminal: { stdout } });
  return out.split("\n");
};

test("help fits a narrow window, and a wide one gets no wider rows", async () => {
  for (const line of await help(40))
    expect(line.length <= 40 || line.startsWith("mull keys")).toBe(true);
  expect(await help(200)).toEqual(await help(80));
  expect(await help(40, false)).toEqual(await help(80));
  const { out } = await mull(["completion", "--help"]);
  expect(out).not.toContain("\n\n\n");
});

describe("what is said on stderr", () => {
  test("breaks between words on a terminal, what goes on under its text", async () => {
    expect(await said(40, ["conersations"])).toEqual([
      '✗ Unknown command "conersations". Did',
      "  you mean conversations?",
      "  mull --help lists all commands.",
      "  To ask the model this word:",
      "  mull -- conersations",
    ]);
  });

  test("keeps a command to copy in one piece", async () => {
    const argv = ["-m", "claude-opus-5-5", "hi"];
    expect(await said(40, argv, { OPENAI_API_KEY: "key" })).toEqual([
      "✗ No key for Anthropic.",
      "  fix   export ANTHROPIC_API_KEY=…   or",
      "        mull keys set anthropic",
    ]);
  });

  test("keeps a path in one piece, also where it is wider than the terminal", async () => {
    const path = join(emptyHome(), "a-folder-that-is-not-there/and-a-file-in-it.json");
    expect(await said(40, ["lint", path])).toEqual([
      "✗ Cannot read",
      `  ${path}:`,
      "  there is no such file",
    ]);
  });

  test("stays one line where no terminal shows it", async () => {
    const { err } = await mull(["conersations"], { columns: 40 });
    expect(err.split("\n")).toHaveLength(3);
  });
});
