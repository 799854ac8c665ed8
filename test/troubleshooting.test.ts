import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readSources } from "../scripts/docs-sources.ts";

/** Texts that other programs write: a shell, npm, Claude Code. */
const foreign = new Set([
  "unrecognized_model",
  "npm install mull",
  "npx @mull/cli",
  "mull: command not found",
  "npm warn EBADENGINE",
  "npm ci",
]);

/** What is written down once and put into many texts: names of time limits, the list of levels. */
const isFilledIn = (piece: string): boolean => /^\(\w+\)$|^Levels: /.test(piece);

const sources = readdirSync("packages")
  .flatMap((folder) => readSources(`packages/${folder}/src`))
  .map(({ text }) => text.replace(/"\s*\+\s*"|`\s*\+\s*`/g, ""))
  .join("\n");

const symptoms = readFileSync("docs/troubleshooting/README.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split(" | ")[0]!)
  .flatMap((cell) => [...cell.matchAll(/(``?) ?(.+?) ?\1/g)].map(([, , text]) => text!))
  .filter((text) => !foreign.has(text));

test.each(symptoms)("the symptom %j is what mull says", (symptom) => {
  const pieces = symptom
    .split("…")
    .map((piece) => piece.replace(/^[ .]+|[ .]+$/g, ""))
    .filter((piece) => piece.length > 3 && !isFilledIn(piece));
  expect(pieces.filter((piece) => !sources.includes(piece))).toEqual([]);
});
