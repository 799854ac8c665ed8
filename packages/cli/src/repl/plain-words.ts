/** Marks of Markdown that say nothing in a preview, and what stands for them there. In this order. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1`*~*\s*$|$(?![^]))/gm, "…"],
  [/^\s*\|.*$/gm, ""],
  [/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/gm, ""],
  [/^\s*(?:#{1,6}|>+|[-*+]|\d{1,9}[.)])\s+/gm, ""],
  [/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1"],
  [/\*\*|__|~~|`/g, ""],
  [/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1"],
];

/** The words of a Markdown text for one line: no marks, no tables, no code. */
export const plainWords = (markdown: string): string =>
  marks
    .reduce((text, [mark, by]) => text.replaceAll(mark, by), markdown)
    .replaceAll(/\s+/g, " ")
    .trim();
