import type { Token, Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { highlight, type CodeSpan } from "./highlight.ts";
import { decodeEntities, directionOf, placeOf, revealUnseen, safeAddress } from "./inline-text.ts";
import { lexProse } from "./lex-prose.ts";
import { splitBlocks } from "./split-blocks.ts";

describe("reading prose", () => {
  it("reads what people write", () => {
    expect(lexProse("a **b**\n\n- c")?.map(({ type }) => type)).toEqual([
      "paragraph",
      "space",
      "list",
    ]);
  });

  it("reads a long table but no long paragraph", () => {
    const table = `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(1500)}`;
    expect(lexProse(table)?.[0]?.type).toBe("table");
    expect(lexProse("word ".repeat(2000))).toBeUndefined();
  });

  it.each([
    ["quotes", ">".repeat(10_000)],
    ["lists on one line", `${"- ".repeat(10_000)}a`],
    ["lists by indent", Array.from({ length: 300 }, (_, n) => `${"  ".repeat(n)}- a`).join("\n")],
    ["emphasis", "*a".repeat(20_000)],
    ["brackets", "[".repeat(50_000)],
    ["a line of a megabyte", "x".repeat(1_000_000)],
  ])("F-W25 shows endless or deep text as it came: %s", (_, text) => {
    const read = splitBlocks(text).map((block) => lexProse(block.text));
    expect(read.every((tokens) => tokens === undefined)).toBe(true);
  });

  it("F-W25 cuts a long list, so that every piece of it is read", () => {
    const list = Array.from({ length: 5000 }, (_, n) => `- item ${n}`).join("\n");
    const blocks = splitBlocks(list);
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.every((block) => lexProse(block.text) !== undefined)).toBe(true);
    expect(blocks.map(({ text }) => text).join("")).toBe(list);
  });
});

/** The formulas of a text, wherever they stand. */
const formulas = (text: string): readonly string[] => {
  const found: string[] = [];
  const look = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type.startsWith("maths")) found.push((token as Tokens.Generic)["text"]);
      look("tokens" in token && token.tokens !== undefined ? token.tokens : []);
      if (token.type === "list") (token as Tokens.List).items.forEach((item) => look([item]));
    }
  };
  look(lexProse(text) ?? []);
  return found;
};

describe("formulas", () => {
  it.each([
    ["in a line", "so \\(a_1 * b_1 * \\{c\\}\\) holds", "\\(a_1 * b_1 * \\{c\\}\\)"],
    ["in brackets", "that is \\[x^*\\], or", "\\[x^*\\]"],
    ["between dollars", "with $x^*, y^*$ and", "$x^*, y^*$"],
    ["of its own lines", "Here:\n\\[\na\n+ b\n- c\n\\]\nthere", "\\[\na\n+ b\n- c\n\\]"],
    ["between pairs of dollars", "$$\n\\begin{x}\n1 \\\\ 2\n\\end{x}\n$$", undefined],
    ["in a list", "1. so\n   \\[ a \\]\n2. b", "\\[ a \\]"],
  ])("F-W25 stay as they were written: %s", (_, text, formula) => {
    expect(formulas(text)).toEqual([formula ?? text]);
  });

  it.each([
    "It costs $5 to $10, or A$7.",
    "from $5-$7",
    "$HOME/$USER and `$x$`",
    "$x or `y$`",
    "\\(\\) and \\[ \\] and \\( alone",
    "`\\(x\\)`",
    "[a](https://a.example)",
  ])("F-W25 are not seen where there are none: %s", (text) => {
    expect(formulas(text)).toEqual([]);
  });
});

describe("inline text", () => {
  it("decodes characters, and nothing else", () => {
    expect(decodeEntities("a &amp; b &lt;i&gt; &#39; &#x41; &nosuch; &")).toBe(
      "a & b <i> ' A &nosuch; &",
    );
    expect(decodeEntities("&#0; &#x110000;")).toBe("\uFFFD \uFFFD");
  });

  it.each([
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example",
    "/api/account/sign-out",
    "https://",
    "blob:https://a/b",
  ])("F-W5 makes no link of %j", (href) => {
    expect(safeAddress(href)).toBeUndefined();
  });

  it.each([
    ["ltr", "- item اول"],
    ["rtl", "- 1. «العنصر» item"],
    ["rtl", "| א | b |"],
    ["ltr", "- 12"],
  ])("F-W13 begins %s: %s", (direction, text) => {
    expect(directionOf(text)).toBe(direction);
  });

  it("links to the web and to mail", () => {
    expect(safeAddress("https://example.com/a?b#c")?.host).toBe("example.com");
    expect(safeAddress("mailto:a@example.com")?.protocol).toBe("mailto:");
  });
});

describe("colouring code", () => {
  const plain = (spans: readonly CodeSpan[]): string =>
    spans.map((span) => (typeof span === "string" ? span : plain(span.children))).join("");

  it.each([
    ["ts", "const answer: number = 42; // why\nconsole.log(`it is ${answer + 1}`);\n"],
    ["html", '<p class="a">x<script>let y = "</p>";</script></p>'],
    ["python", 'def f(x: int) -> str:\n    return f"{x}"\n'],
    ["diff", "-old\n+new\n"],
  ])("loses no character of %s", (language, code) => {
    const spans = highlight(code, language);
    expect(plain(spans ?? [])).toBe(code);
    expect(spans?.some((span) => typeof span !== "string")).toBe(true);
  });

  it("leaves languages it does not know alone", () => {
    expect(highlight("x", "no-such-language")).toBeUndefined();
  });
});

const place = (href: string, shown: string): string | undefined => placeOf(new URL(href), shown);

describe("what would mislead a reader", () => {
  it("a link names its host unless its text is exactly that", () => {
    const shown = "https://bank.example/login?ref=evil.example";
    expect(place("https://evil.example/steal", shown)).toBe("evil.example");
    expect(place("https://bank.example@evil.example/", "bank.example")).toBe("evil.example");
    expect(place("https://evil.example/", "evil.example")).toBeUndefined();
    expect(place("mailto:eve@evil.example", "help@bank.example")).toBe("eve@evil.example");
  });

  it("characters that nobody sees have their number", () => {
    expect(revealUnseen("user\u202Etxt.exe")).toBe("user⟨U+202E⟩txt.exe");
    expect(revealUnseen("pay\u200Bpal a\u200Db \u{E0041}")).toBe(
      "pay⟨U+200B⟩pal a⟨U+200D⟩b ⟨U+E0041⟩",
    );
  });

  it.each(["👨\u200D👩\u200D👧", "می\u200Cخواهم", "🏴\u{E0067}\u{E0062}\u{E007F}", "שלום\u200F!"])(
    "scripts and emoji keep what they need: %s",
    (text) => expect(revealUnseen(text)).toBe(text),
  );

  it("is found the same in a text that grows", () => {
    const text = "a\u200Db\u202Ec 👨\u200D👩 می\u200Cخ";
    for (let end = 0; end <= text.length; end++) {
      const part = text.slice(0, end);
      if (/[\uD800-\uDBFF]$/.test(part)) continue;
      expect(revealUnseen(text).startsWith(revealUnseen(part))).toBe(true);
    }
  });
});
