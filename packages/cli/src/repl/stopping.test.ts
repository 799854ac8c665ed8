import { afterEach, describe, expect, test, vi } from "vitest";
import { calls, says, script, stalls, thinks } from "@mull/emulator";
import { tool } from "mull";
import { mull } from "../testing/fake-io.ts";
import { replClock } from "./terminal.ts";
import { startChat, type TestChat } from "./testing/chat.ts";
import { createGate } from "./testing/gate.ts";

afterEach(() => vi.restoreAllMocks());

const ctrlC = "\u0003";
const escape = "\u001b";

/** The next question must be answered: the conversation was left valid. */
async function goesOn(chat: TestChat): Promise<void> {
  await chat.say("and now?");
  await chat.sees("Fine.");
  expect(chat.emulator.journal().at(-1)?.status).toBe(200);
  expect(await chat.leave()).toBe(0);
}

const fine = script({ text: "and now" }, [says("Fine.")]);

describe("F-C3, P-E1: Ctrl-C in every phase leaves a valid conversation", () => {
  test("while waiting for the first byte: the message is back in the editor", async () => {
    const chat = startChat({
      scripts: [fine],
    });
    chat.emulator.fault({ faults: "latency=60000", times: 1 });
    await chat.sees("? for keys");
    chat.type("slow question\r");
    await chat.sees("Esc stops");
    chat.type(ctrlC);
    await chat.sees("■ stopped before the answer began");
    await chat.sees(/❯ slow question\n.*\? for keys/);
    expect(chat.emulator.journal().filter(({ status }) => status === 200)).toEqual([]);
    chat.type(ctrlC);
    await goesOn(chat);
  });

  test("while thinking: the cut block is readable and never sent", async () => {
    const chat = startChat({
      scripts: [
        script({ text: "slow" }, [thinks("A long thought indeed, going on."), stalls(60_000)]),
        fine,
      ],
    });
    await chat.sees("? for keys");
    chat.type("slow\r");
    await chat.sees("∴ thinking…");
    chat.type(ctrlC);
    await chat.sees(/∴ thinking cut after \d+\.\d s · readable, never sent/);
    await chat.sees("■ stopped");
    chat.type("\u0014");
    await chat.sees(/A long thought[^]*thinking of the answer that was cut/);
    chat.type("q");
    await goesOn(chat);
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).not.toContain("A long thought");
  });

  test("while answering, by Esc: what came stays", async () => {
    const chat = startChat({
      scripts: [
        script({ text: "slow" }, [says("The beginning of it and the end of it."), stalls(60_000)]),
        fine,
      ],
    });
    await chat.sees("? for keys");
    chat.type("slow\r");
    await chat.sees("The beginning");
    chat.type(escape);
    await chat.sees("■ stopped");
    expect((await chat.lines()).join("\n")).toContain("The beginning");
    await goesOn(chat);
  });

  test("while a tool runs: its call gets an interrupted result", async () => {
    const chat = startChat({
      tools: [tool({ name: "sleep", run: () => new Promise(() => undefined) })],
      scripts: [script({ text: "slow" }, [thinks("Wait."), calls("sleep")]), fine],
    });
    await chat.sees("? for keys");
    chat.type("slow\r");
    await chat.sees("▸ sleep");
    chat.type(ctrlC);
    await chat.sees(/▸ sleep .*✗ .*interrupted/);
    await chat.sees("■ stopped");
    await goesOn(chat);
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).toContain("interrupted");
  });

  test("idle: clears the line, ↑ brings it back; empty: asks once, then leaves with 0", async () => {
    const chat = startChat({ columns: 40 });
    await chat.sees("· med"); // a narrow status line has no room for "? for keys"
    chat.type("half a thought");
    await chat.sees("❯ half a thought");
    chat.type(ctrlC);
    await chat.losesSight("half a thought");
    chat.type("\u001b[A");
    await chat.sees("❯ half a thought");
    chat.type(ctrlC);
    await chat.losesSight("half a thought");
    chat.type(ctrlC);
    await chat.sees("Ctrl-C again to leave");
    chat.type("x\u007f");
    await chat.losesSight("again to leave");
    chat.type(ctrlC);
    await chat.sees("Ctrl-C again to leave");
    // It holds for as long as it stands there.
    const { now } = replClock;
    vi.spyOn(replClock, "now").mockImplementation(() => now() + 60_000);
    chat.type(ctrlC);
    expect(await chat.code).toBe(0);
    expect(chat.isRaw()).toBe(false);
  });
});

describe("in a very narrow window", () => {
  test("nothing of what was live stays behind", async () => {
    const chat = startChat({
      columns: 22,
      rows: 30,
      scripts: [
        script({ text: "slow" }, [thinks("A long thought indeed, going on."), stalls(60_000)]),
        script({ text: "tool" }, [calls("breaks")], [says("Fine.")]),
      ],
      tools: [
        tool({
          name: "breaks",
          run: () => Promise.reject(new Error("it broke for a reason that is long to tell")),
        }),
      ],
    });
    await chat.sees("❯");
    chat.type("slow\r");
    await chat.sees("┆ A long thought");
    chat.type(ctrlC);
    const lines = await chat.sees(/■ stopped\n❯\n claude/);
    expect(lines.filter((line) => line.startsWith("∴ thinking…"))).toEqual([]);
    chat.type("tool\r");
    const all = await chat.sees(/Fine\.\n\n❯\n claude/);
    expect(all.filter((line) => line.startsWith(" claude"))).toHaveLength(1);
    expect(await chat.leave()).toBe(0);
  });
});

