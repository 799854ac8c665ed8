import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { says, script } from "@mull/emulator";
import { describe, expect, test } from "vitest";
import { emptyHome } from "../testing/fake-io.ts";
import { startChat } from "./testing/chat.ts";

const [up, down, escape, clear] = ["\u001b[A", "\u001b[B", "\u001b", "\u0003"];

describe("lists to choose from", () => {
  test("/model: type to search, arrows, Enter; then the level with what it means there", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("/model\r");
    await chat.sees(/^Model .*type to search\n {2}In this conversation\n❯ claude-opus-5-5/m);
    const title = "Model ($ in/out per million tokens)  ";
    expect(await chat.cursor()).toEqual({ row: 0, column: title.length });
    chat.type("sol open");
    await chat.sees(/sol open\n❯ gpt-6-sol +\S.*\$\d/);
    expect(await chat.cursor()).toEqual({ row: 0, column: title.length + 8 });
    chat.type("\r");
    await chat.sees(/^Level of gpt-6-sol[^]*❯ med +thinks at effort medium$/m);
    await chat.sees("none  answers without thinking");
    chat.type(`${down}\r`);
    await chat.sees("✓ Switched to OpenAI gpt-6-sol");
    await chat.sees("· high ·");
    // The list had a screen of its own: nothing of it is left.
    expect((await chat.lines()).join("\n")).not.toContain("type to search");
    expect(await chat.leave()).toBe(0);
  });

  test("Esc changes nothing; a name that is in no list is asked for as typed", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type("/model\r");
    await chat.sees("type to search");
    chat.type(escape);
    await chat.sees(/❯ \/model\n❯\n.* claude-opus-5-5 .* · med ·/);
    chat.type("/model\r");
    await chat.sees("type to search");
    chat.type("claude-new-9");
    await chat.sees("Nothing found. ⏎ asks for a model of this name.");
    chat.type("\r");
    await chat.sees(/^Level of claude-new-9/m);
    chat.type("\r");
    await chat.sees("✓ Switched to Anthropic claude-new-9");
    expect(await chat.leave()).toBe(0);
  });

  test("a model without a key is dim, says so, and choosing it says how to set one", async () => {
    const chat = startChat({ isKeyed: true, env: { ANTHROPIC_API_KEY: "k" } });
    await chat.sees("? for keys");
    chat.type("/model\r");
    await chat.sees("type to search");
    chat.type("gpt-6-sol");
    await chat.sees(/❯ gpt-6-sol +no key · /);
    chat.type("\r");
    await chat.sees(/^Level of gpt-6-sol/m);
    chat.type("\r");
    await chat.sees("fix   /keys set openai");
    expect(await chat.leave()).toBe(0);
  });

  test("/level starts on the level in use, and wraps at both ends", async () => {
    const chat = startChat({ level: "max" });
    await chat.sees("? for keys");
    chat.type("/level\r");
    await chat.sees("❯ max");
    chat.type(down);
    await chat.sees("❯ auto");
    chat.type(up);
    await chat.sees("❯ max");
    chat.type("low");
    await chat.sees(/❯ low .*\n {2}none +→ low|❯ low/);
    chat.type("\r");
    await chat.sees("✓ Thinking: low");
    expect(await chat.leave()).toBe(0);
  });

  test("/resume lists the other conversations by their question, and shows the end of the chosen one", async () => {
    const scripts = [
      script({ text: "pancakes" }, [says("Mix **flour** and milk.\n\n1. Stir\n2. Fry")]),
      script({ text: "tides" }, [says("The moon.")]),
    ];
    const one = startChat({ scripts });
    await one.say("How do I make pancakes?");
    expect(await one.leave()).toBe(0);
    const two = startChat({ scripts, home: one.home });
    await two.say("Why are there tides?");
    two.type("/resume\r");
    await two.sees(/^Resume .*\n❯ How do I make pancakes\? +\d{4}-\d\d-\d\d .* · 1 answer · /m);
    expect((await two.screen()).join("\n")).not.toContain("tides");
    two.type("flour");
    await two.sees("Nothing found.");
    two.type("\u0015pancake\r");
    await two.sees(/❯ How do I make pancakes\?\nMix flour and milk\.\n\n1\. Stir\n2\. Fry\n\n❯\n/);
    expect(await two.leave()).toBe(0);
  });

  test("/resume counts the answers that stand, not those that were taken back", async () => {
    const scripts = [script({}, [says("One.")], [says("Two.")], [says("Three.")])];
    const one = startChat({ scripts });
    await one.say("first");
    await one.say("/retry");
    await one.say("second");
    expect(await one.leave()).toBe(0);
    const two = startChat({ home: one.home });
    await two.sees("? for keys");
    two.type("/resume\r");
    await two.sees(/❯ first +\S+ \S+ · 2 answers · /);
    two.type(clear);
    expect(await two.leave()).toBe(0);
  });

  test("where whole lines are read there are lists to read instead", async () => {
    const chat = startChat({ settings: { plain: true } });
    await chat.sees("you:");
    chat.type("/model\n");
    await chat.sees("/model NAME/LEVEL switches.");
    chat.type("/level\n");
    await chat.sees("▸ med");
    chat.type("/exit\n");
    expect(await chat.code).toBe(0);
  });

  test("a long answer is shown from its end, and how much is above", async () => {
    const lines = Array.from({ length: 70 }, (_, index) => `- item ${index + 1}`).join("\n");
    const scripts = [script({ text: "many" }, [says(lines)])];
    const one = startChat({ scripts });
    await one.say("many");
    expect(await one.leave()).toBe(0);
    const two = startChat({ scripts, home: one.home, resume: "" });
    const text = (await two.sees("• item 70")).join("\n");
    expect(text).toContain("❯ many\n… 30 rows above\n• item 31\n");
    expect(await two.leave()).toBe(0);
  });
});

