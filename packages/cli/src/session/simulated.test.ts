import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { TurnOutcome } from "../ask/outcome.ts";
import { startChat } from "../repl/testing/chat.ts";
import { emptyHome, mull } from "../testing/fake-io.ts";

const question = "What is 23 * 47?";
const asked = async (home: string, ...words: readonly string[]): Promise<TurnOutcome> => {
  const { out, code } = await mull(["--json", ...words], { home });
  expect(code).toBe(0);
  return JSON.parse(out);
};
/** How many seals the conversations of this home hold. */
const sealsIn = (home: string): number => {
  const folder = join(home, ".local/share/mull/conversations");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.join("").split('"seal"').length - 1;
};

describe("promise 6: simulated seals open again in every later session", () => {
  test.each(["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash"])("%s", async (model) => {
    const home = emptyHome();
    await asked(home, "-m", `${model}/high`, question);
    expect(sealsIn(home)).toBeGreaterThan(0);
    const again = await asked(home, "-c", "What is 2 + 2?");
    expect(again).toMatchObject({ model, receipt: { repairs: [] } });
    const chat = startChat({ home, resume: "", isUnprepared: true });
    await chat.sees("2 questions so far");
    await chat.sees(`${model} (simulated) · high`);
    const lines = await chat.say("What is 5 * 5?");
    expect(lines.join("\n")).not.toMatch(/✗|⚠|repaired/);
    await chat.leave();
    const last = await asked(home, "-c", "What is 6 * 6?");
    expect(last).toMatchObject({ model, receipt: { repairs: [] } });
  });
});

describe("a conversation goes on with its own model", () => {
  test("unless another is named, at once or in a chat", async () => {
    const home = emptyHome();
    await asked(home, "-m", "gpt-6-sol/low", question);
    const level = await asked(home, "-c", "-l", "high", "What is 2 + 2?");
    expect(level).toMatchObject({ model: "gpt-6-sol", receipt: { plan: { asked: "high" } } });
    const named = await asked(home, "-c", "-m", "gemini-3.8-flash", "What is 2 + 2?");
    expect(named.model).toBe("gemini-3.8-flash");
    const chat = startChat({ home, resume: "", isUnprepared: true, model: "claude-opus-5-5/low" });
    await chat.sees("3 questions so far");
    await chat.sees("claude-opus-5-5 (simulated) · low");
    await chat.leave();
  });

  test("or its vendor has no key here: another goes on and says so", async () => {
    const home = emptyHome();
    await asked(home, "-m", "gpt-6-sol", question);
    const { err } = await mull(["-c", "--plan", "Go on."], {
      home,
      env: { ANTHROPIC_API_KEY: "loopback" },
    });
    expect(err).toContain("No key for OpenAI. Continuing with claude-opus-5-5.");
  });
});

describe("who answers when nobody is named", () => {
  test.each([
    [{ OPENAI_API_KEY: "k" }, "openai:gpt-6-sol"],
    [{ GROQ_API_KEY: "k" }, "groq:gpt-oss-120b"],
    [{ MISTRAL_API_KEY: "k", GROQ_API_KEY: "k", GOOGLE_API_KEY: "k" }, "google:gemini-3.8-flash"],
  ])("a vendor there is a key for: %j", async (env, ref) => {
    const { code, out } = await mull(["--plan", "--json", question], { env });
    const { provider, model } = JSON.parse(out) as Record<string, string>;
    expect([code, `${provider}:${model}`]).toEqual([0, ref]);
  });

  test("a GITHUB_TOKEN says nothing about models: the emulator answers", async () => {
    const env = { GITHUB_TOKEN: "k" };
    const { code, err } = await mull([question], { env });
    expect([code, err]).toEqual([0, expect.stringContaining("simulated")]);
    const named = await mull(["-m", "github:openai/gpt-5", "--plan", "--json", question], { env });
    expect(JSON.parse(named.out)).toMatchObject({ provider: "github" });
  });
});