describe("typing during a turn", () => {
  test("⏎ queues, Esc takes it back, what is queued is sent afterwards", async () => {
    const gate = createGate();
    const chat = startChat({
      tools: [tool({ name: "wait", run: () => gate.opened.then(() => "done") })],
      scripts: [
        script({ text: "first" }, [calls("wait")], [says("One.")]),
        script({ text: "second" }, [says("Two.")]),
      ],
    });
    await chat.sees("? for keys");
    chat.type("first\r");
    await chat.sees("▸ wait");
    chat.type("second\r");
    await chat.sees("▸ queued: second");
    chat.type(escape);
    await chat.losesSight("queued");
    await chat.sees(/❯ second\n.*Esc stops/);
    chat.type("\r");
    await chat.sees("▸ queued: second");
    gate.open();
    await chat.sees("Two.");
    const text = (await chat.lines()).join("\n");
    expect(text.indexOf("One.")).toBeLessThan(text.indexOf("❯ second"));
    expect(text.indexOf("❯ second")).toBeLessThan(text.indexOf("Two."));
    expect(await chat.leave()).toBe(0);
  });

  test("commands that change the conversation wait; those that look do not", async () => {
    const chat = startChat({
      tools: [tool({ name: "wait", run: () => new Promise(() => undefined) })],
      scripts: [script({ text: "first" }, [calls("wait")])],
    });
    await chat.sees("? for keys");
    chat.type("first\r");
    await chat.sees("▸ wait");
    chat.type("/new\r");
    await chat.sees("✗ /new waits for the end of this answer: Esc stops it.");
    chat.type("/cost\r");
    await chat.sees("❯ /cost");
    chat.type(escape);
    await chat.sees("■ stopped");
    expect(await chat.leave()).toBe(0);
  });
});

describe("what a stopped answer took", () => {
  const long = "A long thought indeed, going on and on. ".repeat(10);

  test("is in /cost, /receipt and the file as at least so much", async () => {
    const chat = startChat({
      model: "gpt-6-sol",
      columns: 100,
      rows: 40,
      scripts: [script({ text: "slow" }, [thinks(long), says("Begun"), stalls(60_000)]), fine],
    });
    await chat.sees("? for keys");
    await chat.say("and now?");
    chat.type("slow\r");
    await chat.sees("Begun");
    chat.type(escape);
    await chat.sees("■ stopped");
    await chat.say("/cost");
    await chat.sees(/ 2 {2}gpt-6-sol .*~\d[^\n]* est\n +stopped · at least ~\$0\.\d{4}\n/);
    await chat.sees("The sum may be higher.");
    await chat.say("/receipt");
    await chat.sees(/receipt · answer 2 · stopped · gpt-6-sol/);
    await chat.sees(/tokens +in ~\d.*\n.*cost +stopped · at least ~\$0\.\d{4}/);
    expect(await chat.leave()).toBe(0);
    const again = startChat({ home: chat.home, resume: "", model: "gpt-6-sol", columns: 100 });
    await again.sees("? for keys");
    await again.say("/cost");
    await again.sees(/stopped · at least ~\$0\.\d{4}/);
    expect(await again.leave()).toBe(0);
    const { out } = await mull(["cost"], { home: chat.home });
    expect(out).toMatch(/1 of 2 turns stopped or broke off · at least ~\$0\.\d{4}\n/);
  });
});

describe("two models in one turn", () => {
  test("each has its own row, and /model says who still answers", async () => {
    const gate = createGate();
    const chat = startChat({
      model: "gpt-6-sol",
      columns: 100,
      rows: 40,
      tools: [tool({ name: "wait", run: () => gate.opened.then(() => "done") })],
      scripts: [script({ text: "first" }, [thinks("Hm."), calls("wait")], [says("One.")])],
    });
    await chat.sees("? for keys");
    chat.type("first\r");
    await chat.sees("▸ wait");
    chat.type("/model claude-haiku-4-5\r");
    await chat.sees("From the next step of this turn");
    gate.open();
    await chat.sees("One.");
    await chat.say("/cost");
    await chat.sees(/ 1 {2}gpt-6-sol .*\$0\.\d{4}\n {4}claude-haiku-4-5 .*\$0\.\d{4}\n/);
    await chat.say("/receipt");
    await chat.sees(/each +gpt-6-sol · in .*\$0\.\d{4}\n +claude-haiku-4-5 · in .*\$0\.\d{4}\n/);
    expect(await chat.leave()).toBe(0);
    const { out } = await mull(["cost", "--json"], { home: chat.home });
    const { models, total } = JSON.parse(out);
    expect(models).toMatchObject([
      { model: "gpt-6-sol", turns: 1, cut: 0, unpriced: 0 },
      { model: "claude-haiku-4-5", turns: 1 },
    ]);
    expect(total.turns).toBe(1);
    expect(total.cost.total).toBeCloseTo(models[0].cost.total + models[1].cost.total, 12);
  });

  test("a switch while a step is under way names who finishes it", async () => {
    const chat = startChat({
      model: "gpt-6-sol",
      scripts: [script({ text: "slow" }, [says("Begun"), stalls(60_000)])],
    });
    await chat.sees("? for keys");
    chat.type("slow\r");
    await chat.sees("Begun");
    chat.type("/model claude-haiku-4-5\r");
    await chat.sees("gpt-6-sol is finishing this step, then claude-haiku-4-5.");
    chat.type(escape);
    await chat.sees("■ stopped");
    expect(await chat.leave()).toBe(0);
  });
});
