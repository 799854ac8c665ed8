import type { Command, JsonShape, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";
import { fold } from "./fold.ts";
import { jsonShapes } from "./json-fields.ts";

/** Commands by what people come for, in the order of `mull --help`. */
const groups: readonly (readonly [names: string, what: string])[] = [
  ["plan map models sweep", "what a level sends, and what it brings"],
  ["lint send", "what a service would refuse; send it repaired"],
  ["decode encode handoff matrix", "read logged answers, write requests, hand over"],
  ["conversations cost cache", "what is kept, what it cost, what the cache did"],
  ["keys doctor completion", "set mull up on this machine"],
  ["run gateway", "Claude Code, Codex or any client on any model"],
  ["serve", "the chat server with its page, on a local port"],
  ["emulate record replay vcr", "work and test without a service"],
];

const commonest = ["model", "level", "file", "continue", "json"];

/** `mull --help`: fits a window of 24 rows. */
export const helpOfAll = (ask: OptionTable, columns?: number): string =>
  page(columns, [
    "mull · one thinking dial for every model",
    "",
    "  mull             chat",
    '  mull "question"  one answer, then exit; text piped in comes before it',
    "  mull COMMAND     one of these:",
    "",
    ...pairs(groups),
    "",
    ...optionLines(Object.fromEntries(commonest.map((name) => [name, ask[name]!]))),
    "",
    "`mull help COMMAND` explains a command.",
    "`mull help ask` lists every option, the fields of --json, and the exit codes.",
  ]);

/** `mull help ask`: all that a question takes and gives. */
export const helpOfAsk = (ask: OptionTable, columns?: number): string =>
  page(columns, [
    'mull [ask] ["question"] [options]',
    "  One answer, then exit; text piped in comes before the question. Without a question, the chat.",
    "",
    ...optionLines(ask),
    ...jsonLines(jsonShapes["ask"]!.slice(0, 1)),
    "",
    "Exit codes",
    ...pairs(exitCodeTexts.map(([code, text]) => [String(code), text])),
  ]);

/** The page of a command, made of the table like completion and docs. */
export const helpOf = (
  { name, summary, usage, details, examples, options }: Command,
  ask: OptionTable,
  columns?: number,
): string =>
  page(columns, [
    usage,
    `  ${summary}`,
    ...(details === undefined ? [] : [`  ${details.join(" ")}`]),
    ...(options === ask ? ["  It takes the options of a question: mull help ask"] : []),
    ...(options === ask || Object.keys(options).length === 0 ? [] : ["", ...optionLines(options)]),
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
