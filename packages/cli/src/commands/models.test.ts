import { expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

test("a key that is kept counts as one, as a variable does", async () => {
  const home = emptyHome();
  expect((await mull(["models", "gpt-6-sol"], { home })).out).toContain("openai (no key)");
  await mull(["keys", "set", "openai"], { home, stdin: "open-sesame" });
  const { out } = await mull(["models", "gpt-6-sol"], { home });
  expect(out).toMatch(/gpt-6-sol +openai +none low/);
  expect(out).not.toContain("no key");
});

test("bad input: a word that no model has is said so, with the nearest", async () => {
  const { code, out, err } = await mull(["models", "--filter", "claude-opsu-5-5"]);
  expect([code, out]).toEqual([0, ""]);
  expect(err).toBe('No model has "claude-opsu-5-5" in it. Did you mean claude-opus-5-5?\n');
  expect((await mull(["models", "--filter", "claude-opsu-5-5", "--json"])).out).toBe("[]\n");
});

test("bad input: nothing piped in is nothing to encode", async () => {
  const { code, out, err } = await mull(["encode", "gpt-6-sol"], { stdin: "\n" });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("✗ The history is empty");
});

test("several tools may be named at once", async () => {
  const argv = ["--plan", "--json", "-t", "calculator,clock", "What is 2 + 2?"];
  const { request } = JSON.parse((await mull(argv)).out);
  const names = request.body.tools.map((tool: { readonly name: string }) => tool.name);
  expect(names).toEqual(["calculator", "clock"]);
});
