import type { Command, JsonShape, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";
import { fold } from "./fold.ts";
import { jsonShapes } from "./json-fields.ts";

/** `mull --help`: made of the table, like completion and the page of the command. */
export const helpOfAll = (
  commands: readonly Command[],
  ask: OptionTable,
  columns?: number,
): string =>
  page(columns, [
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
    "For one command: mull COMMAND --help",
  ]);

export const helpOf = (
  { name, summary, usage, details, examples, options }: Command,
  columns?: number,
): string =>
  page(columns, [
    usage,
    `  ${summary}`,
    ...(details === undefined ? [] : [`  ${details.join(" ")}`]),
    ...(Object.keys(options).length === 0 ? [] : ["", ...optionLines(options)]),
    ...(examples === undefined ? [] : ["", ...examples.map((line) => `  $ ${line}`)]),
    ...jsonLines(jsonShapes[name] ?? []),
  ]);

const jsonLines = (shapes: readonly JsonShape[]): readonly string[] =>
  shapes.flatMap(({ what, fields }) => ["", what, ...pairs(Object.entries(fields))]);

/** Wider rows are hard to read. */
const widest = 80;

/** A copied example stays whole. */
const page = (columns: number | undefined, lines: readonly string[]): string =>
  lines
    .flatMap((line) =>
      line.startsWith("  $") ? [line] : fold(line, Math.min(widest, columns ?? widest)),
    )
    .map((line) => `${line}\n`)
    .join("");

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
