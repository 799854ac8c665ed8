import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

/** Values and directive of what is offered for the last word. */
const offered = async (words: readonly string[], home = emptyHome()): Promise<readonly string[]> =>
  (await mull(["complete", "--", ...words], { home })).out
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\t.*/, ""));

const noFiles = ":4";
const filesToo = ":0";

describe("completion in shells", () => {
  test.each([
    [["lint", "req"]],
    [["send", "req"]],
    [["--mcp", ""]],
    [["lint", "--batch", ""]],
    [["-f", ""]],
    [["-m", "gpt-6-sol", "--file", "a"]],
    [["vcr", "scan", ""]],
    [["serve", "--data", ""]],
  ])("%j: the shell offers files", async (words) => {
    expect(await offered(words)).toEqual([filesToo]);
  });

  test.each([
    [
      ["keys", ""],
      ["list", "set", "remove"],
    ],
    [["keys", "set", "anth"], ["anthropic"]],
    [["send", "--to", "gro"], ["groq"]],
    [["help", "swe"], ["sweep"]],
    [["help", "sweep", ""], []],
    [
      ["--cache", ""],
      ["5m", "1h"],
    ],
    [["conversations", "sh"], ["show"]],
    [["completion", "z"], ["zsh"]],
    [
      ["-l", "m"],
      ["min", "med", "max"],
    ],
    [["--level=hi"], ["--level=high"]],
    [
      ["sweep", "hi", "--levels", "none,m"],
      ["none,min", "none,med", "none,max"],
    ],
    [
      ["-t", "c"],
      ["calculator", "clock"],
    ],
    [["lint", "--fi"], ["--fix"]],
    [["what", "is", ""], []],
    [["--system", "pl"], []],
  ])("%j: %j", async (words, values) => {
    expect(await offered(words)).toEqual([...values, noFiles]);
  });

  test("behind the whole name of a model stand its levels", async () => {
    expect(await offered(["plan", "claude-opus-5-5/m"])).toEqual([
      "claude-opus-5-5/min",
      "claude-opus-5-5/med",
      "claude-opus-5-5/max",
      noFiles,
    ]);
    expect(await offered(["sweep", "hi", "--models", "gpt-6-sol,gemini-3.8-fl"])).toContain(
      "gpt-6-sol,gemini-3.8-flash",
    );
  });

  test("behind a provider stand its models and their levels, no space between", async () => {
    expect(await offered(["-m", "olla"])).toEqual(["ollama:", ":6"]);
    expect(await offered(["-m", "openai:gpt-6-s"])).toEqual(
      expect.arrayContaining(["openai:gpt-6-sol", "openai:gpt-6-sol/high"]),
    );
    expect(await offered(["plan", "openai:gpt-6-sol/h"])).toEqual([
      "openai:gpt-6-sol/high",
      noFiles,
    ]);
  });

  test("a model is offered once, also where several providers serve it", async () => {
    const values = await offered(["-m", ""]);
    expect(values).toEqual([...new Set(values)]);
    expect(values).not.toContain("openai:");
  });

  test("kept conversations are offered by name wherever one is meant", async () => {
    const home = emptyHome();
    const { out } = await mull(["--json", "hi"], { home });
    const { conversation } = JSON.parse(out) as { readonly conversation: string };
    for (const words of [
      ["-r", ""],
      ["cost", ""],
      ["conversations", "show", ""],
    ])
      expect(await offered(words, home)).toEqual([conversation, noFiles]);
  });
});
