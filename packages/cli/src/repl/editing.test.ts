import { describe, expect, test } from "vitest";
import { says, script } from "@mull/emulator";
import { startChat } from "./testing/chat.ts";
import { pauseAfterKeys } from "./testing/pause-after-keys.ts";

const echo = [script({}, [says("Read.")], [says("Read.")], [says("Read.")])];
const bodyText = (chat: ReturnType<typeof startChat>): string =>
  JSON.stringify(chat.emulator.journal().at(-1)?.body);

describe("pasting", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);

  test("200 lines become one label and are sent whole, as one message", async () => {
    const chat = startChat({ scripts: echo });
    await chat.sees("? for keys");
    chat.type(`Look: \u001b[200~${lines.join("\r")}\u001b[201~`);
    await chat.sees("❯ Look: [paste 1 · 200 lines]");
    chat.type("\r");
    await chat.sees("Read.");
    expect(chat.emulator.journal()).toHaveLength(1);
    expect(bodyText(chat)).toContain(JSON.stringify(`Look: ${lines.join("\n")}`).slice(1, -1));
    expect(await chat.leave()).toBe(0);
  });

  test("without brackets a burst of lines is one message too", async () => {
    const chat = startChat({ scripts: echo });
    await chat.sees("? for keys");
    chat.type("one\rtwo\rthree");
    await chat.sees("three");
    // The Enter of a person, not of the paste.
    await pauseAfterKeys();
    chat.type("\r");
    await chat.sees("Read.");
    expect(chat.emulator.journal()).toHaveLength(1);
    expect(bodyText(chat)).toContain(String.raw`one\ntwo\nthree`);
    expect(await chat.leave()).toBe(0);
  });

  test("a burst that is a command is carried out", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("/level high\r/level low\r");
    await chat.sees("✓ Thinking: low");
    expect(await chat.leave()).toBe(0);
  });
});

describe("the line editor", () => {
  test("several lines by ^J, ⌥⏎ and a backslash; ↑ brings the whole back", async () => {
    const chat = startChat({ scripts: echo });
    await chat.sees("? for keys");
    for (const keys of ["a", "\n", "b", "\u001b\r", "c\\", "\r", "d"]) {
      chat.type(keys);
      await pauseAfterKeys();
    }
    await chat.sees("❯ a\n  b\n  c\n  d");
    chat.type("\r");
    await chat.sees("Read.");
    expect(bodyText(chat)).toContain(String.raw`a\nb\nc\nd`);
    await chat.sees(/\? for keys$/);
    chat.type("\u001b[A");
    await chat.sees(/❯ a\n {2}b\n {2}c\n {2}d\n.*\? for keys/);
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });

  test("^R finds a line typed before; it is kept for the next chat, readable by the owner alone", async () => {
    const first = startChat({ scripts: echo });
    await first.say("a rare question");
    await first.say("another");
    await first.say("/k set openai hush-hush");
    await first.leave();
    const { readFileSync, statSync } = await import("node:fs");
    const file = `${first.home}/.local/share/mull/history.jsonl`;
    expect(readFileSync(file, "utf8")).toBe('"a rare question"\n"another"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = startChat({ scripts: echo, home: first.home });
    await second.sees("? for keys");
    second.type("\u0012rare");
    await second.sees("search: rare  a rare question");
    second.type("\r");
    await second.sees("❯ a rare question");
    second.type("\u0003");
    await second.leave();
  });

  test("wide characters and joined emoji keep the cursor right", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("日本👩‍👩‍👧x");
    await chat.sees("日本");
    // The table of widths is loaded meanwhile.
    await expect.poll(async () => (await chat.cursor()).column).toBe(2 + 4 + 2 + 1);
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });

  test("Tab completes models behind the provider that is named", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("/model openai-chat:gpt-6-so");
    await chat.sees("  /model openai-chat:gpt-6-sol  OpenAI");
    chat.type("\t");
    await chat.sees("❯ /model openai-chat:gpt-6-sol\n");
    chat.type("\r");
    await chat.sees("✓ Switched to OpenAI gpt-6-sol\n");
    expect(await chat.leave()).toBe(0);
  });

  test("/ lists commands with their help; Tab completes model and level with what it would send", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("/mo");
    await chat.sees("choose a model and level");
    chat.type("\t");
    await chat.sees("❯ /model");
    chat.type("claude-opus-5-5/");
    await chat.sees(/claude-opus-5-5\/none +none → low · sends effort low/);
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });

  test("⇧Tab turns the dial, and the line says what each stop means", async () => {
    const chat = startChat({ level: "max" });
    await chat.sees("· max ·");
    chat.type("\u001b[Z");
    await chat.sees("auto: the model decides how much it thinks");
    chat.type("\u001b[Z");
    await chat.sees("none → low: thinks up to 8,192 tokens (effort low)");
    chat.type("\u001b[Z\u001b[Z\u001b[Z\u001b[Z");
    await chat.sees("high: thinks up to 32,768 tokens (effort high)");
    chat.type("x");
    await chat.sees("· high ·");
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });
});
