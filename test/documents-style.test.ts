import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../scripts/docs-sources.ts";

/** What docs/contributing/style.md asks for, as far as a pattern can tell, and what to write instead. */
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwho(?:m)?ever\b/gi, "if you …"],
  [/\b(?:for|to|by|than|with|from|of) who(?= (?:\w+s|may|can|will|must)\b)/g, "to a model that …"],
  [/(?:^|[.:;!] )Who (?!are\b)[^?.]*\./gm, "if you …"],
  [
    /(?<!\bthere )\b(?:is|are|was) no (?!(?:longer|more|such|other|better|worse|different)\b)[a-z]+/gi,
    "is not a …",
  ],
  [/\bmend(?:s|ed|ing)?\b/gi, "repair"],
  [
    /(?:^|[.!?] |\| |- )Of (?!course\b)[^.]*\b(?:is|are|has|have|keeps|shows)\b/gm,
    "the subject first",
  ],
  [/\bHad (?:it|they|the \w+|a \w+) /g, "if … had"],
  [/\bsave for\b/g, "except for"],
  [/\b(?:stand|stands|standing|stood) (?:behind|in front of|beside)\b/g, "after, before, next to"],
  [/\bnobody's\b/gi, "none"],
  [/\bwhat had come\b/gi, "what arrived"],
  [/(?:^|[.;!] )Where (?!you\b)[^.?,:\n]{3,80}, [a-z]/gm, "if …, …"],
  [/\b(?:a|one) (?:row|line|object) an? [a-z]+/g, "one … for each …"],
  [/\ball the same\b/gi, "anyway"],
  [/\bkeeps one\b|\bsays more\b/g, "the goal first: To store one: …"],
  [/\bcarr(?:y|ies|ied) (?:it|them|an? [a-z]+) on\b/g, "continue"],
  [/\bto whom\b/gi, "to the … that"],
  [/\bexcludes? each other\b/g, "can't be used together"],
  [/\b(?:undefined|absent|empty|nothing|none) where (?!the cursor\b)/gi, "if"],
  [/\bwhere (?:there (?:is|are|was|were) (?:no|none)|none (?:is|was)|it has none)\b/g, "if"],
  [/\bgo(?:es)? on (?:with|from)\b/g, "continue"],
  [/\b(?:took|takes|take) the place of\b/g, "replace"],
  [/\bmust be a text\b|"a text"/g, "a string"],
  [/\bis there, this is\b/g, "is available, you have"],
];

const findIn = (path: string, text: string): readonly string[] =>
  patterns.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(
      ([found]) => `${path}: "${found.trim()}"; write something like: ${instead}`,
    ),
  );

const listMarkdown = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(folder, name));

/** Without the specification, whose words are fixed, and without the page that names words to avoid. */
const documents: readonly string[] = [
  ...readdirSync(".").filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md"),
  ...["docs", "examples", "test"].flatMap(listMarkdown),
  ...readdirSync("packages").map((name) => `packages/${name}/README.md`),
].filter((path) => existsSync(path) && !/docs\/spec\/|contributing\/style\.md/.test(path));

const proseOf = (markdown: string): string =>
  markdown.replace(/^```[^]*?^```/gm, "").replace(/``[^]*?``|`[^`\n]*`/g, "code");

/** Texts of at least three words, and those between tags of the page. Comments are for people who change the code. */
const textsOf = (source: string): string =>
  [
    ...source
      .replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
      .matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|>\s*([A-Z][^<>{}]*)</g),
  ]
    .map(([, plain, template, inTag]) => plain ?? template ?? inTag ?? "")
    .filter((text) => /\w \w+ \w/.test(text))
    .join("\n");

test.each(documents)("%s reads as the style page asks", (path) => {
  expect(findIn(path, proseOf(readFileSync(path, "utf8")))).toEqual([]);
});

test.each(readdirSync("packages"))("help, errors and notes of %s read the same way", (folder) => {
  const found = readSources(`packages/${folder}/src`).flatMap(({ path, text }) =>
    findIn(path, textsOf(text)),
  );
  expect(found).toEqual([]);
});

test.each([
  "Whoever stays with it.",
  "for who needs more",
  '"x" is no cassette',
  "a fetch that mends",
  "Who asks again waits.",
  "Of a stopped answer the page keeps all.",
  "Had the loop gone on",
  "what stands behind the call",
  "What had come is kept",
  "Where a packed stream breaks, your connection breaks.",
  "it prints a list, a row a model",
  "send it all the same",
  "mull keys says more.",
  "another model would carry it on",
  "the model to whom it goes",
  "--json and --csv exclude each other.",
  "the count, absent where the answer has none",
  "or the skip value where there is none",
  "go on with the last conversation",
  "a line of text takes the place of the question",
  "script.turns[0] must be a text, found 1",
  "mull 2 is there, this is 1: npm install",
])("the patterns find %j", (text) => {
  expect(findIn("here", text)).toHaveLength(1);
});
