import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBlockSplitter, splitBlocks } from "./split-blocks.ts";

const shapes = (text: string): readonly string[] =>
  splitBlocks(text).map(({ kind, language, text: body }) =>
    kind === "code" ? `code:${language}:${body}` : body.trim(),
  );

describe("splitting Markdown into blocks", () => {
  it("cuts at blank lines and fences", () => {
    expect(shapes("one\ntwo\n\nthree\n```ts\na\n\nb\n```\nfour")).toEqual([
      "one\ntwo",
      "three",
      "code:ts:a\n\nb",
      "four",
    ]);
  });

  it("keeps a loose list with what belongs to it together", () => {
    expect(shapes("1. a\n\n   more\n\n2. b\n\nafter\n")).toEqual([
      "1. a\n\n   more\n\n2. b",
      "after",
    ]);
  });

  it("keeps a fence inside a list item there, and one at the margin apart", () => {
    expect(shapes("- a\n  ```\n  x\n  ```\n- b")).toHaveLength(1);
    expect(shapes("1. do\n```sh\nls\n```\n2. then")).toEqual(["1. do", "code:sh:ls", "2. then"]);
  });

  it("closes a fence only by one that is as long and of the same kind", () => {
    expect(shapes("````\n```\n~~~~\n````\nx")).toEqual(["code::```\n~~~~", "x"]);
  });

  it("says what is still open", () => {
    expect(splitBlocks("done\n\nopen").map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(splitBlocks("```js\nlet").at(-1)).toEqual({
      kind: "code",
      language: "js",
      text: "let",
      isOpen: true,
    });
    expect(splitBlocks("```js\nlet\n```").at(-1)?.isOpen).toBe(false);
  });

  it("starts over when the text is another one", () => {
    const splitter = createBlockSplitter();
    splitter.split("one\n\ntwo");
    expect(splitter.split("other").map(({ text }) => text)).toEqual(["other"]);
  });

  it("gives the same blocks however the text arrived", () => {
    const piece = fc.constantFrom(
      "a",
      "\n",
      "\n\n",
      "```",
      "```ts\n",
      "- x",
      "  ",
      "1. ",
      "> q",
      "~~~",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const splitter = createBlockSplitter();
        let text = "";
        for (const each of pieces) {
          text += each;
          splitter.split(text);
        }
        expect(splitter.split(text)).toEqual(splitBlocks(text));
      }),
    );
  });

  it("F-W25 never looks twice at blocks that have ended", () => {
    const splitter = createBlockSplitter();
    const first = splitter.split("one\n\ntwo\n\nthree");
    const second = splitter.split("one\n\ntwo\n\nthree and more");
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
  });
});
