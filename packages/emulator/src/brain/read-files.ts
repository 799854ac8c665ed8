import type { GivenFile } from "./given-files.ts";
import { writeNumber } from "./numbers.ts";
import type { Topic } from "./question.ts";

const aboutFiles =
  /\b(?:files?|attach(?:ed|ments?)|documents?|images?|pictures?|photos?|pdf|summar(?:y|i[sz]e)|contents?)\b/i;
const aboutThis = /\b(?:this|it|that|these|them|here)\b/i;

/** Words too common to look for. */
const common = new Set(
  "about does file files from have have into know mention mentions says summarize summarise tell that them there these this what when where which with attached document content contents".split(
    " ",
  ),
);

const quote = (line: string): string => `> ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`;

const count = (number: number, one: string): string =>
  `${writeNumber(number)} ${one}${number === 1 ? "" : "s"}`;

/** Words of the question that the file contains, longest first. */
const soughtIn = (question: string, text: string): string | undefined => {
  const lower = text.toLowerCase();
  return [...new Set(question.toLowerCase().match(/\p{L}{4,}/gu))]
    .filter((word) => !common.has(word) && lower.includes(word))
    .toSorted((a, b) => b.length - a.length)[0];
};

const describeText = (name: string, text: string, question: string): readonly string[] => {
  const lines = text.replace(/\n$/, "").split("\n");
  const words = text.match(/\S+/g)?.length ?? 0;
  const size = `${name === "the text" ? "The text" : `**${name}**`} has ${count(lines.length, "line")} and ${count(words, "word")}.`;
  const sought = soughtIn(question, text);
  if (sought !== undefined) {
    const at = lines.findIndex((line) => line.toLowerCase().includes(sought));
    return [`${size} Line ${writeNumber(at + 1)} mentions “${sought}”:`, quote(lines[at]!.trim())];
  }
  const headings = lines.filter((line) => /^#{1,3} \S/.test(line)).slice(0, 8);
  const first = lines.filter((line) => line.trim() !== "").slice(0, 3);
  return [
    `${size} It begins:`,
    first.map((line) => quote(line.trim())).join("\n"),
    ...(headings.length > 1
      ? [`Its headings:\n\n${headings.map((line) => line.replace(/^#+/, "-")).join("\n")}`]
      : []),
  ];
};

const describe = ({ name, mediaType, text }: GivenFile, question: string): readonly string[] =>
  text === undefined
    ? [
        `I got **${name}** (${mediaType}). The emulator reads text files only, so I can't say what is in it.`,
      ]
    : describeText(name, text, question);

const nothingElse = { earlier: [], rounds: [], tools: [], parallel: true } as const;

/** Says what is in the files that were given. */
export const readFiles: Topic = ({ text, files, pasted }) => {
  if (pasted !== undefined) {
    const given = { given: [pasted.file], areNew: true };
    return readFiles({ ...nothingElse, text: pasted.asked, files: given });
  }
  if (files === undefined || files.given.length === 0) return undefined;
  const isAbout = aboutFiles.test(text) || (files.areNew && (text === "" || aboutThis.test(text)));
  if (!isAbout) return undefined;
  const names = files.given.map(({ name }) => name).join(", ");
  return {
    steps: [
      `The question is about ${names}.`,
      `I read ${files.given.length === 1 ? "it" : "them"} from the top.`,
      "What was asked for is in there; the rest can stay out of the answer.",
    ],
    answer: files.given.flatMap((file) => describe(file, text)).join("\n\n"),
  };
};
