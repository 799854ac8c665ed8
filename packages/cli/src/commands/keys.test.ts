import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

describe("mull keys remove", () => {
  test("a key that is not there is not said to be removed, and no file is made", async () => {
    const home = emptyHome();
    const { code, out, err } = await mull(["keys", "remove", "anthropic"], { home });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/credentials\.json has no Anthropic key\.\n$/);
    expect(existsSync(join(home, ".config/mull/credentials.json"))).toBe(false);
  });

  test("nothing piped in is said to be nothing", async () => {
    const { code, err } = await mull(["keys", "set", "openai"], { stdin: "" });
    expect([code, err]).toEqual([2, "✗ No key was entered. Nothing was changed.\n"]);
  });

  test("the variable that goes on giving a key is named", async () => {
    const home = emptyHome();
    const env = { OPENAI_API_KEY: "open-sesame" };
    const missing = await mull(["keys", "remove", "openai"], { home, env });
    expect(missing.err).toContain("The one in use comes from OPENAI_API_KEY.");
    await mull(["keys", "set", "openai"], { home, env, stdin: "another" });
    const removed = await mull(["keys", "remove", "openai"], { home, env });
    expect(removed.out).toMatch(/^✓ OpenAI key removed from /);
    expect(removed.err).toBe("⚠ OPENAI_API_KEY still has a key\n");
  });
});
