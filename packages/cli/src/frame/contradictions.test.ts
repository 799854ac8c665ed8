import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";

describe("nothing that was typed is passed over", () => {
  test.each([
    [["hi", "--json", "--jsonl"], "--json and --jsonl can't be used together."],
    [["hi", "-c", "-r", "quiet-otter"], "--continue and --resume can't be used together."],
    [["-i", "hi", "--quiet"], "--interactive and --quiet can't be used together."],
    [["hi", "--allow", "all"], "--allow does nothing without --mcp."],
    [["hi", "-l", "low", "--level", "high"], "--level is given twice"],
    [["sweep", "hi", "--json", "--csv"], "--json and --csv can't be used together."],
    [["sweep", "hi", "-m", "gpt-6-sol/high", "-l", "low"], "gpt-6-sol/high names a level"],
    [["lint", "--batch", "a.jsonl", "b.json"], `--batch and "b.json" can't be used together.`],
    [["lint", "--advice", "b.json"], "--advice does nothing without --fix or --body."],
    [["models", "gpt", "--filter", "opus"], `--filter and "gpt" can't be used together.`],
    [["encode", "gpt-6-sol", "a.json", "--history", "b.json"], "--history and"],
    [["conversations", "list", "quiet-otter"], "mull conversations list takes no name."],
    [["keys", "list", "openai"], "mull keys list takes no name"],
    [["vcr", "scan", ".", "--bodies"], "--bodies belongs to mull vcr show."],
    [["help", "plan", "map"], "mull help takes one word, not 2."],
    [["doctor", "now"], "mull doctor takes no words, not 1."],
    [["plan", "gpt-6-sol", "--wire", "x"], "Unknown option --wire."],
  ])("%j", async (argv, said) => {
    const { code, out, err } = await mull(argv);
    expect(err).toContain(`✗ ${said}`);
    expect([code, out.startsWith("{") ? "" : out]).toEqual([2, ""]);
  });

  test("the same value twice is no contradiction", async () => {
    expect((await mull(["plan", "gpt-6-sol/high", "--json", "--json"])).code).toBe(0);
  });
});
