import { Lexer } from "marked";
import { describe, expect, test } from "vitest";
import { calls, omits, redacts, says, script, thinks } from "@mull/emulator";
import { tool, type Tool } from "mull";
import { createLook } from "./look.ts";
import { MarkdownStream } from "./markdown.ts";
import { startChat } from "./testing/chat.ts";
import { createGate } from "./testing/gate.ts";
import { thoughtLine } from "./thinking-view.ts";
import { createWidths } from "./rows.ts";

const markdown = (width = 40): MarkdownStream =>
  new MarkdownStream({
    look: createLook({ NO_COLOR: "1" }),
    widths: createWidths(),
    lexInline: (source) => Lexer.lexInline(source),
    width: () => width,
  });

const render = (text: string, width?: number): readonly string[] => {
  const stream = markdown(width);
  return [...stream.push(text), ...stream.end()];
};

describe("Markdown, line by line", () => {
  test("headings, lists, quotes, code and tables", () => {
    const source =
      "# Title\n\nA **bold** `code` word.\n- one\n  - two\n1. three\n> said\n\n```js\nlet  x;\n```\n\n| a | long |\n|---|---|\n| 1 | 2 |\nend";
    expect(render(source)).toEqual([
      "Title",
      "",
      "A bold code word.",
      "• one",
      "  • two",
      "1. three",
      "┆ said",
      "",
      "```js",
      "let  x;",
      "```",
      "",
      "a  long",
      "─  ────",
      "1  2",
      "end",
    ]);
  });

  test("words wrap under their list item; code is never wrapped", () => {
    expect(render("- a list item that is longer than one row of it", 24)).toEqual([
      "• a list item that is",
      "  longer than one row of",
      "  it",
    ]);
    const long = `let x = ${"1 + ".repeat(20)}1;`;
    expect(render(`\`\`\`\n${long}\n\`\`\``, 24)).toContain(long);
  });

  test("code in a list keeps every sign, however deep it is indented", () => {
    const code = ["     ```python", "     def f(*args, **kwargs): a_b_c = `x`", "     ```"];
    expect(render(`1. Do\n   - this:\n${code.join("\n")}\n   - then *that*`)).toEqual([
      "1. Do",
      "   • this:",
      ...code,
      "   • then that",
    ]);
    expect(render("```one``` is `two`\n*slanted*")).toEqual(["one is two", "slanted"]);
    expect(render("a<br>b &mdash; c")).toEqual(["a b &mdash; c"]);
  });

  test("however the text is cut into pieces, the same rows come out", () => {
    const source = `${"A paragraph with **bold words** and `code` that is long enough to go on. ".repeat(8)}\n\n${"長い文章は here ここで **折り返される** はずです。 ".repeat(8)}\n\n- item **one** two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\ncode\n\`\`\`\nend`;
    const whole = render(source);
    for (const size of [1, 3, 7, 50]) {
      const stream = markdown();
      const rows: string[] = [];
      for (let at = 0; at < source.length; at += size)
        rows.push(...stream.push(source.slice(at, at + size)));
      rows.push(...stream.end());
      expect(rows).toEqual(whole);
    }
  });

  test.each(["word ", "日本語の文。"])(
    "R198: a long paragraph of %j leaves row by row",
    (words) => {
      const stream = markdown();
      let most = 0;
      let rows = 0;
      for (let at = 0; at < 300; at++) {
        rows += stream.push(words).length;
        most = Math.max(most, stream.open(100).length);
      }
      expect(rows).toBeGreaterThan(30);
      expect(most).toBeLessThan(8);
    },
  );

  test("R198: time is linear: a long line and many lines", () => {
    const stream = markdown();
    let rows = 0;
    for (let at = 0; at < 4000; at++) rows += stream.push("some words and ** more ").length;
    rows += stream.end().length;
    expect(rows).toBeGreaterThan(1000);
  });
});

describe("the line about thinking", () => {
  const base = { measuredMs: 12_000, provider: "OpenAI", mode: "peek" as const };
  const seal = {
    origin: { wire: "openai-responses" as const, provider: "openai", model: "gpt-6-sol" },
    data: {},
  };
  test.each([
    [
      {
        ...base,
        part: { text: "Hm.", visibility: "summary" as const },
        usage: { thinking: 1204, thinkingSource: "reported" as const },
      },
      "∴ thought 12 s · 1,204 tokens · summary · ^T",
    ],
    [
      {
        ...base,
        part: { text: "Hm.", visibility: "full" as const },
        usage: { thinking: 1204, thinkingSource: "derived" as const },
      },
      "∴ thought 12 s · 1,204 tokens derived · full · ^T",
    ],
    [
      { ...base, part: { text: "Hmmm", visibility: "full" as const } },
      "∴ thought 12 s · ~1 token · full · ^T",
    ],
    [
      { ...base, part: { text: "", visibility: "hidden" as const, seal }, usage: {} },
      "∴ thought 12 s · tokens not reported · hidden: the service sent none of it",
    ],
    [
      { ...base, provider: "Anthropic", part: { text: "", visibility: "redacted" as const, seal } },
      "∴ thought 12 s · redacted by Anthropic, kept sealed",
    ],
    [
      { ...base, part: { text: "Hm", visibility: "full" as const, cut: true as const } },
      "∴ thinking cut after 12 s · readable, never sent",
    ],
    [{ ...base, part: { text: "", visibility: "hidden" as const }, usage: {} }, undefined],
  ])("%#: %s", (thought, line) => {
    expect(thoughtLine(thought)).toBe(line);
  });

  test("P-D1, R200: withheld thinking says why; redacted says by whom", async () => {
    const chat = startChat({
      scripts: [
        script({ text: "redacted" }, [redacts(), says("One.")]),
        script({ text: "omitted" }, [omits(), says("Two.")]),
      ],
    });
    await chat.say("redacted");
    await chat.sees(/∴ thought \d\.\d s · redacted by Anthropic, kept sealed/);
    await chat.say("omitted");
    await chat.sees(/∴ thought \d\.\d s · .* · hidden: /);
    expect(await chat.leave()).toBe(0);
  });
});

