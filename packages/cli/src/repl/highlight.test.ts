import { Lexer } from "marked";
import { expect, test } from "vitest";
import { createHighlighter } from "./highlight.ts";
import { createLook } from "./look.ts";
import { MarkdownStream } from "./markdown.ts";
import { createWidths } from "./rows.ts";

const draw = (text: string, env: Readonly<Record<string, string>> = {}): readonly string[] => {
  const findPainter = createHighlighter();
  const stream = new MarkdownStream({
    look: createLook(env),
    widths: createWidths(),
    lexInline: (source) => Lexer.lexInline(source),
    findPainter: () => findPainter,
    width: () => 80,
  });
  return [...stream.push(text), ...stream.end()];
};

const [magenta, green, dim, yellow] = ["\u001b[35m", "\u001b[32m", "\u001b[2m", "\u001b[33m"];

test("code in 16 colours, line by line as it comes", () => {
  const [, first, second] = draw('```ts\nconst a = "b"; // why\nreturn 42;\n```\n');
  expect(first).toContain(`${magenta}const`);
  expect(first).toContain(`${green}"b"`);
  expect(first).toContain(`${dim}// why`);
  expect(second).toContain(`${yellow}42`);
  // oxlint-disable-next-line no-control-regex -- none of the 256 colours or more
  expect(`${first}${second}`).not.toMatch(/\u001b\[[34]8;/);
});

test("a comment over several lines keeps its colour, and what follows has its own", () => {
  const rows = draw('```python\n"""one\ntwo is not in it\n"""\nif True: pass\n```\n');
  expect(rows[2]).toBe(`${green}two is not in it\u001b[39m`);
  expect(rows[4]).toContain(`${magenta}if`);
});

test("NO_COLOR, unknown languages and fences without one: the code as it came", () => {
  const code = "if (a < b && c) return `x`;\t// 1";
  expect(draw(`\`\`\`js\n${code}\n\`\`\`\n`, { NO_COLOR: "1" })[1]).toBe(code);
  for (const word of ["", "klingon", "text"])
    expect(draw(`\`\`\`${word}\n${code}\n\`\`\`\n`)[1]).toBe(code);
});

test("colours never change the text, whatever the language", () => {
  const lines = [
    '<a href="x">&amp;</a>',
    "{ \"k\": [1, 'x'] } # c",
    "/* open",
    "still `open",
    "*/ f(x)=>y",
  ];
  for (const word of [
    "xml",
    "json",
    "ts",
    "py",
    "sh",
    "yml",
    "css",
    "sql",
    "rust",
    "diff",
    "c++",
  ]) {
    const rows = draw(`\`\`\`${word}\n${lines.join("\n")}\n\`\`\`\n`);
    // oxlint-disable-next-line no-control-regex -- the colours
    const bare = rows.slice(1, -1).map((row) => row.replaceAll(/\u001b\[\d+m/g, ""));
    expect(bare).toEqual(lines);
  }
});

test("a comment that never ends stays cheap: each line is read with a bounded part of those above", () => {
  const paint = createHighlighter()("c")!;
  let before = "";
  for (let line = 0; line < 400; line++) {
    before = paint(`${line === 0 ? "/*" : ""} ${"word ".repeat(20)}`, before).before;
    expect(before.length).toBeLessThan(4200);
  }
});
