import type { Command, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";

/** `mull --help`: made of the table, like completion and the page of the command. */
export const helpOfAll = (commands: readonly Command[], ask: OptionTable): string =>
  [
    "mull · one thinking dial for every model",
    "",
    "  mull                       chat",
    '  mull "question"            one answer, then exit; text piped in comes before the question',
    "  mull COMMAND               one of these:",
    "",
    ...pairs(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options of a question",
    ...optionLines(ask),
    "",
    "Exit codes",
    ...pairs(exitCodeTexts.map(([code, text]) => [String(code), text])),
    "",
    "mull COMMAND --help says more about one.",
    "",
  ].join("\n");

export const helpOf = ({ summary, usage, details, examples, options }: Command): string =>
  [
    usage,
    `  ${summary}`,
    ...(details ?? []).map((line) => `  ${line}`),
    "",
    ...optionLines(options),
    ...(examples === undefined ? [] : ["", ...examples.map((line) => `  $ ${line}`)]),
    "",
  ].join("\n");

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