describe("thinking on demand", () => {
  const long = Array.from({ length: 60 }, (_, index) => `Thought number ${index + 1}.`).join("\n");

  test("R197, R198: ^T opens the whole in a pager on the alternate screen, q comes back", async () => {
    const chat = startChat({ scripts: [script({ text: "think" }, [thinks(long), says("Done.")])] });
    await chat.say("think");
    const before = await chat.lines();
    chat.type("\u0014");
    await chat.sees("thinking of answer 1 of claude-opus-5-5");
    expect((await chat.screen()).join("\n")).toContain("Thought number 1.");
    chat.type("G");
    await chat.sees("Thought number 60.");
    chat.type("q");
    await chat.sees("Done.");
    await chat.sees("? for keys");
    expect(await chat.lines()).toEqual(before);
    expect(await chat.leave()).toBe(0);
  });

  test("newcomer task 5: an answer without readable thinking says why, and opens nothing", async () => {
    const chat = startChat({
      model: "claude-sonnet-4-5",
      scripts: [
        script({ text: "redacted" }, [redacts(), says("One.")]),
        script({ text: "omitted" }, [omits(), says("Two.")]),
        script({ text: "off" }, [says("Three.")]),
      ],
    });
    await chat.say("redacted");
    await chat.say("omitted");
    await chat.say("/level none");
    await chat.say("off");
    chat.type("\u0014");
    await chat.sees("No thinking to read in answer 3 of claude-sonnet-4-5: thinking was off.");
    await chat.say("/think 1");
    await chat.sees(
      /in answer 1 of claude-sonnet-4-5: the service redacted it;\s+it is kept sealed/,
    );
    await chat.say("/think 2");
    await chat.sees(/in answer 2 of claude-sonnet-4-5: the service sent none of\s+it\./);
    expect(await chat.leave()).toBe(0);
  });

  test("P-D3: ^T while it comes shows this block in full, and it stays", async () => {
    const chat = startChat({
      scripts: [script({ text: "think" }, [thinks(long), says("Done.")])],
      faults: "pace=15",
    });
    await chat.sees("? for keys");
    chat.type("think\r");
    await chat.sees(/∴ thinking… \d+ s · ~\d+ tokens/);
    chat.type("\u0014");
    await chat.sees("┆ Thought number 1.");
    const text = (await chat.sees("Done.")).join("\n");
    expect(text.match(/┆ Thought number \d+\./g)).toHaveLength(60);
    expect(await chat.leave()).toBe(0);
  });

  test("/think hide shows only the clock and the line", async () => {
    const chat = startChat({
      scripts: [script({ text: "hello" }, [thinks("A secret plan."), says("Done.")])],
      faults: "pace=15",
    });
    await chat.sees("? for keys");
    await chat.say("/think hide");
    await chat.say("hello");
    expect(chat.written()).not.toContain("A secret");
    expect(await chat.leave()).toBe(0);
  });
});

/** Three calls at once: the second ends before the first, the third never does. */
function threeTools(): readonly Tool[] {
  const second = createGate();
  return [
    tool({ name: "first", run: () => second.opened.then(() => "ok") }),
    tool({
      name: "second",
      run: () => {
        second.open();
        return "ok";
      },
    }),
    tool({ name: "third", timeoutMs: 80, run: () => new Promise(() => undefined) }),
  ];
}

describe("tools", () => {
  test("a failed call says why; parallel calls have a row each, in order", async () => {
    const chat = startChat({
      tools: threeTools(),
      scripts: [
        script({ text: "go" }, [calls("first"), calls("second"), calls("third")], [says("Done.")]),
      ],
    });
    const lines = await chat.say("go");
    const rows = lines.filter((line) => line.startsWith("▸"));
    expect(rows).toEqual([
      expect.stringMatching(/^▸ first \{\} +✓ \d\.\d s · 2 B$/),
      expect.stringMatching(/^▸ second \{\} +✓ \d\.\d s · 2 B$/),
      expect.stringMatching(/^▸ third \{\} +✗ \d\.\d s timed out$/),
    ]);
    expect(await chat.leave()).toBe(0);
  });
});

describe("the ledger", () => {
  test("one row an answer, sums, what turning the dial costs", async () => {
    const chat = startChat({ scripts: [script({}, [thinks("Hm."), says("A.")], [says("B.")])] });
    await chat.say("one");
    await chat.say("/model gemini-3.8-flash/high");
    await chat.say("two");
    const text = (await chat.say("/cost")).join("\n");
    expect(text).toMatch(/ # {2}model +level +in +cache +thinking +out +time +cost\n/);
    expect(text).toMatch(
      / 1 {2}claude-opus-5-5 +med .*\$0\.\d{4}\n 2 {2}gemini-3\.8-flash +high .*\$0\.\d{4}\n {20,}\d+/,
    );
    expect(text).toContain("Thinking is billed as output.");
    expect(text).toMatch(
      /Turning the dial now: free on claude-opus-5-5, \$0\.\d\d on\s+gemini-3\.8-flash\./,
    );
    expect(await chat.leave()).toBe(0);
  });
});
