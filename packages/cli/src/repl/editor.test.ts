import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Editor } from "./editor.ts";
import { createWidths } from "./rows.ts";

const widths = createWidths();

function typed(text: string): Editor {
  const editor = new Editor();
  editor.insert(text);
  return editor;
}

describe("the editor", () => {
  test("a combining mark joins the letter before it, and goes with it", () => {
    const editor = typed("e");
    editor.insert("\u0301");
    expect(editor.text).toBe("e\u0301");
    editor.backspace();
    expect(editor.isEmpty).toBe(true);
  });

  test("Ctrl-K at the end of a line keeps what was cut; between lines it joins them", () => {
    const editor = typed("one\ntwo");
    editor.killToStart();
    expect(editor.text).toBe("one\n");
    editor.killToEnd();
    editor.yank();
    expect(editor.text).toBe("one\ntwo");
    editor.up();
    editor.lineEnd();
    editor.killToEnd();
    expect(editor.text).toBe("onetwo");
    editor.yank();
    expect(editor.text).toBe("onetwotwo");
  });

  test("words, lines, kill and yank", () => {
    const editor = typed("one two\nthree four");
    editor.killWord();
    expect(editor.text).toBe("one two\nthree ");
    editor.lineStart();
    editor.yank();
    expect(editor.text).toBe("one two\nfourthree ");
    editor.up();
    editor.killToEnd();
    expect(editor.text).toBe("one \nfourthree ");
  });

  test("up and down keep the column and stop at the ends", () => {
    const editor = typed("long line\nab\nlong again");
    editor.up();
    expect(editor.before).toBe("long line\nab");
    editor.up();
    expect(editor.before).toBe("lo");
    editor.up();
    expect(editor.before).toBe("lo");
    editor.down();
    expect(editor.before).toBe("long line\nab");
  });

  test("a long paste is one thing: shown as a label, removed by one key, sent whole", () => {
    const editor = typed("see ");
    const text = Array.from({ length: 11 }, (_, line) => `line ${line}`).join("\n");
    editor.paste(text);
    expect(editor.shown).toBe("see [paste 1 · 11 lines]");
    expect(editor.text).toBe(`see ${text}`);
    editor.backspace();
    expect(editor.text).toBe("see ");
  });

  test.each([
    ["lines that end in a newline", "line\n".repeat(300), "[paste 1 · 300 lines]"],
    ["one line of megabytes", "x".repeat(3_000_000), "[paste 1 · 3,000,000 characters]"],
    ["few of them", `${"漢".repeat(30_000)}\nend`, "[paste 1 · 30,004 characters]"],
  ])("a paste of %s has a label of its own", (_name, text, label) => {
    const editor = new Editor();
    editor.paste(text);
    expect(editor.shown).toBe(label);
    expect(editor.text).toBe(text);
  });

  test("F-C3: a text of megabytes that is put back stands as one thing, a page of it as it is", () => {
    const editor = new Editor();
    const page = "a line of a page\n".repeat(60);
    editor.set(page);
    expect(editor.shown).toBe(page);
    const book = page.repeat(300);
    editor.set(book);
    expect(editor.shown).toBe("[paste 1 · 18,000 lines]");
    expect(editor.text).toBe(book);
    editor.backspace();
    expect(editor.isEmpty).toBe(true);
  });

  test("property: whatever is typed and moved, no row is too wide and the cursor is inside", () => {
    const action = fc.constantFrom(
      "left",
      "right",
      "up",
      "down",
      "wordLeft",
      "wordRight",
      "lineStart",
      "lineEnd",
      "backspace",
      "delete",
    ) as fc.Arbitrary<"left">;
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            action.map((name) => ({ name })),
            fc.constant("\n"),
          ),
          { maxLength: 30 },
        ),
        fc.integer({ min: 8, max: 40 }),
        (steps, width) => {
          const editor = new Editor();
          for (const step of steps) {
            if (typeof step === "string") editor.insert(step);
            else editor[step.name]();
          }
          const { rows, cursor } = editor.layout("> ", width, 5, widths);
          expect(rows.length).toBeLessThanOrEqual(5);
          for (const row of rows) expect(widths.of(row)).toBeLessThanOrEqual(width);
          expect(cursor.row).toBeLessThan(rows.length);
          expect(cursor.column).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