describe("@file", () => {
  const home = emptyHome();
  mkdirSync(join(home, "notes", "deep"), { recursive: true });
  writeFileSync(join(home, "notes", "plan.md"), "Buy seven apples.");
  writeFileSync(join(home, "notes", "deep", "budget-2026.csv"), "a,b");
  writeFileSync(join(home, "my file.txt"), "With a space.");

  test("completes folder by folder; the file goes with the question, and its name stays in it", async () => {
    const chat = startChat({ home, scripts: [script({}, [says("Seven.")])] });
    await chat.sees("? for keys");
    chat.type("How many apples? See @no");
    await chat.sees("  notes/");
    chat.type("\t");
    await chat.sees(/@notes\/\n[^]*notes\/plan\.md/);
    chat.type("p\t");
    await chat.sees("@notes/plan.md");
    chat.type("\r");
    await chat.sees("▸ plan.md · 17 B goes with this question");
    await chat.sees("Seven.");
    const body = JSON.stringify(chat.emulator.journal().at(-1)?.body);
    expect(body).toContain("Buy seven apples.");
    expect(body).toContain("See @notes/plan.md");
    expect(await chat.leave()).toBe(0);
  });

  test("a word finds files below; arrows choose, Enter takes, and does not send yet", async () => {
    const chat = startChat({ home, scripts: [script({}, [says("Read.")])] });
    await chat.sees("? for keys");
    chat.type("@budget");
    await chat.sees("notes/deep/budget-2026.csv");
    chat.type(down);
    await chat.sees("❯ @notes/deep/budget-2026.csv");
    chat.type("\r");
    await chat.losesSight("  notes/deep");
    chat.type("please\r");
    await chat.sees("Read.");
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).toContain(
      "@notes/deep/budget-2026.csv please",
    );
    expect(await chat.leave()).toBe(0);
  });

  test("a name with a space is quoted; an address and a missing file are only words", async () => {
    const chat = startChat({ home, scripts: [script({}, [says("One.")], [says("Two.")])] });
    await chat.sees("? for keys");
    chat.type("@my\t");
    await chat.sees('❯ @"my file.txt"');
    chat.type("\r");
    await chat.sees("One.");
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).toContain("With a space.");
    chat.type("Mail me@plan.md about @types/node, @nothing.md, @notes (@notes/plan.md).\r");
    // The turn is over: Ctrl-D would only delete a character of a question that is given back.
    await chat.sees(/Two\.[^]*\? for keys\s*$/);
    const text = (await chat.lines()).join("\n");
    expect(text.match(/goes with this question/g)).toHaveLength(2);
    expect(text.match(/⚠ .*/g)).toEqual([
      "⚠ There is no file nothing.md; it was sent as a word.",
      "⚠ notes was not sent: it is a folder; name a file in it.",
    ]);
    expect(await chat.leave()).toBe(0);
  });
});
