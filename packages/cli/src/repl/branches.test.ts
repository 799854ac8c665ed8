import { describe, expect, test } from "vitest";
import { says, script, thinks } from "@mull/emulator";
import { mull } from "../testing/fake-io.ts";
import { startChat } from "./testing/chat.ts";

const scripts = [
  script({ text: "first" }, [thinks("A sealed thought."), says("One.")], [says("One again.")]),
  script({ text: "second" }, [says("Two.")]),
];

/** The last line of the ledger that has dollars: the sum. */
const sumIn = (lines: readonly string[]): string | undefined =>
  lines.findLast((line) => /^ {5,}.*\$\d/.test(line) && !line.includes("simulated"));

describe("answers that were taken back", () => {
  test("what was asked for again stays in the ledger, the status and the file", async () => {
    const chat = startChat({ scripts });
    await chat.say("first");
    await chat.say("/retry");
    await chat.sees("One again.");
    const ledger = await chat.say("/cost");
    expect(ledger.join("\n")).toMatch(/ 1 {2}claude-opus-5-5 [^]*\n +1 taken back .*\$0\.\d{4}\n/);
    const sum = /\$[\d.]+$/.exec(sumIn(ledger) ?? "")?.[0];
    expect(ledger.at(-1)).toContain(` · ${sum} `);
    expect(await chat.leave()).toBe(0);
    const again = startChat({ scripts, home: chat.home, resume: "" });
    await again.sees("1 question so far");
    expect(sumIn(await again.say("/cost"))).toBe(sumIn(ledger));
    expect(await again.leave()).toBe(0);
    const { out } = await mull(["cost"], { home: chat.home });
    expect(out).toMatch(new RegExp(`all +2 .*\\${sum}\n`));
  });

  test("/edit of the only question leaves what its answer cost", async () => {
    const chat = startChat({ scripts });
    await chat.say("first");
    chat.type("/edit\r");
    await chat.sees(/❯ first\n.*\? for keys/);
    chat.type("\r");
    await chat.sees("One again.");
    const ledger = await chat.say("/cost");
    expect(ledger.join("\n")).toMatch(/ +1 taken back .*\$0\.\d{4}\n/);
    expect(await chat.leave()).toBe(0);
  });
});

describe("a question that is being edited", () => {
  test("F-C3: until it is sent nothing changes, and Ctrl-C leaves it as it was asked", async () => {
    const chat = startChat({ scripts });
    await chat.say("first");
    chat.type("/edit\r");
    await chat.sees(/before you send it\.\n❯ first\n.*\? for keys/);
    chat.type("\u0003");
    await chat.sees(/❯\n.*\? for keys/);
    await chat.say("second");
    const sent = JSON.stringify(chat.emulator.journal().at(-1)?.body);
    expect(sent).toMatch(/first[^]*One\.[^]*second/);
    expect((await chat.say("/cost")).join("\n")).not.toContain("taken back");
    expect(await chat.leave()).toBe(0);
  });

  test("a command between, as another level, does not end it; another conversation does", async () => {
    const chat = startChat({ scripts });
    await chat.say("first");
    chat.type("/edit\r");
    await chat.sees(/before you send it\.\n❯ first\n.*\? for keys/);
    chat.type("/level high\r");
    await chat.sees(/Thinking: .*high[^❯]*❯ first\n.*\? for keys/);
    chat.type("\r");
    await chat.sees("One again.");
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).not.toContain("One.");
    await chat.say("second");
    chat.type("/edit 1\r");
    await chat.sees(/❯ \/edit 1\n[^❯]*❯ first\n.*\? for keys/);
    chat.type("/fork 2\r");
    await chat.sees(/Forked after answer 2[^❯]*❯ first\n.*\? for keys/);
    chat.type("\r");
    await chat.sees('You said: "first"');
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).toContain("Two.");
    expect(await chat.leave()).toBe(0);
  });
});

describe("a fork that is taken up again", () => {
  test("it has its answers and receipts, and nothing is paid for twice", async () => {
    const chat = startChat({ scripts });
    await chat.say("first");
    await chat.say("second");
    const before = await mull(["cost"], { home: chat.home });
    await chat.say("/fork 1");
    await chat.sees("✓ Forked after answer 1");
    expect(await chat.leave()).toBe(0);
    const [, name] = /^mull -r (\S+)$/.exec((await chat.lines()).at(-1) ?? "") ?? [];
    const fork = startChat({ scripts, home: chat.home, resume: name ?? "" });
    await fork.sees("1 question so far");
    await fork.say("/receipt");
    await fork.sees("receipt · answer 1 · claude-opus-5-5");
    await fork.say("/receipt 2");
    await fork.sees('✗ There is no answer "2". Answers: 1 to 1.');
    expect((await mull(["conversations"], { home: chat.home })).out.match(/first/g)).toHaveLength(
      2,
    );
    expect(await fork.leave()).toBe(0);
    expect((await mull(["cost"], { home: chat.home })).out).toBe(before.out);
  });
});
