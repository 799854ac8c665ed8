import { describe, expect, test } from "vitest";
import { calls, says, script, thinks } from "@mull/emulator";
import { version } from "../frame/version.ts";
import { startChat } from "./testing/chat.ts";

describe("the first screen", () => {
  test("without a key it says what answers, and how to get a real model", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    expect(await chat.lines()).toEqual([
      `mull ${version()} · one thinking dial for every model`,
      "  No API key found: answers come from the built-in emulator. It thinks and",
      "  answers by rule. Good for trying the dial, not for facts.",
      "  Real model   export ANTHROPIC_API_KEY=…   (or OPENAI_, GOOGLE_)  or  /keys",
      "  Try          What is 23 * 47?        /model gpt-6-sol/high        /help",
      "❯",
      " claude-opus-5-5 (simulated) · med · ctx 0 % of 1M · $0.00           ? for keys",
    ]);
    expect(await chat.leave()).toBe(0);
  });
});

test("in a narrow window the first screen is filled row by row", async () => {
  const chat = startChat({ columns: 50 });
  await chat.sees("? for keys");
  expect((await chat.lines()).slice(1, 4)).toEqual([
    "  No API key found: answers come from the",
    "  built-in emulator. It thinks and answers by",
    "  rule. Good for trying the dial, not for facts.",
  ]);
  expect(await chat.leave()).toBe(0);
});

test("/help is shown page by page where the window has no room for it", async () => {
  const chat = startChat({ rows: 24 });
  await chat.sees("? for keys");
  chat.type("/help\r");
  await chat.sees(/commands and keys · \d+ % · .*q leaves/);
  const [first] = await chat.screen();
  expect(first).toContain("/model [NAME/LEVEL]");
  chat.type("G");
  await chat.sees(/these keys, on an empty line[^]*commands and keys · 100 %/);
  chat.type("q");
  await chat.sees(/❯\n[^\n]*\? for keys$/);
  expect((await chat.lines()).join("\n")).not.toContain("/receipt");
  expect(await chat.leave()).toBe(0);
});

test("in a narrow window the keys of a page stay on one row", async () => {
  const chat = startChat({ columns: 40, rows: 24 });
  await chat.sees("· med");
  chat.type("/help\r");
  await chat.sees(/^ \d+ % · ↑ ↓ space, q leaves$/m);
  const [first] = await chat.screen();
  expect(first).toBe("  /model [NAME/LEVEL]");
  chat.type("q\u0004");
  expect(await chat.code).toBe(0);
});

describe("an answer", () => {
  const question = "What is 23 * 47?";
  const scripts = [
    script({ text: "23" }, [thinks("Split 47 into 40 and 7: 920 + 161."), says("23 × 47 = 1,081")]),
  ];

  test("R195 to R197: thinking folded to one line with time, tokens and kind", async () => {
    const chat = startChat({ scripts });
    const lines = await chat.say(question);
    const at = lines.indexOf(`❯ ${question}`);
    expect(lines.slice(at, at + 5)).toEqual([
      `❯ ${question}`,
      expect.stringMatching(/^∴ thought \d+\.\d s · \d+ tokens · summary · \^T$/),
      "",
      "23 × 47 = 1,081",
      "",
    ]);
    expect(await chat.leave()).toBe(0);
  });

  test("R196, P-D3: unfolded it stays, behind a bar", async () => {
    const chat = startChat({ scripts, settings: { think: "full" } });
    const lines = await chat.say(question);
    const at = lines.indexOf(`❯ ${question}`);
    expect(lines.slice(at + 1, at + 6)).toEqual([
      "∴ thinking · summary",
      "┆ Split 47 into 40 and 7: 920 + 161.",
      expect.stringMatching(/^∴ thought \d+\.\d s · ~?\d+ tokens$/),
      "",
      "23 × 47 = 1,081",
    ]);
    expect(await chat.leave()).toBe(0);
  });

  test("keys behind the one that closes the pager go to the editor, the screen is as it was", async () => {
    const chat = startChat({ scripts });
    const before = await chat.say(question);
    chat.type("\u0014");
    await chat.sees("q leaves");
    chat.type("q/level low\rnext");
    const after = await chat.sees(/❯ next\n/);
    expect(after.slice(0, before.length - 2)).toEqual(before.slice(0, -2));
    expect(after).toContain("❯ /level low");
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });

  test("P-D5: blocks in the order they came, one row a call", async () => {
    const chat = startChat({
      scripts: [
        script(
          { text: "markets" },
          [thinks("I look it up."), calls("searchWeb", { query: "markets today" })],
          [thinks("That is enough."), says("Stocks closed mixed.")],
        ),
      ],
    });
    const lines = await chat.say("what's going on in the markets today?");
    const text = lines.join("\n");
    expect(text).toMatch(
      /∴ thought .*\n▸ searchWeb \{"query":"markets today"\} {2,}✓ \d\.\d s · \d+ B\n∴ thought .*\n\nStocks closed mixed\.\n/,
    );
    expect(await chat.leave()).toBe(0);
  });
});
