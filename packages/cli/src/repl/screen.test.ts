import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { says, script, thinks } from "@mull/emulator";
import { Screen, type Region } from "./screen.ts";
import { replClock } from "./terminal.ts";
import { startChat } from "./testing/chat.ts";
import { fakeClock } from "./testing/fake-clock.ts";
import { fakeTerminal } from "./testing/fake-terminal.ts";
import { createWidths } from "./rows.ts";

// oxlint-disable-next-line no-control-regex -- wipes of screen or scrollback
const wipes = /\u001b\[[23]J|\u001bc/;

describe("the screen", () => {
  const row = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("", "same", "same again", "· ❯ ∴ signs"),
  );
  const step = fc.record({
    finished: fc.array(row, { maxLength: 6 }),
    live: fc.array(row, { minLength: 1, maxLength: 7 }),
    cursor: fc.nat(6),
  });

  test("property: printed rows stay in order above, the live region is exactly what was asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const fake = fakeTerminal({ columns: 40, rows: 12 });
        const shell = ["$ one", "$ two"];
        fake.terminal.write(shell.map((line) => `${line}\r\n`).join(""));
        let live: Region = { rows: [""], cursor: { row: 0, column: 0 } };
        const screen = new Screen({
          terminal: fake.terminal,
          clock: replClock,
          widths: createWidths(),
          reflow: "breaks",
          view: () => live,
        });
        const printed: string[] = [];
        for (const { finished, live: rows, cursor } of steps) {
          live = { rows, cursor: { row: Math.min(cursor, rows.length - 1), column: 0 } };
          screen.print(finished);
          printed.push(...finished);
          screen.paint();
        }
        const expected = [...shell, ...printed, ...live.rows].map((line) => line.trimEnd());
        const seen = await fake.lines();
        expect(seen).toEqual(expected.slice(0, expected.findLastIndex((line) => line !== "") + 1));
        screen.end();
      }),
      { numRuns: runs(150) },
    );
  });

  test("more rows than fit, the first of them as before, on the last row of the screen: none is lost", async () => {
    const fake = fakeTerminal({ columns: 40, rows: 4 });
    fake.terminal.write("\r\n\r\n\r\n");
    let rows = ["same"];
    const screen = new Screen({
      terminal: fake.terminal,
      clock: replClock,
      widths: createWidths(),
      reflow: "breaks",
      view: () => ({ rows, cursor: { row: 0, column: 0 } }),
    });
    screen.paint();
    rows = ["live"];
    screen.print(["same", "one", "two", "three"]);
    screen.paint();
    expect(await fake.lines()).toEqual(["", "", "", "same", "one", "two", "three", "live"]);
    screen.end();
  });

  test("200 lines in 1,000 pieces: nothing lost, no wipe, bytes at most three times the text", async () => {
    const answer = Array.from(
      { length: 200 },
      (_, index) => `Line ${index + 1} of an answer that is about as long as lines are.`,
    ).join("\n");
    const shell = Array.from({ length: 50 }, (_, index) => `$ command ${index + 1}`);
    const chat = startChat({
      scripts: [script({ text: "long" }, [thinks("Hm. ".repeat(240)), says(answer)])],
      faults: "pace=2",
      before: ({ terminal }) => terminal.write(shell.map((line) => `${line}\r\n`).join("")),
    });
    await chat.sees("? for keys");
    const before = chat.written().length;
    const lines = await chat.say("long");
    const bytes = Buffer.byteLength(chat.written().slice(before));
    expect(lines.slice(0, 50)).toEqual(shell);
    expect(lines.filter((line) => line.startsWith("Line "))).toEqual(answer.split("\n"));
    expect(chat.written()).not.toMatch(wipes);
    expect(bytes).toBeLessThanOrEqual(3 * answer.length);
    expect(await chat.leave()).toBe(0);
  });

  test.each(["key", "stream"] as const)(
    "at most 30 paints a second, however often a %s asks, and the last state is painted",
    (cause) => {
      const fake = fakeTerminal();
      const clock = fakeClock();
      let count = 0;
      const screen = new Screen({
        terminal: fake.terminal,
        clock,
        widths: createWidths(),
        reflow: "breaks",
        view: () => ({ rows: [`row ${count}`], cursor: { row: 0, column: 0 } }),
      });
      screen.paint();
      const before = fake.writes().length;
      for (let ms = 0; ms < 1000; ms++) {
        count++;
        screen.touch(cause);
        clock.pass(1);
      }
      expect(fake.writes().length - before).toBeLessThanOrEqual(30);
      expect(fake.writes().length - before).toBeGreaterThan(10);
      clock.pass(100);
      expect(fake.writes().at(-1)).toContain("1000");
    },
  );

  test("emoji that the terminal shows wider than they count push no row down", async () => {
    const fake = fakeTerminal({ columns: 40, rows: 12 });
    const widths = createWidths();
    const family = "👩‍👩‍👧‍👦".repeat(3);
    await widths.learn(family);
    let rows = [`${family}${"x".repeat(33)}`, "status"];
    const screen = new Screen({
      terminal: fake.terminal,
      clock: replClock,
      widths,
      reflow: "breaks",
      view: () => ({ rows, cursor: { row: 0, column: 0 } }),
    });
    screen.paint();
    expect((await fake.lines()).at(-1)).toBe("status");
    rows = ["next", "status"];
    screen.print([`${family}${"y".repeat(33)}`]);
    screen.paint();
    // What scrolls away is broken by the terminal and stays whole.
    expect(await fake.lines()).toEqual([
      expect.stringMatching(/^👩‍👩‍👧‍👦.*y$/u),
      expect.stringMatching(/^y+$/),
      "next",
      "status",
    ]);
    screen.end();
  });

  test("a resize repaints the live region only", async () => {
    const shell = Array.from({ length: 30 }, (_, index) => `$ command ${index + 1}`);
    const chat = startChat({
      scripts: [script({ text: "hello" }, [says("Hello there.")])],
      before: ({ terminal }) => terminal.write(shell.map((line) => `${line}\r\n`).join("")),
    });
    await chat.say("hello");
    chat.type("a line that is long enough to be broken when the window becomes narrower");
    await chat.sees("narrower");
    for (const [columns, rows] of [
      [50, 24],
      [30, 12],
      [100, 30],
    ] as const) {
      const before = chat.written().length;
      chat.resize(columns, rows);
      // The terminal breaks the rows that became too wide; below that, the region is whole again.
      await chat.sees(/❯ a line that is[^❯]*narrower\n claude-opus-5-5[^\n]*$/);
      expect(Buffer.byteLength(chat.written().slice(before))).toBeLessThan(1200);
    }
    const lines = await chat.lines();
    expect(lines.slice(0, 30)).toEqual(shell);
    expect(lines).toContain("Hello there.");
    expect(chat.written()).not.toMatch(wipes);
    chat.type("\u0003");
    expect(await chat.leave()).toBe(0);
  });

  test("F-C1: nothing a model, a tool or a title says reaches the terminal raw", async () => {
    const evil =
      "\u001b[31mred\u001b]0;title\u0007\u001b]52;c;aGk=\u0007\u001b]8;;http://x\u001b\\\u009b2J\rover\u202Eabc";
    const chat = startChat({
      scripts: [
        script({ text: "evil" }, [thinks(evil), says(`${evil}\n\n\`\`\`\n${evil}\n\`\`\``)]),
      ],
      settings: { think: "full" },
    });
    await chat.say("evil");
    await chat.say("/receipt");
    const written = chat.written();
    // oxlint-disable-next-line no-control-regex -- raw control characters are what must not be there
    expect(written).not.toMatch(/[\u0007\u0080-\u009f\u202e]|\u001b\]|\u001b\[31m/);
    expect(written).toContain("␛[31mred");
    expect(await chat.leave()).toBe(0);
  });

  test("the terminal is left as it was found: no bracketed paste, no raw keys, a free row", async () => {
    const chat = startChat();
    await chat.sees("? for keys");
    expect(await chat.leave()).toBe(0);
    const written = chat.written();
    expect(written.indexOf("\u001b[?2004h")).toBeGreaterThanOrEqual(0);
    expect(written.indexOf("\u001b[?2004l")).toBeGreaterThan(written.indexOf("\u001b[?2004h"));
    expect(chat.isRaw()).toBe(false);
    expect((await chat.cursor()).column).toBe(0);
  });
});
