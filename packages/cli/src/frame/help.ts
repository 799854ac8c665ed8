import type { Command, JsonShape, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";
import { jsonShapes } from "./json-fields.ts";

/** `mull --help`: made of the table, like completion and the page of the command. */
export const helpOfAll = (commands: readonly Command[], ask: OptionTable): string =>
  page([
    "mull · one thinking dial for every model",
    "",
    "  mull                       chat",
    '  mull [ask] "question"      one answer, then exit; text piped in comes before the question',
    "  mull COMMAND               one of these:",
    "",
    ...pairs(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options of a question",
    ...optionLines(ask),
    "",
    ...jsonLines(jsonShapes["ask"]!.slice(0, 1)).slice(1),
    "",
    "Exit codes",
    ...pairs(exitCodeTexts.map(([code, text]) => [String(code), text])),
    "",
    "mull COMMAND --help says more about one.",
  ]);

export const helpOf = ({ name, summary, usage, details, examples, options }: Command): string =>
  page([
    usage,
    `  ${summary}`,
    ...(details === undefined ? [] : [`  ${details.join(" ")}`]),
    "",
    ...optionLines(options),
    ...(examples === undefined ? [] : ["", ...examples.map((line) => `  $ ${line}`)]),
    ...jsonLines(jsonShapes[name] ?? []),
  ]);

const jsonLines = (shapes: readonly JsonShape[]): readonly string[] =>
  shapes.flatMap(({ what, fields }) => ["", what, ...pairs(Object.entries(fields))]);

/** As wide as terminals are at least; a copied example stays whole. */
const pageWidth = 80;

const page = (lines: readonly string[]): string =>
  lines
    .flatMap(fold)
    .map((line) => `${line}\n`)
    .join("");

/** What goes on stands under the text of its line, behind the name in front of it. */
function fold(line: string): readonly string[] {
  if (line.length <= pageWidth || line.startsWith("  $")) return [line];
  const hanging = " ".repeat(/^ *(?:\S+(?: \S+)*? {2,})?/.exec(line)?.[0].length || 4);
  const rows: string[] = [];
  let rest = line;
  while (rest.length > pageWidth) {
    const at = rest.lastIndexOf(" ", pageWidth);
    if (at <= hanging.length) break;
    rows.push(rest.slice(0, at));
    rest = hanging + rest.slice(at + 1);
  }
  return [...rows, rest];
}

const optionLines = (options: OptionTable): readonly string[] =>
  pairs(
    Object.entries(options).map(([name, { short, value, help }]) => [
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      help,
    ]),
  );

function pairs(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
